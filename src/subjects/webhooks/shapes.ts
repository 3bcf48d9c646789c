import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';

/** What is kept of endpoints and deliveries, as it is read. */

export const endpoint = z.object({
  id: z.string(),
  url: z.string(),
  eventTypes: z.array(z.string()),
  description: z.string().nullable(),
  status: z.enum(['active', 'disabled']),
  disabledReason: z.string().nullable(),
  /** The last event of the journal that was looked at for it. */
  reachedSequence: column.whole,
  /** Since when no attempt has succeeded; null when the last one did. */
  failingSince: column.instant.nullable(),
  createdAt: column.instant,
});

export type Endpoint = z.output<typeof endpoint>;

/** An endpoint with what tells whether there is anything to do for it, and in which lane. */
export const deliverable = endpoint.extend({
  /** The last attempts were taken, each within a moment. */
  quick: z.boolean(),
  /** Attempts that take longer are under way. */
  held: z.boolean(),
  /** When something is tried again; null when nothing waits for that. */
  nextAt: column.instant.nullable(),
  /** Something is due again. */
  due: z.boolean(),
  /** There is something new, or due again. */
  waits: z.boolean(),
  /** The database's time at that look. */
  lookedAt: column.instant,
});

export type Deliverable = z.output<typeof deliverable>;

/** One attempt as it is kept with its delivery. */
const attempt = z.object({
  at: z.iso.datetime(),
  milliseconds: column.whole,
  status: column.whole.nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});

export type StoredAttempt = z.output<typeof attempt>;

export const delivery = z.object({
  id: z.string(),
  endpointId: z.string(),
  sequence: column.whole,
  /** The header `webhook-id` of every attempt. */
  eventId: z.string(),
  eventType: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: column.whole,
  /** The attempts, oldest first. */
  attemptLog: z.array(attempt),
  /** When it is tried again; null when it is not. */
  nextAt: column.instant.nullable(),
  createdAt: column.instant,
});

/** What became of one event at one endpoint. */
export type StoredDelivery = z.output<typeof delivery>;
