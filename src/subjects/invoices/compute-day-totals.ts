import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Day, firstOfMonth, plusDays, startOfMadridDay } from '../../ground/lib/calendar.ts';
import {
  type DayTotalsState,
  environmentsToSum,
  lockDays,
  reopenDays,
  writeDays,
  writePartOfDay,
} from './store/day-totals.ts';
import { deductNext, environmentsToDeduct } from './store/deducted-totals.ts';
import { type MonthsMark, writeMonth } from './store/month-totals.ts';
import {
  addPaymentChanges,
  environmentsWithChanges,
  writePaymentsOfDays,
  writeRecipientPaymentsOfDays,
} from './store/payment-totals.ts';
import { dayAfterInvoices, writeRecipientsOfDays, writeRecipientsOfPart } from './store/recipient-totals.ts';

/** An environment with fewer invoices needs no sums: reading its invoices is as fast. */
const RECORDS = 5_000;
/** Days per transaction: a month of a million invoices a year takes a second or two. */
const DAYS_AT_ONCE = 31;
/** Of sums by recipient, of which there may be as many as invoices: a second or two, and never less than a day. */
const INVOICES_AT_ONCE = 20_000;
/** Invoices per transaction, which whoever voids one of them waits for. */
const DEDUCTED_AT_ONCE = 2_000;

/**
 * Computes the sums of the days that are over, and of the part of the last one that is, in environments with many invoices. Invoices
 * never change, so a day's sums never do either; those of voided and replaced invoices are summed apart, to be deducted. What is paid and due of
 * a day does change: each change is noted, and added to the sums here.
 */
export async function computeDayTotals(db: Pick<Db, 'pool'>, signal?: AbortSignal): Promise<void> {
  for (const environmentId of await environmentsToSum(db.pool, RECORDS)) {
    if (signal?.aborted) return;
    await computeDayTotalsOf(db, environmentId, { signal });
  }
  for (const environmentId of await environmentsToDeduct(db.pool)) {
    if (signal?.aborted) return;
    await deductOutOfForceOf(db, environmentId, signal);
  }
  for (const environmentId of await environmentsWithChanges(db.pool)) {
    if (signal?.aborted) return;
    await addPaymentChangesOf(db, environmentId);
  }
}

/**
 * The same for one environment, before the day of its last record, or before another day by which everything is
 * issued.
 */
export async function computeDayTotalsOf(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  { before = null, signal }: { readonly before?: Day | null; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const untilDone = async (step: (client: Queryable) => Promise<boolean>) => {
    while (!signal?.aborted) if (await inTransaction(pool, step)) return;
  };
  await untilDone((client) => nextDays(client, environmentId, before));
  await untilDone((client) => nextPayments(client, environmentId));
  await untilDone((client) => nextRecipients(client, environmentId, INVOICES_AT_ONCE));
  for (const mark of ['months_before', 'recipient_months_before'] as const)
    await untilDone((client) => nextMonth(client, environmentId, mark));
  await untilDone((client) => partOfDay(client, environmentId));
}

/**
 * Computes the sums by type and recipient of the next days that have sums, of so many invoices and at least of one day, in one transaction.
 * Returns whether none is left.
 */
export function computeNextRecipients(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  invoices: number = INVOICES_AT_ONCE,
): Promise<boolean> {
  return inTransaction(pool, (client) => nextRecipients(client, environmentId, invoices));
}

/** Sums the invoices of an environment that are out of force by now, and no longer those in force again. */
export async function deductOutOfForceOf(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  signal?: AbortSignal,
): Promise<void> {
  const deduct = async (client: Queryable) => {
    await lockDays(client, environmentId);
    return deductNext(client, environmentId, DEDUCTED_AT_ONCE);
  };
  while (!signal?.aborted) if ((await inTransaction(pool, deduct)) < DEDUCTED_AT_ONCE) return;
}

/** Sums the next days that are over; whether none is left. */
async function nextDays(client: Queryable, environmentId: number, before: Day | null): Promise<boolean> {
  const known = await lockDays(client, environmentId);
  const end = before ?? known?.end ?? null;
  if (known === null || known.first === null || end === null) return true;
  const { from, until, isLast } = nextPart(known.first, known.before, end);
  const position = isLast ? known.position : null;
  if (until >= from) await writeDays(client, environmentId, { from, before: until, position });
  return isLast;
}

/** Sums what is paid and due of the next days that have sums; whether none is left. */
async function nextPayments(client: Queryable, environmentId: number): Promise<boolean> {
  const known = await lockDays(client, environmentId);
  if (known === null || known.first === null || known.before === null) return true;
  const { from, until, isLast } = nextPart(known.first, known.paymentsBefore, known.before);
  if (until >= from) await writePaymentsOfDays(client, environmentId, { from, before: until });
  return isLast;
}

/** Sums by type and recipient the next days that have sums; whether none is left. */
async function nextRecipients(client: Queryable, environmentId: number, invoices: number): Promise<boolean> {
  const known = await lockDays(client, environmentId);
  if (known === null || known.first === null || known.before === null) return true;
  const { from, until, isLast } = nextPart(known.first, known.recipientsBefore, known.before);
  if (until < from) return isLast;
  const full = await dayAfterInvoices(client, environmentId, { from, invoices });
  const before = full !== null && full < until ? full : until;
  await writeRecipientsOfDays(client, environmentId, { from, before });
  await writeRecipientPaymentsOfDays(client, environmentId, { from, before });
  return isLast && before === until;
}

/** Sums the next month that has sums of days, or the current one as far as it has; whether none is left. */
async function nextMonth(client: Queryable, environmentId: number, mark: MonthsMark): Promise<boolean> {
  const known = await lockDays(client, environmentId);
  if (known === null || known.first === null) return true;
  const [done, end] = endsOf(known, mark);
  const from = done ?? known.first;
  if (end === null || from >= end) return true;
  const month = firstOfMonth(from);
  const next = firstOfMonth(plusDays(month, 31));
  const before = next < end ? next : end;
  await writeMonth(client, environmentId, { mark, month, before });
  return before === end;
}

const endsOf = (known: DayTotalsState, mark: MonthsMark): [months: Day | null, days: Day | null] =>
  mark === 'months_before'
    ? [known.monthsBefore, known.before]
    : [known.recipientMonthsBefore, known.recipientsBefore];

/** Sums what was issued so far of the day after those that have sums; always done. */
async function partOfDay(client: Queryable, environmentId: number): Promise<boolean> {
  const known = await lockDays(client, environmentId);
  if (known === null || known.before === null || known.until === null) return true;
  const { before, until } = known;
  // Sums may reach further, where everything before a day is known to be issued.
  if (before !== known.end || until < startOfMadridDay(before)) return true;
  await writePartOfDay(client, environmentId, { before, until });
  if (known.recipientsBefore === before)
    await writeRecipientsOfPart(client, environmentId, { before, until });
  return true;
}

function nextPart(first: Day, known: Day | null, end: Day) {
  const from = known !== null && known > first ? known : first;
  const lastDay = plusDays(from, DAYS_AT_ONCE);
  const isLast = lastDay >= end;
  return { from, until: isLast ? end : lastDay, isLast };
}

/** Adds what was noted of payments and corrections since the last time to the sums of an environment's days. */
export async function addPaymentChangesOf({ pool }: Pick<Db, 'pool'>, environmentId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockDays(client, environmentId);
    await addPaymentChanges(client, environmentId);
  });
}

/**
 * Marks days to be summed again from the first day of the invoices that a transaction stores, which must have
 * locked the environment as an import does.
 */
export const reopenDaysFrom = reopenDays;
