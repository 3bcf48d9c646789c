import { isDatabaseFailure } from '../../ground/db/condition/failures.ts';
import { isRefusedWrite } from '../../ground/db/condition/write-state.ts';
import { clock } from '../../ground/lib/clock.ts';
import { FairSemaphore } from '../../ground/lib/fair-semaphore.ts';
import { beginTurn, forEachConcurrent } from '../../ground/lib/turn.ts';
import { type Delivering, deliverEmail } from './deliver.ts';
import { EMAIL_LIMITS } from './limits.ts';
import { dueEmails, nextDueEmail, postponeEmail } from './store/emails.ts';

/** Read at once: enough for a turn, so that a queue of any length costs a turn the same. */
const PAGE = 32;

/** How long e-mails wait for a connection before their job lets others have its worker: the mail server may hang. */
const WAIT_MS = 1_000;

/** After a bug prevented an attempt: long enough for it not to fill the log. */
const AFTER_A_BUG_MS = 15 * 60_000;

const connections = new FairSemaphore({
  capacity: EMAIL_LIMITS.emailsAtOnce.value,
  maxWaiting: Number.POSITIVE_INFINITY,
});

/**
 * Delivers the e-mails of an environment that are due, the longest due first, for a turn. One that cannot be prepared waits,
 * and the others continue. Returns when to continue: now when the turn is over, or no connection
 * becomes free; null when nothing is queued.
 */
export async function deliverDue(
  work: Delivering,
  environmentId: number,
  signal: AbortSignal | undefined,
): Promise<Date | null> {
  const { pool } = work.db;
  const isTimeUp = beginTurn(signal);
  let isFull = false;
  const isOver = () => isFull || isTimeUp();
  for (;;) {
    let delivered = 0;
    const due = await dueEmails(pool, environmentId, PAGE);
    await forEachConcurrent(due, EMAIL_LIMITS.emailsAtOnce.value, async (emailId) => {
      if (isOver()) return;
      const deliver = async () => {
        await deliverOrPostpone(work, environmentId, emailId);
        return true;
      };
      if (await connections.withinTime(environmentId, WAIT_MS, deliver)) delivered += 1;
      else isFull = true;
    });
    if (isOver()) return clock.now();
    if (delivered === 0) return nextDueEmail(pool, environmentId);
  }
}

async function deliverOrPostpone(work: Delivering, environmentId: number, emailId: string): Promise<void> {
  // The queue retries the job; another process may have a mail server.
  if (work.mailer === null) throw new Error('this process has no mail server, and an e-mail waits');
  try {
    await deliverEmail(work, environmentId, emailId);
  } catch (error) {
    if (isDatabaseFailure(error) || isRefusedWrite(error)) throw error;
    work.log.error({ environmentId, emailId, err: error }, 'an e-mail could not be prepared, and waits');
    await postponeEmail(work.db.pool, environmentId, emailId, AFTER_A_BUG_MS);
  }
}
