import { z } from 'zod';
import { line, taxIdLine } from '../../ground/lib/text.ts';
import { TAX_ID_TYPES } from '../tax-ids/types.ts';

/** The request to validate a tax id (docs/contract.md#tax-ids). A field that is null counts as absent. */
export const taxIdRequest = z
  .strictObject({
    taxId: taxIdLine(50),
    taxIdType: z.enum(TAX_ID_TYPES).nullish(),
    taxIdCountry: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
      .transform((code) => code.toUpperCase())
      .nullish(),
    name: line(200).nullish(),
  })
  .meta({ id: 'TaxIdRequest' });
