import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { RateLimits } from '../accounts/entry/rate-limit.ts';
import { lockUnpaid } from '../payments/accounts.ts';
import { EMAIL_LIMITS } from './limits.ts';
import type { Mailer } from './mailer.ts';
import { newEmail, queueEmail } from './queue.ts';
import { readInvoiceToSend } from './store/emails.ts';
import { type DueReminder, readDueReminders } from './store/reminders.ts';
import { readSettings } from './store/settings.ts';

/**
 * Reminders that are queued in one round of the job. The payment accounts of their invoices are locked for a fraction of
 * a second, so a concurrent payment hardly waits.
 */
const REMINDERS_AT_ONCE = 100;

/** Reminders are sent during the day only, from nine in the morning on. */
const HOURS = [9, 20] as const;

type Reminding = {
  readonly db: Pick<Db, 'pool'>;
  readonly mailer: Mailer | null;
  readonly rateLimits: Pick<RateLimits, 'takeEmails'>;
};

/** The requester of a reminder is the schedule. */
const BY = 'reminder_schedule';

/**
 * Queues the reminders that are due, each exactly once, with the job that sends them: of each invoice only the latest
 * of its schedule. The invoice's account is locked meanwhile, so that a concurrent payment either comes after the
 * reminder or prevents it. Without `environmentId` it processes all environments where it is daytime. Those of a test
 * environment count towards its messages of an hour, and wait for the next one beyond them. Returns how many.
 */
export async function remindOverdue(
  { db, mailer, rateLimits }: Reminding,
  environmentId: number | null,
  signal?: AbortSignal,
): Promise<number> {
  if (mailer === null) return 0;
  let queued = 0;
  const spent: number[] = [];
  while (signal?.aborted !== true) {
    const due = await readDueReminders(db.pool, {
      ...{ now: clock.now(), environmentId, hours: HOURS, except: spent },
      ...{ lateDays: EMAIL_LIMITS.reminderLate.value, max: REMINDERS_AT_ONCE },
    });
    let own = 0;
    for (const [environment, reminders] of Map.groupBy(due, (reminder) => reminder.environmentId)) {
      const allowed = await withinLimit(rateLimits, reminders);
      if (allowed.length < reminders.length) spent.push(environment);
      own += await inTransaction(db.pool, (client) => remind(client, mailer, environment, allowed));
    }
    queued += own;
    // If none was inserted, the rest was paid or reminded of by another process meanwhile.
    if (own === 0 && due.every((reminder) => !spent.includes(reminder.environmentId))) break;
    if (due.length === 0) break;
  }
  return queued;
}

/** The reminders of one environment that it may still send: of a live one all of them. */
async function withinLimit(
  rateLimits: Reminding['rateLimits'],
  due: readonly DueReminder[],
): Promise<readonly DueReminder[]> {
  for (const [index, reminder] of due.entries()) {
    if (reminder.environment === 'live') continue;
    if ((await rateLimits.takeEmails(reminder, 1)) !== null) return due.slice(0, index);
  }
  return due;
}

async function remind(
  client: Queryable,
  mailer: Mailer,
  environmentId: number,
  due: readonly DueReminder[],
): Promise<number> {
  const unpaid = await lockUnpaid(
    client,
    environmentId,
    due.map(({ rootId }) => rootId),
  );
  const { reminderLanguage, reminderMessage: message, copyTo } = await readSettings(client, environmentId);
  let queued = 0;
  for (const { invoiceId, days } of due) {
    if (!unpaid.has(invoiceId)) continue;
    const invoice = await readInvoiceToSend(client, environmentId, invoiceId);
    if (invoice === null || invoice.recipientEmail === null) continue;
    const email = newEmail(mailer, {
      ...{ invoiceId, kind: 'reminder', reminder: days, by: BY, copyTo, message, formats: [] },
      ...{ recipients: [invoice.recipientEmail], language: reminderLanguage ?? invoice.language },
    });
    if (await queueEmail(client, environmentId, email)) queued += 1;
  }
  return queued;
}
