import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';

/** The rows of endpoints and deliveries, whole, as Prisma reads them too. */

export const endpoint = z.object({
  id: z.string(),
  environmentId: column.whole,
  url: z.string(),
  eventTypes: z.array(z.string()),
  description: z.string().nullable(),
  status: z.enum(['active', 'disabled']),
  disabledReason: z.string().nullable(),
  /** The last event of the journal that was processed for it. */
  reachedSequence: column.whole,
  /** Since when no attempt has succeeded; null when the last one did. */
  failingSince: column.instant.nullable(),
  /** The last attempts were accepted, each quickly. */
  quick: z.boolean(),
  /** Longer attempts are running; until then nobody begins others. */
  heldUntil: column.instant.nullable(),
  createdAt: column.instant,
});

export type Endpoint = z.output<typeof endpoint>;

/** An endpoint with the facts that decide whether there is work for it, and in which lane. */
export const deliverable = endpoint.extend({
  /** Longer attempts are running. */
  held: z.boolean(),
  /** When the next retry is due; null when there is none. */
  nextAt: column.instant.nullable(),
  /** A retry is due. */
  due: z.boolean(),
  /** There is something new, or due again. */
  waits: z.boolean(),
  /** The database's time of the query. */
  readAt: column.instant,
});

export type Deliverable = z.output<typeof deliverable>;

/** One attempt as stored with its delivery. */
const attempt = z.object({
  at: z.iso.datetime(),
  milliseconds: column.whole,
  status: column.whole.nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});

/** Of a delivery. More than the schedule makes: what is delivered again by hand comes on top, and the oldest goes. */
export const ATTEMPTS_KEPT = 20;

export type StoredAttempt = z.output<typeof attempt>;

/** The attempts, oldest first. */
export const attempts = z.array(attempt);

export const delivery = z.object({
  id: z.string(),
  environmentId: column.whole,
  endpointId: z.string(),
  sequence: column.whole,
  /** The header `webhook-id` of every attempt. */
  eventId: z.string(),
  eventType: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: column.whole,
  attemptLog: attempts,
  /** When it is retried; null when it is not. */
  nextAt: column.instant.nullable(),
  createdAt: column.instant,
});

/** The delivery of one event to one endpoint. */
export type StoredDelivery = z.output<typeof delivery>;
