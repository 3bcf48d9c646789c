import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { append } from '../../ground/journal/append.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { Answer, Processed } from './aeat/answer.ts';
import type { MessageResult } from './aeat/message-result.ts';
import type { AgencyClient } from './aeat/transport.ts';
import { AGENCY_LIMITS } from './limits.ts';
import { countSubmission } from './metrics.ts';
import { evaluateAnswer, matchLines, outcomeOf, type SubmissionOutcome } from './outcome.ts';
import { secondsToNextSend } from './pace.ts';
import type { QueryFailure } from './reconcile.ts';
import { type Claim, noteEndTold, type Release, releaseChain } from './store/dispatch.ts';
import {
  answerToStore,
  closeSubmission,
  countConsecutiveParked,
  markLate,
  type NewSubmission,
  parkRecord,
  type RecordChange,
  storeOutcomes,
} from './store.ts';

/** The dependencies of registering; `agency` is the client of the agency for live chains. */
export type RegistrationServices = {
  readonly db: Pick<Db, 'pool'>;
  readonly log: Logger;
  readonly agency: AgencyClient;
};

/** This many records parked in a row, with nothing accepted in between, indicate a cause outside the records. */
const PARKED_IN_A_ROW = 3;

/** The agency has answered record by record: one transaction stores everything and releases the chain. */
export async function storeProcessed(
  services: RegistrationServices,
  claim: Claim,
  submission: NewSubmission,
  answer: Processed,
  result: MessageResult,
): Promise<void> {
  const now = clock.now();
  const { lines, unmatched } = matchLines(submission.records, answer.records);
  const changes: RecordChange[] = [];
  for (const [record, line] of lines) {
    // Includes the current attempt: it was added to the stored attempts when it was recorded.
    const recordOutcome = evaluateAnswer(line, { kind: record.kind, attempts: record.attempts + 1 });
    changes.push({
      ...recordOutcome,
      id: record.id,
      invoiceId: record.invoiceId,
      submissionId: submission.id,
    });
  }
  const unanswered = submission.records.length - lines.size;
  const outcome: SubmissionOutcome = unanswered === 0 ? 'processed' : 'incomplete';
  const waitSeconds = answer.waitSeconds ?? claim.waitSeconds;
  const consecutiveFailures = outcome === 'processed' ? 0 : claim.consecutiveFailures + 1;
  const text = textOf(result);
  await inTransaction(services.db.pool, async (client) => {
    const { receipt } = answer;
    const settled = await storeOutcomes(client, claim.environmentId, { changes, receipt, answer: text, now });
    await closeSubmission(client, claim.environmentId, {
      id: submission.id,
      outcome,
      faultCode: null,
      message: null,
      receipt: answer.receipt,
      waitSeconds: answer.waitSeconds,
      answer: text,
    });
    const delaySeconds = secondsToNextSend(waitSeconds, consecutiveFailures);
    const release = { waitSeconds, delaySeconds, consecutiveFailures, stoppedReason: null, now };
    await releaseChain(client, claim, release);
    await append(client, settled);
    if (claim.lastDay !== null) await noteEndTold(client, claim, now);
  });
  countSubmission(submission, outcome, new Map(changes.map(({ id, status }) => [id, status])));
  const counts = countBy(changes.map((change) => change.status));
  const facts = { ...factsOf(claim, submission, outcome, now), ...counts, unanswered, unmatched };
  if (unanswered + unmatched === 0) services.log.info(facts, 'the agency has answered');
  else services.log.error(facts, 'the agency has answered for other records than were sent');
}

/** The whole envelope failed: none of its records is known to be registered. */
export async function storeFailure(
  services: RegistrationServices,
  claim: Claim,
  submission: NewSubmission,
  answer: Exclude<Answer, Processed> | null,
  result: MessageResult,
): Promise<void> {
  const now = clock.now();
  const outcome = outcomeOf(result, answer);
  const code = answer?.kind === 'fault' ? answer.code : null;
  const message = messageOf(result, answer);
  const ids = submission.records.map((record) => record.id);
  let release = failing(claim, outcome, stopReason(outcome, code, message));
  await inTransaction(services.db.pool, async (client) => {
    await closeSubmission(client, claim.environmentId, {
      id: submission.id,
      outcome,
      faultCode: code,
      message,
      receipt: null,
      waitSeconds: null,
      answer: textOf(result)?.slice(0, AGENCY_LIMITS.uselessAnswer.value) ?? null,
    });
    if (outcome !== 'content_fault') await markLate(client, claim.environmentId, ids);
    else if (ids.length === 1) {
      await parkRecord(client, claim, ids[0]!, `${code}: ${message}`);
      const parked = await countConsecutiveParked(client, claim);
      if (parked >= PARKED_IN_A_ROW) {
        release = failing(claim, outcome, `${code}: ${parked} records parked in a row: ${message}`);
      }
    }
    await releaseChain(client, claim, release);
  });
  countSubmission(submission, outcome, new Map());
  report(services.log, factsOf(claim, submission, outcome, now), { code, message }, release);
}

/** The agency could not be queried for what it has, so nothing may be sent either. */
export async function postpone(
  services: RegistrationServices,
  claim: Claim,
  failure: QueryFailure,
): Promise<void> {
  if (failure === 'lease_lost') return;
  const { outcome, code, message } = failure;
  const release = failing(claim, outcome, stopReason(outcome, code, message));
  await releaseChain(services.db.pool, claim, release);
  const facts = { environmentId: claim.environmentId, chainId: claim.chainId, outcome };
  report(services.log, facts, failure, release);
}

/** Nothing was sent, so the time at which the chain may send is unchanged. */
export async function releaseLease(
  services: RegistrationServices,
  claim: Claim,
  consecutiveFailures: number,
): Promise<void> {
  const { waitSeconds } = claim;
  const release = {
    waitSeconds,
    delaySeconds: null,
    consecutiveFailures,
    stoppedReason: null,
    now: clock.now(),
  };
  await releaseChain(services.db.pool, claim, release);
}

function failing(claim: Claim, outcome: SubmissionOutcome, stoppedReason: string | null): Release {
  const { waitSeconds } = claim;
  const consecutiveFailures = claim.consecutiveFailures + 1;
  // Each envelope narrows the search for the invalid record: only the agency's wait delays it.
  const delaySeconds = secondsToNextSend(waitSeconds, outcome === 'content_fault' ? 0 : consecutiveFailures);
  return { waitSeconds, delaySeconds, consecutiveFailures, stoppedReason, now: clock.now() };
}

/** Why the chain must not continue automatically, as a text for an operator; null when it may. */
function stopReason(outcome: SubmissionOutcome, code: string | null, message: string): string | null {
  return outcome === 'issuer_fault' || outcome === 'suspended' ? `${code ?? 'fault'}: ${message}` : null;
}

function messageOf(result: MessageResult, answer: Exclude<Answer, Processed> | null): string {
  if (result.kind !== 'answer') return result.reason;
  return answer?.kind === 'fault' ? answer.message : `HTTP ${result.status}, ${answer?.reason}`;
}

function textOf(result: MessageResult): string | null {
  return result.kind === 'answer' ? answerToStore(result.text) : null;
}

function factsOf(claim: Claim, submission: NewSubmission, outcome: SubmissionOutcome, now: Date) {
  return {
    environmentId: claim.environmentId,
    chainId: claim.chainId,
    submissionId: submission.id,
    records: submission.records.length,
    incident: submission.incident,
    outcome,
    milliseconds: now.getTime() - submission.startedAt.getTime(),
  };
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/**
 * Outcomes with a message of the agency. It may name a taxpayer, so it is stored with the submission and not
 * logged.
 */
const AGENCY_OUTCOMES: readonly SubmissionOutcome[] = [
  'content_fault',
  'issuer_fault',
  'suspended',
  'technical_fault',
];

/** A stopped chain needs an operator; other failures are temporary. */
function report(
  log: Logger,
  facts: { outcome: SubmissionOutcome },
  cause: { code: string | null; message: string },
  release: Release,
): void {
  const reason = AGENCY_OUTCOMES.includes(facts.outcome) ? {} : { reason: cause.message };
  const logged = { ...facts, faultCode: cause.code, ...reason };
  if (release.stoppedReason !== null) log.error(logged, 'sending to the agency has stopped');
  else log.warn({ ...logged, retryInSeconds: release.delaySeconds }, 'sending to the agency failed');
}
