import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { DRAFT_STATUSES, FREQUENCIES, SCHEDULE_STATUSES } from './types.ts';

/** What is kept of drafts and schedules, as it is read. */

/** An invoice as it was sent, in the operations' spelling. */
const content = z.record(z.string(), z.unknown());
export type Content = z.output<typeof content>;

/** Why something cannot be issued as it is; `field` in the operations' spelling, null where none is concerned. */
const draftFault = z.object({ field: z.string().nullable(), code: z.string(), message: z.string() });
export type DraftFault = z.output<typeof draftFault>;

const amounts = z.object({ subtotal: column.whole, tax: column.whole, total: column.whole });
export type Amounts = z.output<typeof amounts>;

const failure = z.object({ code: z.string(), detail: z.string() });

export const draft = z.object({
  id: z.string(),
  content,
  dueInDays: column.whole.nullable(),
  status: z.enum(DRAFT_STATUSES),
  version: column.whole,
  errors: z.array(draftFault),
  /** What it comes to, as far as its lines can be priced. */
  amounts: amounts.nullable(),
  scheduleId: z.string().nullable(),
  /** The day of its schedule that it was made for. */
  periodOn: column.day.nullable(),
  /** Why issuing it by its schedule was refused. */
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
  /** How many drafts it has made. */
  made: column.whole,
  /** The period that comes next, counted from 0, and its day; null once it has ended. */
  nextPeriod: column.whole,
  nextOn: column.day.nullable(),
  createdAt: column.instant,
  updatedAt: column.instant,
});

export type Schedule = Readonly<z.output<typeof schedule>>;
