import type { Db } from '../../ground/db/client.ts';
import { DatabaseTime } from '../../ground/db/database-time.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { type AmountDue, readAmountDue } from '../payments/store/read-payments.ts';
import { type Attached, attach } from './attach.ts';
import { EMAIL_LIMITS } from './limits.ts';
import { inAscii, type Mailer } from './mailer.ts';
import { composeMessage, type WriteMail } from './message.ts';
import { countAttempt, countSettled } from './metrics.ts';
import { nextAttempt } from './schedule.ts';
import { settledEntry } from './settled-entry.ts';
import type { Delivery, Email } from './shapes.ts';
import { statusCodeIn } from './smtp-response.ts';
import { lockEmail } from './store/bounces.ts';
import { type AttemptResult, beginAttempt, concludeAttempt, readWaiting } from './store/emails.ts';
import { readSettings } from './store/settings.ts';
import type { OutgoingMessage, Reply, SendResult } from './transport.ts';

/** The dependencies of delivering e-mails. */
export type Delivering = Parameters<typeof attach>[0] & {
  readonly db: Pick<Db, 'pool'>;
  readonly log: Logger;
  readonly mailer: Mailer | null;
  readonly writeMail: WriteMail;
};

/** With the database's time, which decides about attempts: processes with different clocks agree on what is due. */
type Timed = Delivering & { readonly time: DatabaseTime };

type Fault = NonNullable<Email['reason']>;

/**
 * Hands an e-mail over to the mail server, unless it is settled or not due yet. Returns when to try again; null
 * when it is settled. An attempt is recorded before anything is sent, so after a crash its outcome is known to be
 * unknown: it is repeated, with the same Message-ID, once the first attempt must be over.
 */
export async function deliverEmail(
  work: Delivering,
  environmentId: number,
  emailId: string,
): Promise<Date | null> {
  const found = await readWaiting(work.db.pool, environmentId, emailId);
  if (found === null) return null;
  const { readAt, ...email } = found;
  const time = new DatabaseTime(readAt);
  const due = dueAt(email);
  if (due > time.now()) return due;
  const { mailer } = work;
  if (mailer === null) throw new Error('this process has no mail server');
  const message = await messageOf(work, mailer, environmentId, email);
  if (typeof message === 'string') return recordFailure({ ...work, time }, environmentId, email, message);
  const attempt = email.attempts + 1;
  const begun = performance.now();
  const handedOver = await mailer.transport.handOver(message, async () => {
    // Preparing the message and connecting take a while: the invoice may be paid by now.
    if ((await amountDueOf(work, environmentId, email)) === 'no_longer_due') return false;
    return beginAttempt(work.db.pool, environmentId, emailId, { attempt, at: time.now() });
  });
  // Another process has begun the attempt, or the e-mail was settled.
  if (handedOver === null) return new Date(time.now().getTime() + EMAIL_LIMITS.emailAttempt.value);
  countAttempt(handedOver, performance.now() - begun);
  return conclude({ ...work, time }, environmentId, email, handedOver);
}

/** An attempt without a recorded result may still be running until its time limit is over. */
function dueAt({ nextAt, attemptBeganAt }: Email): Date {
  const over = attemptBeganAt === null ? 0 : attemptBeganAt.getTime() + EMAIL_LIMITS.emailAttempt.value;
  return new Date(Math.max(over, nextAt?.getTime() ?? 0));
}

/** The unpaid amount of a reminder's invoice; null for any other e-mail. */
async function amountDueOf(
  { db }: Delivering,
  environmentId: number,
  { kind, invoiceId }: Email,
): Promise<AmountDue | null | 'no_longer_due'> {
  if (kind !== 'reminder') return null;
  return (await readAmountDue(db.pool, environmentId, invoiceId)) ?? 'no_longer_due';
}

async function messageOf(
  work: Delivering,
  { from, bounces }: Mailer,
  environmentId: number,
  email: Email,
): Promise<OutgoingMessage | Fault> {
  const amountDue = await amountDueOf(work, environmentId, email);
  if (amountDue === 'no_longer_due') return amountDue;
  const settings = await readSettings(work.db.pool, environmentId);
  const attached = await attach(work, environmentId, email, {
    answered: settings.replyTo !== null,
    amountDue,
  });
  if (typeof attached === 'string') return attached;
  const { content, attachments }: Attached = attached;
  const to = email.deliveries.filter(({ status }) => status === 'queued').map(({ address }) => address);
  return composeMessage(email, {
    from,
    bounces,
    to,
    settings,
    content,
    written: work.writeMail(content),
    attachments,
  });
}

async function recordFailure(work: Timed, environmentId: number, email: Email, reason: Fault): Promise<null> {
  await inTransaction(work.db.pool, async (client) => {
    const { deliveries } = (await lockEmail(client, email.id)) ?? email;
    const noted = { deliveries, lastError: null };
    await recordOutcome(work, client, { environmentId, email, noted }, { status: 'failed', reason });
  });
  countSettled('failed');
  work.log.warn({ emailId: email.id, reason }, 'an e-mail has failed');
  return null;
}

/** Stores a server's answer, merged with what reports have recorded for the same e-mail meanwhile. */
async function conclude(
  work: Timed,
  environmentId: number,
  email: Email,
  { replies, error: lastError }: SendResult,
): Promise<Date | null> {
  const { log, time, db } = work;
  const attempt = email.attempts + 1;
  const byAddress = new Map(replies.map((reply) => [reply.address, reply]));
  const { nextAt, reason } = await inTransaction(db.pool, async (client) => {
    const now = (await lockEmail(client, email.id)) ?? email;
    const deliveries = now.deliveries.map((before) => answered(before, byAddress));
    const has = (outcome: Delivery['status']) => deliveries.some((one) => one.status === outcome);
    const next = has('queued') ? nextAttempt(attempt, time.now()) : null;
    const noted = { deliveries, lastError };
    if (next !== null) {
      const concluded: AttemptResult = {
        status: 'queued',
        ...noted,
        reason: null,
        nextAt: next,
        settledAt: null,
      };
      await concludeAttempt(client, environmentId, email.id, attempt, { concluded, entry: null });
      return { nextAt: next, reason: null };
    }
    const fault = faultOf(deliveries);
    const status = fault === null ? 'sent' : 'failed';
    await recordOutcome(work, client, { environmentId, email, noted }, { status, reason: fault });
    return { nextAt: null, reason: fault };
  });
  if (nextAt !== null) log.warn({ emailId: email.id, attempt, reason: lastError, nextAt }, 'an e-mail waits');
  else countSettled(reason === null ? 'sent' : 'failed');
  if (reason !== null) log.warn({ emailId: email.id, reason }, 'an e-mail has failed');
  return nextAt;
}

/**
 * Why an e-mail that is not retried has failed for at least one recipient; null when a server has accepted it for
 * all.
 */
function faultOf(deliveries: readonly Delivery[]): Fault | null {
  const has = (outcome: Delivery['status']) =>
    deliveries.some(({ status, copy }) => status === outcome && !copy);
  if (has('queued')) return 'gave_up';
  return (['bounced', 'refused'] as const).find(has) ?? null;
}

function answered(before: Delivery, replies: ReadonlyMap<string, Reply>): Delivery {
  const reply = before.status === 'queued' ? replies.get(inAscii(before.address)) : undefined;
  if (reply === undefined) return before;
  const { status, response } = reply;
  return { ...before, status, response, statusCode: statusCodeIn(response) };
}

/** In the caller's transaction, which has locked the e-mail. */
async function recordOutcome(
  { time }: Timed,
  client: Queryable,
  {
    environmentId,
    email,
    noted,
  }: {
    readonly environmentId: number;
    readonly email: Email;
    readonly noted: Pick<AttemptResult, 'deliveries' | 'lastError'>;
  },
  { status, reason }: { readonly status: 'sent' | 'failed'; readonly reason: Fault | null },
): Promise<void> {
  const at = time.now();
  const concluded: AttemptResult = { ...noted, status, reason, nextAt: null, settledAt: at };
  const entry = settledEntry(environmentId, email, { status, reason, at });
  await concludeAttempt(client, environmentId, email.id, email.attempts + 1, { concluded, entry });
}
