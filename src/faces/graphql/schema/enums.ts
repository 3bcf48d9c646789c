import {
  DocumentLanguage,
  EnvironmentKind,
  InvoiceKind,
  InvoiceType,
  RecordKind,
  RectificationReason,
  RegistrationStatus,
  SeriesType,
} from '../../../../generated/prisma/enums.ts';
import type { KeyScope, OperatorRole } from '../../../subjects/accounts/entry/permissions.ts';
import type { Paper } from '../../../subjects/documents/types.ts';
import { type ISSUED_BY, PAYMENT_MEANS } from '../../../subjects/extensions/types.ts';
import type { PAYMENT_STATUSES } from '../../../subjects/invoices/types.ts';
import { TAX_ID_TYPES } from '../../../subjects/tax-ids/types.ts';
import { type Exemption, type OperationClass, TAX_TYPES } from '../../../subjects/taxes/types.ts';
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
export const OperationClassEnum = builder.enumType('OperationClass', {
  description: 'How an operation that is not exempt is taxed (CalificacionOperacion).',
  values: {
    S1: { description: 'Taxed.' },
    S2: { description: 'Taxed; the recipient owes the tax (reverse charge).' },
    N1: { description: 'Not subject to the tax.' },
    N2: { description: 'Not subject to the tax because of where it takes place.' },
  } as const satisfies Record<OperationClass, object>,
});
export const ExemptionEnum = builder.enumType('Exemption', {
  description:
    'Why an operation is exempt (OperacionExenta): of VAT by Ley 37/1992; IGIC and IPSI have laws of their own.',
  values: {
    E1: { description: 'By article 20 of Ley 37/1992.' },
    E2: { description: 'By article 21: exports.' },
    E3: { description: 'By article 22: operations treated as exports.' },
    E4: { description: 'By articles 23 and 24.' },
    E5: {
      description: 'By article 25: supplies to another member state. Of IGIC by article 25 of Ley 19/1994.',
    },
    E6: { description: 'For another reason.' },
    E7: { description: 'Of IGIC only.' },
    E8: { description: 'Of IGIC only.' },
  } as const satisfies Record<Exemption, object>,
});
export const TaxIdTypeEnum = builder.enumType('TaxIdType', { values: TAX_ID_TYPES });
export const DocumentLanguageEnum = builder.enumType(DocumentLanguage, {
  name: 'DocumentLanguage',
  description: 'The language of a document.',
});
builder.enumType('IssuedBy', {
  description: 'Who issued an invoice in the name of the company.',
  values: {
    recipient: { description: 'Its recipient: self-billing.' },
    third_party: { description: 'A third party.' },
  } satisfies Record<(typeof ISSUED_BY)[number], object>,
});

export const PaymentMeansEnum = builder.enumType('PaymentMeans', {
  description: 'A means of payment.',
  values: PAYMENT_MEANS,
});

builder.enumType('WithholdingType', {
  values: { irpf: { description: 'The personal income tax (IRPF).' } } as const,
});

export const PaymentStatusEnum = builder.enumType('PaymentStatus', {
  description: 'The payment status of an invoice.',
  values: {
    unpaid: { description: 'Nothing has been paid yet.' },
    partially_paid: { description: 'Partially paid.' },
    paid: { description: 'Fully paid, or issued for zero.' },
    overdue: { description: 'Not fully paid, and the due date is past.' },
    credited: { description: 'Credited in full, without any payment that is kept.' },
  } as const satisfies Record<(typeof PAYMENT_STATUSES)[number], object>,
});

builder.enumType('RectificationMethod', {
  values: ['differences', 'substitution'] as const,
});

export const ChainHoldEnum = builder.enumType('ChainHold', {
  description:
    'Why a chain accepts no new records: it has not been compared with the agency since a restore, or the agency holds records of it that are missing here.',
  values: ['restored', 'forked'] as const,
});

export const KeyScopeEnum = builder.enumType('KeyScope', {
  description: 'The permissions of a merchant’s key.',
  values: {
    read: { description: 'Read invoices, series and customers, and get documents.' },
    issue: { description: 'Issue, validate, exchange, and open portal sessions.' },
    correct: { description: 'Void and amend.' },
    manage: { description: 'Manage number series, branding of documents, allowed origins.' },
  } as const satisfies Record<KeyScope, object>,
});

export const OperatorRoleEnum = builder.enumType('OperatorRole', {
  description: 'The permissions of an operator’s key; each role includes the previous ones.',
  values: {
    viewer: { description: 'Read everything.' },
    operator: { description: 'Act on invoices, records, chains, jobs, series, integrations and customers.' },
    admin: { description: 'Manage companies, keys, certificates, tax catalogs and new installations.' },
  } as const satisfies Record<OperatorRole, object>,
});

export const DocumentPaperEnum = builder.enumType('DocumentPaper', {
  description: 'The paper of a document. More values may be added.',
  values: {
    a4: { description: 'A4, the stored document.' },
    roll: { description: 'The roll of a receipt printer, 80 mm wide and of any length.' },
  } as const satisfies Record<Paper, object>,
});
