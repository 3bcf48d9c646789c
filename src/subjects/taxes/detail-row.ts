import { z } from 'zod';
import type { TaxDetail } from './breakdown.ts';
import { AGENCY_TAXES, EXEMPTIONS, OPERATION_CLASSES } from './catalog.ts';
import { TAX_TYPES } from './types.ts';

/** One entry of a breakdown, as it is stored with an invoice or an amendment. */
export const taxDetailRow = z.object({
  type: z.enum(TAX_TYPES),
  name: z.string(),
  rate: z.int(),
  base: z.int(),
  tax: z.int(),
  surchargeRate: z.int().nullable(),
  surcharge: z.int().nullable(),
  agencyTax: z.enum(AGENCY_TAXES),
  regimeKey: z.string().nullable(),
  operationClass: z.enum(OPERATION_CLASSES).nullable(),
  exemption: z.enum(EXEMPTIONS).nullable(),
  legalMention: z.string().nullable(),
  declaredBase: z.int(),
  declaredRate: z.int().nullable(),
  declaredTax: z.int().nullable(),
}) satisfies z.ZodType<TaxDetail>;
