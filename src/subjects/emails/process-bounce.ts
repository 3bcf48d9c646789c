import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { WorkerTask } from '../../ground/lib/worker-task.ts';
import { applyReport } from './apply-report.ts';
import { EMAIL_LIMITS } from './limits.ts';
import { isTokenOf } from './message-token.ts';
import { countBounce } from './metrics.ts';
import type { Report, readReport } from './read-report.ts';
import { settledEntry } from './settled-entry.ts';
import type { Email } from './shapes.ts';
import { lockEmail, recordBounce } from './store/bounces.ts';
import type { BounceOutcome } from './types.ts';

/** The result of a bounce message, and the e-mail that it is about. */
export type BounceResult = { readonly outcome: BounceOutcome; readonly email: Email | null };

/** One at a time in the process, for all callers together. */
const worker = new WorkerTask<Uint8Array, Awaited<ReturnType<typeof readReport>>>(
  new URL('./read-report-worker.ts', import.meta.url),
  { withinMs: EMAIL_LIMITS.bounceTime.value, waiting: EMAIL_LIMITS.bouncesWaiting.value, heapMb: 64 },
);

/**
 * Processes a message that a mail server has sent to the return path, and records which recipients the reported
 * e-mail did not reach. Anybody can write such a message: it is accepted only if it contains the secret of the
 * e-mail, and changes only the state of that e-mail. Repeating a report changes nothing. Refuses with
 * `rate_limited` while too many others are being read.
 */
export async function processBounce(
  { db, log }: { readonly db: Pick<Db, 'pool'>; readonly log: Logger },
  message: Uint8Array,
): Promise<Outcome<BounceResult>> {
  const read = await worker.run(message.subarray(0, EMAIL_LIMITS.bounceBytes.value));
  if (read.kind === 'busy') {
    const retryAfter = Math.ceil(EMAIL_LIMITS.bounceTime.value / 1_000);
    return new Refusal('rate_limited', 'Too many reports are being read. Retry later.', { retryAfter });
  }
  const report = read.kind === 'done' ? read.output : 'unreadable';
  const result = typeof report === 'string' ? { outcome: report, email: null } : await note(db, report);
  countBounce(result.outcome);
  log.info({ outcome: result.outcome, emailId: result.email?.id }, 'a delivery report was received');
  return result;
}

async function note({ pool }: Pick<Db, 'pool'>, report: Report): Promise<BounceResult> {
  if (report.recipients.length === 0) return { outcome: 'no_failure', email: null };
  for (const mark of report.marks) {
    const result = await inTransaction(pool, async (client): Promise<BounceResult | null> => {
      const found = await lockEmail(client, mark.emailId);
      if (found === null || !isTokenOf(mark, found.messageId)) return null;
      const { environmentId, lockedAt: at, ...email } = found;
      const { outcome, hasFailed, after } = applyReport(email, report, at);
      if (after === null) return { outcome, email };
      // While another recipient waits, the last attempt for that one settles the e-mail.
      const isSettled = after.status === 'failed' && hasFailed;
      const entry = settledEntry(environmentId, email, { status: 'failed', reason: after.reason, at });
      await recordBounce(client, environmentId, email.id, after, isSettled ? entry : null);
      return { outcome, email: { ...email, ...after } };
    });
    if (result !== null) return result;
  }
  return { outcome: 'unknown_email', email: null };
}
