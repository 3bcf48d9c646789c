import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { codes } from '../../ground/errors/catalogue.ts';
import { DRAFT_STATUSES, FREQUENCIES, SCHEDULE_STATUSES } from './types.ts';

/** The rows of drafts and schedules, as they are read. */

/** An invoice as it was sent, in the operations' spelling. */
const content = z.record(z.string(), z.unknown());
export type Content = z.output<typeof content>;

/** Why a draft cannot be issued as it is; `field` in the operations' spelling, null when no field is concerned. */
const draftFault = z.object({ field: z.string().nullable(), code: z.string(), message: z.string() });
export type DraftFault = z.output<typeof draftFault>;

const amounts = z.object({ subtotal: column.whole, tax: column.whole, total: column.whole });
export type Amounts = z.output<typeof amounts>;

const failure = z.object({ code: z.enum(codes), detail: z.string() });

export const draft = z.object({
  id: z.string(),
  content,
  dueInDays: column.whole.nullable(),
  status: z.enum(DRAFT_STATUSES),
  version: column.whole,
  errors: z.array(draftFault),
  /** Its total, as far as its lines can be priced. */
  amounts: amounts.nullable(),
  scheduleId: z.string().nullable(),
  /** The day of its schedule's period. */
  periodOn: column.day.nullable(),
  /** Why its schedule could not issue it. */
  failure: failure.nullable(),
  invoiceId: z.string().nullable(),
  createdAt: column.instant,
  updatedAt: column.instant,
});

export type Draft = Readonly<z.output<typeof draft>>;

export const schedule = z.object({
  id: z.string(),
  content,
  frequency: z.enum(FREQUENCIES),
  startsOn: column.day,
  endsOn: column.day.nullable(),
  count: column.whole.nullable(),
  dueInDays: column.whole.nullable(),
  status: z.enum(SCHEDULE_STATUSES),
  /** How many drafts it has created. */
  made: column.whole,
  /** The next period, counted from 0, and its day; null once it has ended. */
  nextPeriod: column.whole,
  nextOn: column.day.nullable(),
  createdAt: column.instant,
  updatedAt: column.instant,
});

export type Schedule = Readonly<z.output<typeof schedule>>;
