import type { Db } from '../../ground/db/client.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { inSpan } from '../../ground/lib/tracing.ts';
import { AnswerReader } from './aeat/answer.ts';
import { ENVELOPE_LIMIT, registrationEnvelope } from './aeat/envelope.ts';
import {
  postpone,
  type RegistrationServices,
  releaseLease,
  storeFailure,
  storeProcessed,
} from './conclude.ts';
import { isLate } from './pace.ts';
import { isUnconfirmed, reconcileUnconfirmed } from './reconcile.ts';
import type { ChainKey } from './shapes.ts';
import { type Claim, claimChain, newLeaseToken, nextAttemptAt, waitSinceOthers } from './store/dispatch.ts';
import { type NewSubmission, openSubmission, type WaitingRecord, waitingRecords } from './store.ts';

/** When the chain has to be processed again, or null when nothing of it waits for a time. */
export type Submitted = { readonly nextWakeAt: Date | null };

/**
 * Sends a chain's oldest waiting records to the agency, in order and as they were sealed, in one envelope, and
 * stores the results. Of concurrent calls one sends; the others return at once. Failures of the agency are stored,
 * never thrown, and no database transaction is open while a message is under way. After a crash at any point the next call
 * first queries the agency for what it has. `signal` makes it stop waiting for an answer.
 */
export async function submitChain(
  services: RegistrationServices & { readonly db: Pick<Db, 'lineage'> },
  chain: ChainKey,
  signal?: AbortSignal,
): Promise<Submitted> {
  const { pool, lineage } = services.db;
  const claim = await claimChain(pool, chain, newLeaseToken(lineage.processId));
  if (claim !== null) await work(services, claim, signal);
  // Checked after the release: callers that found the chain busy rely on their records being seen here.
  return { nextWakeAt: await nextAttemptAt(pool, chain) };
}

async function work(services: RegistrationServices, claim: Claim, signal?: AbortSignal): Promise<void> {
  const { pool } = services.db;
  let { early } = claim;
  let waiting = await waitingRecords(pool, claim, ENVELOPE_LIMIT);
  const hasUnconfirmed = waiting.some(isUnconfirmed);
  if (hasUnconfirmed) {
    const { failure, absent } = await reconcileUnconfirmed(services, claim, waiting, signal);
    if (failure !== null) return postpone(services, claim, failure);
    if (early && absent.length > 0) early = !(await waitSinceOthers(pool, claim, absent));
    waiting = await waitingRecords(pool, claim, ENVELOPE_LIMIT);
  }
  // The query may have settled all of them, and the rest may have to wait.
  if (waiting.length === 0 || (early && waiting.length < ENVELOPE_LIMIT)) {
    // An agency that has answered the query is available.
    return releaseLease(services, claim, hasUnconfirmed ? 0 : claim.consecutiveFailures);
  }
  const records = waiting.slice(0, envelopeSize(waiting));
  const attributes = {
    'lacre.environment_id': claim.environmentId,
    'lacre.chain_id': claim.chainId,
    'lacre.records': records.length,
  };
  return inSpan('send envelope', { attributes }, () => send(services, claim, records, signal));
}

/**
 * As many as the schema allows; but while a rejected envelope contains an invalid record, half of those under
 * suspicion, down to one.
 */
function envelopeSize(waiting: readonly WaitingRecord[]): number {
  const first = waiting[0];
  if (first?.submissionOutcome !== 'content_fault') return waiting.length;
  const slowLane = waiting.filter((record) => record.submissionId === first.submissionId).length;
  return Math.ceil(slowLane / 2);
}

async function send(
  services: RegistrationServices,
  claim: Claim,
  records: readonly WaitingRecord[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const startedAt = clock.now();
  const late = records.filter(
    (record) => record.late || isLate(record.generatedAt, startedAt, claim.waitSeconds),
  );
  const submission: NewSubmission = {
    id: newId('sub'),
    records,
    lateIds: late.map((record) => record.id),
    incident: late.length > 0,
    startedAt,
  };
  if (!(await openSubmission(services.db.pool, claim, submission))) {
    return releaseLease(services, claim, claim.consecutiveFailures);
  }
  const xml = records.map((record) => record.xml);
  const envelope = registrationEnvelope(claim.issuer, xml, submission.incident, claim.lastDay);
  const reader = new AnswerReader();
  const reading = { write: (chunk: Uint8Array) => reader.write(chunk), keepsText: true };
  const result = await services.agency.post(envelope, signal, reading);
  const answer = result.kind === 'answer' ? reader.close() : null;
  return answer?.kind === 'processed'
    ? storeProcessed(services, claim, submission, answer, result)
    : storeFailure(services, claim, submission, answer, result);
}
