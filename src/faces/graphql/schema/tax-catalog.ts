import { parseRequest } from '../../../ground/errors/issues.ts';
import { invalidField } from '../../../ground/errors/refusal.ts';
import type { CatalogRow } from '../../../subjects/taxes/catalog.ts';
import {
  catalogRemovalRequest,
  catalogRowRequest,
  dropCatalogRow,
  setCatalogRow,
} from '../../../subjects/taxes/edit-catalog.ts';
import { loadTaxCatalog } from '../../../subjects/taxes/store/read-catalog.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { TaxTypeEnum } from './enums.ts';

const TaxCatalogRow = builder.objectRef<CatalogRow>('TaxCatalogRow').implement({
  description: 'How one tax type of a company is declared to the agency, and how it is printed.',
  fields: (t) => ({
    taxType: t.expose('taxType', { type: TaxTypeEnum }),
    agencyTax: t.exposeString('agencyTax', { description: 'Impuesto: 01 IVA, 02 IPSI, 03 IGIC, 05 others.' }),
    regimeKey: t.exposeString('regimeKey', { nullable: true, description: 'ClaveRegimen.' }),
    operationClass: t.exposeString('operationClass', {
      nullable: true,
      description: 'CalificacionOperacion.',
    }),
    exemption: t.exposeString('exemption', { nullable: true, description: 'OperacionExenta.' }),
    label: t.exposeString('label'),
    legalMention: t.exposeString('legalMention', { nullable: true }),
  }),
});

builder.queryField('taxCatalog', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: [TaxCatalogRow],
    complexity: { multiplier: 30 },
    description: 'The tax catalog of a company.',
    args: { companyId: t.arg.id({ required: true }) },
    resolve: async (_root, { companyId }, context) => {
      return [...(await loadTaxCatalog(context.services.db, companyId)).values()];
    },
  }),
);

const TaxCatalogRowInput = builder.inputType('TaxCatalogRowInput', {
  fields: (t) => ({
    companyId: t.id({ required: true }),
    taxType: t.field({ type: TaxTypeEnum, required: true }),
    agencyTax: t.string({ required: true }),
    regimeKey: t.string(),
    operationClass: t.string(),
    exemption: t.string(),
    label: t.string({ required: true }),
    legalMention: t.string(),
    reason: t.string({ required: true }),
  }),
});

builder.mutationField('setTaxCatalogRow', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: TaxCatalogRow,
    description:
      'Classifies a tax type of a company for future invoices; a classification that the agency would reject is refused.',
    args: { input: t.arg({ type: TaxCatalogRowInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const request = valueOrThrow(parseRequest(catalogRowRequest, input));
      return valueOrThrow(await setCatalogRow(context.services.db, keyId, request));
    },
  }),
);

builder.mutationField('removeTaxCatalogRow', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: TaxCatalogRow,
    description:
      'Removes a tax type from a catalog: from then on it is refused with `invalid_tax_data`. Returns the removed entry.',
    args: {
      companyId: t.arg.id({ required: true }),
      taxType: t.arg({ type: TaxTypeEnum, required: true }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_root, args, context) => {
      const { keyId } = context.caller;
      const request = valueOrThrow(parseRequest(catalogRemovalRequest, args));
      const { db } = context.services;
      const row = (await loadTaxCatalog(db, request.companyId)).get(request.taxType);
      valueOrThrow(await dropCatalogRow(db, keyId, request));
      return valueOrThrow(row ?? invalidField('taxType', 'unknown', 'the company has no such row'));
    },
  }),
);
