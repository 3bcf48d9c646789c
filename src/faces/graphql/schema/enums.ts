import {
  EnvironmentKind,
  InvoiceKind,
  InvoiceType,
  RecordKind,
  RectificationReason,
  RegistrationStatus,
  SeriesType,
} from '../../../../generated/prisma/enums.ts';
import { TAX_ID_TYPES } from '../../../subjects/tax-ids/tax-id.ts';
import { TAX_TYPES } from '../../../subjects/taxes/types.ts';
import { builder } from '../builder.ts';

/** All of these may grow: a client tolerates values that it does not know (docs/contract.md#versioning). */
export const InvoiceTypeEnum = builder.enumType(InvoiceType, { name: 'InvoiceType' });
export const InvoiceKindEnum = builder.enumType(InvoiceKind, { name: 'InvoiceKind' });
export const RegistrationStatusEnum = builder.enumType(RegistrationStatus, { name: 'RegistrationStatus' });
export const RecordKindEnum = builder.enumType(RecordKind, { name: 'RecordKind' });
export const SeriesTypeEnum = builder.enumType(SeriesType, { name: 'NumberSeriesType' });
export const EnvironmentEnum = builder.enumType(EnvironmentKind, { name: 'Environment' });
export const RectificationReasonEnum = builder.enumType(RectificationReason, { name: 'RectificationReason' });
export const InvoiceStatusEnum = builder.enumType('InvoiceStatus', { values: ['issued', 'voided'] as const });
export const TaxTypeEnum = builder.enumType('TaxType', { values: TAX_TYPES });
export const TaxIdTypeEnum = builder.enumType('TaxIdType', { values: TAX_ID_TYPES });
export const RectificationMethodEnum = builder.enumType('RectificationMethod', {
  values: ['differences', 'substitution'] as const,
});

export const ChainHoldEnum = builder.enumType('ChainHold', {
  description:
    'Why a chain takes no new records: not yet compared with the agency after a restore, or the agency holds records of it that are not here.',
  values: ['restored', 'forked'] as const,
});
