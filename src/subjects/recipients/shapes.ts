import { z } from 'zod';
import { TAX_ID_TYPES } from '../tax-ids/types.ts';
import type { Recipient } from './recipient.ts';

const text = z.string().nullable();

/** A recipient, as statements build it from the columns of an invoice. */
export const recipientShape = z.object({
  name: text,
  companyName: text,
  givenName: text,
  surnames: text,
  taxId: text,
  taxIdType: z.enum(TAX_ID_TYPES).nullable(),
  taxIdCountry: text,
  email: text,
  line1: text,
  line2: text,
  postalCode: text,
  city: text,
  country: text,
}) satisfies z.ZodType<Recipient>;
