import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import type { TaxDetail } from './breakdown.ts';
import { AGENCY_TAXES, EXEMPTIONS, OPERATION_CLASSES, TAX_TYPES } from './types.ts';

/** A detail of a breakdown, as stored with an invoice or an amendment. */
export const taxDetail = z.object({
  type: z.enum(TAX_TYPES),
  name: z.string(),
  rate: column.whole,
  base: column.whole,
  tax: column.whole,
  surchargeRate: column.whole.nullable(),
  surcharge: column.whole.nullable(),
  agencyTax: z.enum(AGENCY_TAXES),
  regimeKey: z.string().nullable(),
  operationClass: z.enum(OPERATION_CLASSES).nullable(),
  exemption: z.enum(EXEMPTIONS).nullable(),
  legalMention: z.string().nullable(),
  declaredBase: column.whole,
  declaredRate: column.whole.nullable(),
  declaredTax: column.whole.nullable(),
}) satisfies z.ZodType<TaxDetail>;
