import { z } from 'zod';
import { taxIdRequest } from '../../src/subjects/recipients/tax-id-request.ts';
import { TAX_ID_TYPES } from '../../src/subjects/tax-ids/types.ts';
import { nullableText, oneOf, text } from '../schema-parts.ts';
import { operations } from './operation.ts';

const taxIdValidation = z
  .strictObject({
    tax_id: text.describe('Normalised.'),
    tax_id_type: oneOf(TAX_ID_TYPES).nullable().describe('Null if the format matches no type.'),
    tax_id_country: nullableText.describe('The country, ISO 3166-1 alpha-2.'),
    valid: z.boolean().describe('Whether it would be accepted for a recipient.'),
    reason: oneOf(['format', 'not_registered', 'name_mismatch']).nullable().describe('Why it is not valid.'),
    register: oneOf(['aeat_census', 'vies'])
      .nullable()
      .describe('The queried register; null if only the format was checked.'),
    registered_name: text
      .optional()
      .describe(
        'The name under which the census knows the NIF, if a similar one was sent; absent otherwise.',
      ),
  })
  .meta({ id: 'TaxIdValidation' });

const taxIdValidationExample = {
  tax_id: '12345678Z',
  tax_id_type: 'es_nif',
  tax_id_country: 'ES',
  valid: true,
  reason: null,
  register: 'aeat_census',
};

export const taxIdOperations = operations('Tax ids', [
  {
    id: 'validateTaxId',
    method: 'POST',
    path: '/v1/tax_ids/validate',
    field: 'validateTaxId',
    limit: 'validate_tax_id',
    summary: 'Check a tax id',
    description:
      'Checks the format and the responsible register: the agency’s census for a Spanish NIF with a name, VIES for an EU VAT number. Rate limited for each key. Needs the scope `issue`.',
    body: {
      schema: taxIdRequest,
      examples: {
        spanish: {
          summary: 'A Spanish NIF with its name, as the census has it',
          value: { tax_id: '12345678Z', name: 'García López Ana' },
        },
        european: { summary: 'An EU VAT number', value: { tax_id: 'DE136695976', tax_id_type: 'eu_vat' } },
      },
    },
    answer: {
      status: 200,
      description: 'The result',
      schema: taxIdValidation,
      example: taxIdValidationExample,
    },
    codes: ['insufficient_recipient_data', 'tax_id_type_country_mismatch', 'tax_id_validation_unavailable'],
    tool: { name: 'check_tax_id' },
  },
]);
