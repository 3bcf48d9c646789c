import { z } from 'zod';
import { EXEMPTIONS, OPERATION_CLASSES, REGIME_KEYS, TAX_TYPES } from '../../src/subjects/taxes/types.ts';
import { oneOf } from '../schema-parts.ts';
import { operations } from './operation.ts';

const treatment = z
  .strictObject({
    regime_key: oneOf(REGIME_KEYS).nullable().describe('ClaveRegimen; null where the agency takes none.'),
    operation_class: oneOf(OPERATION_CLASSES)
      .nullable()
      .describe('CalificacionOperacion; null for an exempt operation.'),
    exemption: oneOf(EXEMPTIONS)
      .nullable()
      .describe('OperacionExenta; null for an operation that is not exempt.'),
    is_default: z.boolean().describe('Whether a line that names none of the three is declared like this.'),
  })
  .meta({ id: 'TaxTreatment' });

const offeredTax = z
  .strictObject({
    type: oneOf(TAX_TYPES).describe('The tax type.'),
    rates: z
      .array(z.number())
      .nullable()
      .describe('The percentages today; none for a type without tax, null for any.'),
    surcharges: z
      .record(z.string(), z.number())
      .describe('The surcharge of each rate that has one; only of a type that has surcharges.')
      .optional(),
    treatments: z.array(treatment).describe('The keys, classes and exemptions that go together.'),
  })
  .meta({ id: 'TaxTypeOffer' });

type Selected = { readonly surcharges: readonly { rate: number; surcharge: number }[] | null };

export const taxTypeOperations = operations('Taxes', [
  {
    id: 'listTaxTypes',
    method: 'GET',
    path: '/v1/tax_types',
    field: 'taxTypes',
    summary: 'List tax types',
    description:
      'Those of the company’s catalog, with what lines may say of them today: rates, surcharges and treatments. Needs the scope `read`.',
    answer: {
      status: 200,
      description: 'The tax types',
      schema: z
        .strictObject({ data: z.array(offeredTax).describe('In the order of the documentation.') })
        .meta({ id: 'TaxTypeOfferList' }),
      example: {
        data: [
          {
            type: 'vat',
            rates: [0, 4, 10, 21],
            surcharges: { 4: 0.5, 10: 1.4, 21: 5.2 },
            treatments: [{ regime_key: '01', operation_class: 'S1', exemption: null, is_default: true }],
          },
        ],
      },
    },
    selected: { surcharges: 'surcharges { rate surcharge }' },
    shown: (selected) => {
      const { surcharges, ...tax } = selected as Selected;
      if (surcharges === null) return tax;
      return {
        ...tax,
        surcharges: Object.fromEntries(surcharges.map(({ rate, surcharge }) => [rate, surcharge])),
      };
    },
  },
]);
