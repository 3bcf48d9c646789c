import { z } from 'zod';
import { line, taxIdLine } from '../../ground/lib/text.ts';
import { TAX_ID_TYPES } from '../tax-ids/types.ts';

/** The request to validate a tax id (docs/contract.md#tax-ids). A field that is null counts as absent. */
export const taxIdRequest = z
  .strictObject({
    taxId: taxIdLine(50).describe('Spaces, dots and hyphens do not matter.'),
    taxIdType: z.enum(TAX_ID_TYPES).nullish().describe('Determined from the format if omitted.'),
    taxIdCountry: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
      .transform((code) => code.toUpperCase())
      .nullish()
      .describe('The country, ISO 3166-1 alpha-2.'),
    name: line(200).nullish().describe('The fiscal name: needed to check a Spanish NIF in the census.'),
  })
  .meta({ id: 'TaxIdRequest', description: 'The tax id to check.' });
