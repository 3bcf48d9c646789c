import { parseRequest } from '../../../ground/errors/issues.ts';
import { invalidField } from '../../../ground/errors/refusal.ts';
import type { CatalogRow } from '../../../subjects/taxes/catalog.ts';
import {
  catalogRemovalRequest,
  catalogRowRequest,
  dropCatalogRow,
  REGIME_KEY,
  setCatalogRow,
} from '../../../subjects/taxes/edit-catalog.ts';
import { loadTaxCatalog } from '../../../subjects/taxes/store/read-catalog.ts';
import type { AgencyTax } from '../../../subjects/taxes/types.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { namedCompany, OWN_COMPANY } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { ExemptionEnum, OperationClassEnum, TaxTypeEnum } from './enums.ts';
import { Node } from './node-interface.ts';

/** Its own codes are digits, with which no name of GraphQL begins. */
const AgencyTaxEnum = builder.enumType('AgencyTax', {
  description: 'A tax as the agency’s records name it (Impuesto).',
  values: {
    vat: { value: '01', description: 'IVA, `01` in records.' },
    ipsi: { value: '02', description: 'IPSI, `02` in records.' },
    igic: { value: '03', description: 'IGIC, `03` in records.' },
    other: { value: '05', description: 'Any other tax, `05` in records.' },
  } as const satisfies Record<string, { value: AgencyTax; description: string }>,
});

/** No enumeration: what a code means depends on the tax. */
type OfCompany = CatalogRow & { readonly companyId: string };

export const TaxCatalogRow = builder.objectRef<OfCompany>('TaxCatalogRow').implement({
  interfaces: [Node],
  description: 'How one tax type of a company is declared to the agency, and how it is printed.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `tcr_`, the id of the company, and the tax type.',
      resolve: ({ companyId, taxType }) => `tcr_${companyId}_${taxType}`,
    }),
    taxType: t.expose('taxType', { type: TaxTypeEnum }),
    agencyTax: t.expose('agencyTax', { type: AgencyTaxEnum, description: 'Impuesto.' }),
    regimeKey: t.exposeString('regimeKey', {
      nullable: true,
      description: `${REGIME_KEY} Null where the agency takes none.`,
    }),
    operationClass: t.expose('operationClass', {
      type: OperationClassEnum,
      nullable: true,
      description: 'CalificacionOperacion; null for an exempt operation.',
    }),
    exemption: t.expose('exemption', {
      type: ExemptionEnum,
      nullable: true,
      description: 'OperacionExenta; null for an operation that is not exempt.',
    }),
    label: t.exposeString('label'),
    legalMention: t.exposeString('legalMention', { nullable: true }),
  }),
});

/** A row by its id; null for what is none. */
export async function findCatalogRow(
  { services }: Pick<Context, 'services'>,
  id: string,
): Promise<OfCompany | null> {
  const [, companyId, taxType] = /^tcr_(co_[0-9a-f]+)_(\w+)$/.exec(id) ?? [];
  if (companyId === undefined) return null;
  const rows = await loadTaxCatalog(services.db, companyId);
  const row = [...rows.values()].find((one) => one.taxType === taxType);
  return row === undefined ? null : { ...row, companyId };
}

builder.queryField('taxCatalog', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: [TaxCatalogRow],
    complexity: { multiplier: 30 },
    description: 'The tax catalog of a company.',
    args: { companyId: t.arg.id({ description: OWN_COMPANY }) },
    resolve: async (_root, args, context) => {
      const companyId = valueOrThrow(namedCompany(context, args));
      const rows = await loadTaxCatalog(context.services.db, companyId);
      return [...rows.values()].map((row) => ({ ...row, companyId }));
    },
  }),
);

const TaxCatalogRowInput = inputType(catalogRowRequest, 'TaxCatalogRowInput');

builder.mutationField('setTaxCatalogRow', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: TaxCatalogRow,
    description:
      'Classifies a tax type of a company for future invoices; a classification that the agency would reject is refused.',
    args: { input: t.arg({ type: TaxCatalogRowInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { keyId } = context.caller;
      const request = valueOrThrow(parseRequest(catalogRowRequest, input));
      const { companyId } = request;
      return { ...valueOrThrow(await setCatalogRow(context.services.db, keyId, request)), companyId };
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
      const { companyId, taxType } = request;
      const row = (await loadTaxCatalog(db, companyId)).get(taxType);
      valueOrThrow(await dropCatalogRow(db, keyId, request));
      const unknown = invalidField('taxType', 'unknown', 'the company has no such row');
      return { ...valueOrThrow<CatalogRow>(row ?? unknown), companyId };
    },
  }),
);
