import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { append } from '../../ground/journal/append.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { type AgencyRecord, QueryReader, queryEnvelope } from './aeat/query.ts';
import type { AgencyClient } from './aeat/transport.ts';
import {
  evaluateAgencyRecord,
  isDuplicate,
  outcomeOf,
  type SubmissionOutcome,
  UNCONFIRMED_OUTCOMES,
} from './outcome.ts';
import { type Claim, renewLease } from './store/dispatch.ts';
import {
  clearSubmission,
  closeAbandoned,
  type RecordChange,
  type SentRecord,
  storeOutcomes,
  type WaitingRecord,
} from './store.ts';

/** Why the agency could not be queried; `lease_lost` when another worker has taken over. */
export type QueryFailure =
  | { readonly outcome: SubmissionOutcome; readonly code: string | null; readonly message: string }
  | 'lease_lost';

/**
 * What the agency answered about unconfirmed records: `absent` are the submissions of which it has nothing. `failure`: it
 * could not be queried, or not for all.
 */
export type Reconciled = { readonly failure: QueryFailure | null; readonly absent: readonly string[] };

/** How many records of an envelope are queried before it counts as never received. */
const PROBES = 5;

/**
 * Whether the agency may have the record without having confirmed it: sent without an answer, or rejected as a
 * duplicate.
 */
export function isUnconfirmed(record: WaitingRecord): boolean {
  if (isDuplicate(record)) return true;
  if (record.submissionId === null) return false;
  return record.submissionOutcome === null || UNCONFIRMED_OUTCOMES.includes(record.submissionOutcome);
}

/**
 * Settles the unconfirmed ones among the waiting records with the agency's query service, by number and
 * fingerprint: those that it has get their state, the others may be resent unchanged. What was found out before a
 * failure is stored.
 */
export async function reconcileUnconfirmed(
  services: { readonly db: Pick<Db, 'pool'>; readonly log: Logger; readonly agency: AgencyClient },
  claim: Claim,
  waiting: readonly WaitingRecord[],
  signal?: AbortSignal,
): Promise<Reconciled> {
  const { pool } = services.db;
  const unconfirmed = waiting.filter(isUnconfirmed);
  const abandoned = unconfirmed
    .filter((record) => record.submissionOutcome === null)
    .map((record) => record.submissionId!);
  if (abandoned.length > 0) await closeAbandoned(pool, claim.environmentId, [...new Set(abandoned)]);

  const findings: Findings = { held: [], absent: [] };
  let failure: QueryFailure | null = null;
  for (const group of bySubmission(unconfirmed)) {
    failure = await reconcileGroup({ ...services, claim, signal }, group, waiting, findings);
    if (failure !== null) break;
  }
  await inTransaction(pool, async (client) => {
    const outcomes = { changes: findings.held, receipt: null, answer: null, now: clock.now() };
    const settled = await storeOutcomes(client, claim.environmentId, outcomes);
    await clearSubmission(client, claim.environmentId, findings.absent);
    await append(client, settled);
  });
  report(services.log, claim, findings);
  const received = new Set(findings.held.map(({ submissionId }) => submissionId));
  const absent = findings.absent.map(({ submissionId }) => submissionId!);
  return { failure, absent: absent.filter((id) => !received.has(id)) };
}

type Findings = { readonly held: RecordChange[]; readonly absent: SentRecord[] };

function report(log: Logger, claim: Claim, { held, absent }: Findings): void {
  const conflicts = held.filter((change) => change.status === 'rejected').length;
  const facts = {
    environmentId: claim.environmentId,
    chainId: claim.chainId,
    held: held.length - conflicts,
    absent: absent.length,
    conflicts,
  };
  if (conflicts === 0) log.info(facts, 'the agency was queried for unconfirmed records');
  else log.error(facts, 'the agency holds other records under numbers of this service');
}

type QueryContext = {
  readonly db: Pick<Db, 'pool'>;
  readonly agency: AgencyClient;
  readonly claim: Claim;
  readonly signal: AbortSignal | undefined;
};

function bySubmission(records: readonly WaitingRecord[]): WaitingRecord[][] {
  const groups = new Map<string, WaitingRecord[]>();
  for (const record of records) {
    // A duplicate is queried individually: the others of its envelope prove nothing about it.
    const key = isDuplicate(record) ? record.id : record.submissionId!;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return [...groups.values()];
}

/**
 * An envelope is processed whole or not at all. So a few of its records are queried first: if the agency has none
 * of them, it never processed the envelope, and a thousand more queries are saved. If it has one nevertheless, that
 * one is rejected as a duplicate and then queried.
 */
async function reconcileGroup(
  context: QueryContext,
  group: readonly WaitingRecord[],
  waiting: readonly WaitingRecord[],
  findings: Findings,
): Promise<QueryFailure | null> {
  const probes = spread(group, PROBES);
  const rest = group.filter((record) => !probes.includes(record));
  let found = 0;
  for (const record of [...probes, ...rest]) {
    if (found === 0 && !probes.includes(record)) {
      findings.absent.push(...rest);
      break;
    }
    const held = await queryAgency(context, record);
    if (!Array.isArray(held)) return held;
    found += held.length;
    const outcome = evaluateAgencyRecord(record, held, laterFingerprints(record, waiting));
    if (outcome.status === 'pending') findings.absent.push(record);
    else {
      const { id, invoiceId, submissionId } = record;
      findings.held.push({ ...outcome, id, invoiceId, submissionId });
    }
  }
  return null;
}

function spread(records: readonly WaitingRecord[], count: number): WaitingRecord[] {
  if (records.length <= count) return [...records];
  const step = (records.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => records[Math.round(index * step)]!);
}

function laterFingerprints(record: WaitingRecord, waiting: readonly WaitingRecord[]): string[] {
  return waiting
    .filter((other) => other.number === record.number && other.position > record.position)
    .map((other) => other.fingerprint);
}

async function queryAgency(
  context: QueryContext,
  record: WaitingRecord,
): Promise<AgencyRecord[] | QueryFailure> {
  const { db, agency, claim, signal } = context;
  if (!(await renewLease(db.pool, claim))) return 'lease_lost';
  const reader = new QueryReader(record);
  const reading = { write: (chunk: Uint8Array) => reader.write(chunk), keepsText: true };
  const result = await agency.post(queryEnvelope(claim.issuer, record), signal, reading);
  if (result.kind !== 'answer') {
    return { outcome: result.kind, code: null, message: `query: ${result.reason}` };
  }
  const answer = reader.close();
  if (answer.kind === 'held') return [...answer.records];
  const outcome = outcomeOf(result, answer);
  if (answer.kind === 'unreadable') {
    return { outcome, code: null, message: `query: HTTP ${result.status}, ${answer.reason}` };
  }
  // A query contains no records: its errors concern the whole chain.
  const { code, message } = answer;
  return { outcome: outcome === 'content_fault' ? 'issuer_fault' : outcome, code, message };
}
