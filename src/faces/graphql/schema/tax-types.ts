import { environmentToday } from '../../../subjects/accounts/entry/environment-time.ts';
import { loadTaxCatalog } from '../../../subjects/taxes/store/read-catalog.ts';
import { type OfferedTax, offeredTaxes } from '../../../subjects/taxes/tax-types.ts';
import { builder } from '../builder.ts';
import { ExemptionEnum, OperationClassEnum, TaxTypeEnum } from './enums.ts';

type Treatment = OfferedTax['treatments'][number];
type Surcharge = NonNullable<OfferedTax['surcharges']>[number];

const TaxTreatment = builder.objectRef<Treatment>('TaxTreatment').implement({
  description: 'How a line of a tax type may be declared to the agency.',
  fields: (t) => ({
    regimeKey: t.exposeString('regimeKey', {
      nullable: true,
      description: 'ClaveRegimen; null where the agency takes none.',
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
    isDefault: t.exposeBoolean('isDefault', {
      description: 'Whether a line that names none of the three is declared like this.',
    }),
  }),
});

const TaxSurcharge = builder.objectRef<Surcharge>('TaxSurcharge').implement({
  description: 'The equivalence surcharge that joins a rate.',
  fields: (t) => ({
    rate: t.exposeFloat('rate', { description: 'The rate of the tax.' }),
    surcharge: t.exposeFloat('surcharge', { description: 'The rate of the surcharge.' }),
  }),
});

const TaxTypeOffer = builder.objectRef<OfferedTax>('TaxTypeOffer').implement({
  description: 'A tax type of the company with what its lines may say today.',
  fields: (t) => ({
    type: t.expose('type', { type: TaxTypeEnum, description: 'The tax type.' }),
    rates: t.field({
      type: ['Float'],
      nullable: true,
      complexity: 12,
      description: 'The percentages; none for a type without tax, null for any.',
      resolve: ({ rates }) => (rates === null ? null : [...rates]),
    }),
    surcharges: t.field({
      type: [TaxSurcharge],
      nullable: true,
      complexity: { multiplier: 4 },
      description: 'The surcharge of each rate that has one; null for a type that has none.',
      resolve: ({ surcharges }) => (surcharges === null ? null : [...surcharges]),
    }),
    treatments: t.field({
      type: [TaxTreatment],
      complexity: { multiplier: 30 },
      description: 'The keys, classes and exemptions that go together.',
      resolve: ({ treatments }) => [...treatments],
    }),
  }),
});

builder.queryField('taxTypes', (t) =>
  t.withAuth({ scope: 'read' }).field({
    type: [TaxTypeOffer],
    complexity: { multiplier: 13 },
    description: 'The tax types of the company’s catalog with the rates, surcharges and treatments of today.',
    resolve: async (_root, _args, { caller, services }) =>
      offeredTaxes(await loadTaxCatalog(services.db, caller.companyId), environmentToday(caller)),
  }),
);
