import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { codes } from '../../ground/errors/catalogue.ts';
import { BATCH_RESULTS } from './types.ts';

/** The rows of batches, those of `invoice_batch` whole. */

export const batch = z.object({
  id: z.string(),
  environmentId: column.whole,
  size: column.whole,
  issued: column.whole,
  failed: column.whole,
  createdAt: column.instant,
  /** Since when its next invoice has been refused for a temporary reason; null otherwise. */
  stalledSince: column.instant.nullable(),
  completedAt: column.instant.nullable(),
});

export type Batch = z.output<typeof batch>;

const refusal = z.object({
  code: z.enum(codes),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), code: z.string(), message: z.string() })),
});

/**
 * Why an invoice was not issued: the error that issuing it alone would have returned, in the operation's spelling.
 */
export type ItemRefusal = z.output<typeof refusal>;

export const item = z.object({
  /** The batch and the position. */
  id: z.string(),
  environmentId: column.whole,
  position: column.whole,
  externalId: z.string(),
  state: z.enum(BATCH_RESULTS),
  invoiceId: z.string().nullable(),
  number: z.string().nullable(),
  refusal: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : refusal.parse(JSON.parse(text)))),
});

/** The result of one invoice of a batch. */
export type BatchItem = z.output<typeof item>;

/** An invoice of a batch that has not been issued yet. */
export const pendingItem = z.object({
  position: column.whole,
  externalId: z.string(),
  /** The id reserved for its invoice. */
  reservedId: z.string(),
  /** JSON, in the operation's spelling. */
  request: z.string(),
});

export type PendingItem = z.output<typeof pendingItem>;

/** The final result of an item. */
export type Settled = { readonly position: number } & (
  | { readonly state: 'issued'; readonly invoiceId: string }
  | { readonly state: 'failed'; readonly refusal: ItemRefusal }
);
