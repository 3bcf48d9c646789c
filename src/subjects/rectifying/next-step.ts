import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { secondsToNextSend } from './store/read-dispatch.ts';

/** The agency answers within a few seconds, and its answer is stored at once. */
const ANSWER_SECONDS = 5;

/** Of a chain that is paused or stopped nobody knows, and the longest pause after failures is this (registration). */
const LONGEST_SECONDS = 15 * 60;

/**
 * `invoice_pending_at_aeat` with the time after which the agency may have answered: the next step of the environment's chains. Every other outcome
 * is as it was.
 */
export async function withNextStep<T>(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  outcome: Outcome<T>,
): Promise<Outcome<T>> {
  if (!isRefusal(outcome) || outcome.code !== 'invoice_pending_at_aeat') return outcome;
  const seconds = await secondsToNextSend(pool, environmentId);
  if (seconds === null) return outcome;
  const retryAfter = Math.min(seconds + ANSWER_SECONDS, LONGEST_SECONDS);
  return new Refusal(outcome.code, outcome.detail, { errors: outcome.errors, retryAfter });
}
