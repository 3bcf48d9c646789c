import type { RegistrationStatus } from '../../../generated/prisma/enums.ts';
import { agencyDate, type Day } from '../../ground/lib/calendar.ts';
import type { Answer, AnsweredRecord } from './aeat/answer.ts';
import type { MessageResult } from './aeat/message-result.ts';
import type { AgencyRecord, AgencyRecordState, QueryAnswer } from './aeat/query.ts';

/**
 * The outcome of an envelope, stored with its submission. The records of one that is `unknown`, `unreadable` or
 * `incomplete`, or that has no outcome because its worker died, may or may not be registered: the agency is queried
 * first.
 */
export const SUBMISSION_OUTCOMES = [
  /** The agency answered for each record. */
  'processed',
  /** It answered, but not for each record. */
  'incomplete',
  /** One invalid record makes the agency reject the envelope: it is searched for and parked. */
  'content_fault',
  /** The issuer is unknown to the agency, or has given no mandate: its chain stops until someone acts. */
  'issuer_fault',
  /** Our access is suspended: everything stops until someone acts. */
  'suspended',
  /** A failure at the agency, nothing stored there: the same message is sent again later. */
  'technical_fault',
  /** The message never left. */
  'not_sent',
  /** It left, and no answer came. */
  'unknown',
  /** The answer could not be read. */
  'unreadable',
] as const;

export type SubmissionOutcome = (typeof SUBMISSION_OUTCOMES)[number];

/** Outcomes after which the agency may have the records without having confirmed it. */
export const UNCONFIRMED_OUTCOMES: readonly SubmissionOutcome[] = ['incomplete', 'unknown', 'unreadable'];

/**
 * Schema violation, unparsable, a bad date, not UTF-8, too many records: the envelope's content (table of error
 * codes).
 */
const CONTENT_CODES = new Set(['4102', '4103', '4106', '4113', '4114', '4119', '4136', '4137', '4138']);

/** The issuer's NIF or name is unknown or wrong, or it has not authorized the holder of the certificate. */
const ISSUER_CODES = new Set([
  ...['4104', '4107', '4109', '4112', '4115', '4116', '4124', '4140'],
  ...['1215', '1282', '3003'],
]);

/** The agency's own failures, including those that it attributes to the client (4xxx and 35xx of its table). */
const TECHNICAL_CODES = new Set([
  ...['4108', '4110', '4111', '4118', '4128', '4134', '4139'],
  ...['3500', '3501', '3502', '3503'],
]);

/** Technical failures that the agency reports for single records. */
const TECHNICAL_RECORD_CODES = new Set(['1129', '1241', '1243', '1256', '1288']);

/** The code for suspended access, which affects every company that we send for. */
export const SUSPENSION_CODE = '4141';

/**
 * A record with a technical failure at the agency is resent unchanged this often, for some minutes in total; then
 * it counts as rejected, so that no record is sent forever and an operator sees it.
 */
export const TECHNICAL_ATTEMPTS = 10;

/** The outcome of a message that was sent, with the answer if it has a result for each record. */
export function outcomeOf(result: MessageResult, answer: Answer | QueryAnswer | null): SubmissionOutcome {
  if (result.kind !== 'answer') return result.kind;
  if (answer === null || answer.kind === 'unreadable') return 'unreadable';
  if (answer.kind !== 'fault') return 'processed';
  const code = answer.code ?? '';
  if (code === SUSPENSION_CODE) return 'suspended';
  if (CONTENT_CODES.has(code)) return 'content_fault';
  if (ISSUER_CODES.has(code)) return 'issuer_fault';
  if (answer.party === 'server' || TECHNICAL_CODES.has(code)) return 'technical_fault';
  // Other codes concern the header or are unknown. Resending the same is forbidden (service description 5.1), and
  // searching for an invalid record would park them all: an operator has to decide.
  return 'issuer_fault';
}

/** The new state of a record after the agency's answer. `error` is verbatim. */
export type RecordOutcome = {
  readonly status: RegistrationStatus;
  readonly code: string | null;
  readonly message: string | null;
};

/**
 * A pending record with this code was rejected as a duplicate: the query finds out whether the existing record is
 * ours.
 */
const DUPLICATE_CODES = { registration: '3000', cancellation: '3001' } as const;

type Kind = keyof typeof DUPLICATE_CODES;

/** Whether a record waits for the query because the agency rejected it as a duplicate. */
export function isDuplicate(record: { kind: Kind; errorCode: string | null }): boolean {
  return record.errorCode === DUPLICATE_CODES[record.kind];
}

/**
 * The state of a record after the agency's line about it (the contract's state table). A duplicate stays pending
 * with its code until the query has settled it; after a technical failure a record stays pending, a limited number
 * of times.
 */
export function evaluateAnswer(
  line: AnsweredRecord,
  record: { kind: Kind; attempts: number },
): RecordOutcome {
  const { code, message } = line;
  if (line.state === 'accepted') return { status: 'registered', code: null, message: null };
  if (line.state === 'flagged') return { status: 'registered_with_errors', code, message };
  if (code === DUPLICATE_CODES[record.kind]) return { status: 'pending', code, message };
  if (TECHNICAL_RECORD_CODES.has(code ?? '') && record.attempts < TECHNICAL_ATTEMPTS) {
    return { status: 'pending', code: null, message: null };
  }
  return { status: 'rejected', code, message };
}

/** A record that the agency was queried for, with its last answer. */
export type UnconfirmedRecord = {
  readonly kind: Kind;
  readonly fingerprint: string;
  readonly attempts: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

/** To be resent unchanged: the agency does not have it. */
const SEND_AGAIN: RecordOutcome = { status: 'pending', code: null, message: null };

/**
 * The state of a record after the query. `later` are the fingerprints of our own later records of the same invoice:
 * the agency returns only the last one that it accepted, and accepted the earlier ones before it.
 */
export function evaluateAgencyRecord(
  record: UnconfirmedRecord,
  agencyRecords: readonly AgencyRecord[],
  later: readonly string[],
): RecordOutcome {
  const own = agencyRecords.find((entry) => entry.fingerprint === record.fingerprint);
  if (own !== undefined && isEffective(record.kind, own.state)) {
    const flagged = own.state === 'flagged' || (own.state === 'cancelled' && own.code !== null);
    return flagged
      ? { status: 'registered_with_errors', code: own.code, message: own.message }
      : { status: 'registered', code: null, message: null };
  }
  if (agencyRecords.some((entry) => later.includes(entry.fingerprint))) {
    return { status: 'registered', code: null, message: null };
  }
  if (!isDuplicate(record)) return SEND_AGAIN;
  // Cancelled already, by whichever record: the intended state is reached (3001).
  if (record.kind === 'cancellation' && agencyRecords.some((entry) => entry.state === 'cancelled')) {
    return { status: 'registered', code: null, message: null };
  }
  // Rejected as a duplicate, yet not found: one of the agency's two services may lag behind the other.
  if (agencyRecords.length === 0 && record.attempts < TECHNICAL_ATTEMPTS) return SEND_AGAIN;
  return { status: 'rejected', code: record.errorCode, message: record.errorMessage };
}

/** Whether the agency's state is what the record was to achieve. */
function isEffective(kind: Kind, state: AgencyRecordState): boolean {
  return kind === 'cancellation' ? state === 'cancelled' : state !== 'cancelled';
}

/** The identification of an invoice's record in answers, and ours. */
type Sent = { readonly kind: Kind; readonly number: string; readonly issuedOn: Day };

/**
 * Matches the answer's lines with the records that were sent. One invoice may be in an envelope twice (a record and
 * its amendment): its lines are taken in order. `unmatched` counts lines without a sent record.
 */
export function matchLines<R extends Sent>(
  records: readonly R[],
  answered: readonly AnsweredRecord[],
): { lines: Map<R, AnsweredRecord>; unmatched: number } {
  const byInvoice = new Map<string, AnsweredRecord[]>();
  for (const line of answered) {
    const key = `${line.operation} ${line.issueDate} ${line.number}`;
    const lines = byInvoice.get(key);
    if (lines === undefined) byInvoice.set(key, [line]);
    else lines.push(line);
  }
  const lines = new Map<R, AnsweredRecord>();
  for (const record of records) {
    const line = byInvoice.get(`${record.kind} ${agencyDate(record.issuedOn)} ${record.number}`)?.shift();
    if (line !== undefined) lines.set(record, line);
  }
  return { lines, unmatched: answered.length - lines.size };
}
