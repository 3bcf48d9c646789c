import type pg from 'pg';
import { z } from 'zod';
import { RecordKind, type RegistrationStatus } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRows } from '../../ground/db/rows.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import type { NewEntry } from '../../ground/journal/append.ts';
import { receiptHash } from '../../ground/journal/content.ts';
import { type Correction, type SettledState, settledEntry } from '../chain/settled-entry.ts';
import { type RecordOutcome, SUBMISSION_OUTCOMES, type SubmissionOutcome } from './outcome.ts';
import type { ChainKey } from './shapes.ts';
import { type Claim, LEASE, WAITING } from './store/dispatch.ts';
import { listByDecisive } from './store/listed.ts';
import { SETTLED_COLUMNS, stateRow } from './store/settled.ts';

/**
 * Statements on records' states and on submissions, private to registration. Submissions have the database's time:
 * they are compared with those of other workers, and with the agency's wait.
 */

const waitingRow = z.object({
  id: z.string(),
  position: column.whole,
  kind: z.enum(RecordKind),
  fingerprint: z.string(),
  generatedAt: column.instant,
  xml: z.string(),
  invoiceId: z.string(),
  attempts: column.whole,
  late: z.boolean(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  submissionId: z.string().nullable(),
  /** Of its last submission; null with a submission means that the worker died before it stored one. */
  submissionOutcome: z.enum(SUBMISSION_OUTCOMES).nullable(),
  /** The trace context of its issue. */
  traceParent: z.string().nullable(),
});

const invoiceRow = z.object({
  id: z.string(),
  number: z.string(),
  issuedOn: column.day,
  operationOn: column.day.nullable(),
});

type InvoiceFacts = Readonly<Omit<z.output<typeof invoiceRow>, 'id'>>;

/** A record that waits for the agency, with its last submission. */
export type WaitingRecord = Readonly<z.output<typeof waitingRow>> & InvoiceFacts;

/** An envelope that is about to be sent. */
export type NewSubmission = {
  readonly id: string;
  readonly records: readonly WaitingRecord[];
  /** Those of the records that are sent late. */
  readonly lateIds: readonly string[];
  readonly incident: boolean;
  readonly startedAt: Date;
};

/** The records that wait, in the order of the chain, oldest first. */
export async function waitingRecords(
  pool: Queryable,
  chain: ChainKey,
  limit: number,
): Promise<WaitingRecord[]> {
  const rows = await readRows(
    pool,
    waitingRow,
    `select record.id, record.position, record.kind, record.fingerprint, record.generated_at as "generatedAt",
            record.xml, record.invoice_id as "invoiceId", state.attempts, state.late,
            state.error_code as "errorCode", state.error_message as "errorMessage",
            state.submission_id as "submissionId", submission.outcome as "submissionOutcome",
            state.trace_parent as "traceParent"
       from record_state state
       join registration_record record
         on (record.environment_id, record.id) = (state.environment_id, state.record_id)
       left join submission
         on (submission.environment_id, submission.id) = (state.environment_id, state.submission_id)
      where state.chain_id = $2 and state.environment_id = $1 and ${WAITING}
      order by state.position limit $3`,
    [chain.environmentId, chain.chainId, limit],
  );
  const invoiceIds = rows.map((row) => row.invoiceId);
  const invoices = await invoiceFacts(pool, chain.environmentId, [...new Set(invoiceIds)]);
  return rows.map((row) => ({ ...row, ...invoices.get(row.invoiceId)! }));
}

/** Queried separately: in a join, on new tables, Postgres may scan them once for each record. */
async function invoiceFacts(
  pool: Queryable,
  environmentId: number,
  ids: readonly string[],
): Promise<Map<string, InvoiceFacts>> {
  const rows = await readRows(
    pool,
    invoiceRow,
    `select id, number, issued_on::text as "issuedOn",
            coalesce(operation_on, rectified_operation_on)::text as "operationOn"
       from invoice where environment_id = $1 and id = any($2)`,
    [environmentId, ids],
  );
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/**
 * Records that the records are about to be sent in a submission; false, and nothing is stored, when another worker
 * has taken the lease or one of the records no longer waits. Committed before anything is sent, so that a crash
 * leaves a trace: the next worker cannot know when the agency received it, and therefore counts its wait from the
 * end of the lease.
 */
export function openSubmission(pool: pg.Pool, claim: Claim, submission: NewSubmission): Promise<boolean> {
  const { environmentId, chainId, leaseToken } = claim;
  const { records } = submission;
  const ids = records.map(({ id }) => id);
  return inTransaction(pool, async (client) => {
    const waiting = await execute(
      client,
      `select record_id from record_state where environment_id = $1 and record_id = any($2) and ${WAITING} for update`,
      [environmentId, ids],
    );
    if (waiting !== ids.length) return false;
    const held = await execute(
      client,
      `update chain_dispatch set lease_until = ${LEASE}, next_send_at = seconds_after(${LEASE}, wait_seconds)
        where environment_id = $1 and chain_id = $2 and lease_token = $3`,
      [environmentId, chainId, leaseToken],
    );
    if (held !== 1) return false;
    await execute(
      client,
      `insert into submission (id, environment_id, chain_id, first_position, last_position, record_count, incident, started_at)
       values ($1, $2, $3, $4, $5, $6, $7, now())`,
      [
        ...[submission.id, environmentId, chainId, records[0]?.position, records.at(-1)?.position],
        ...[records.length, submission.incident],
      ],
    );
    await execute(
      client,
      `update record_state set submission_id = $3, attempts = attempts + 1, late = late or record_id = any($4)
        where environment_id = $1 and record_id = any($2)`,
      [environmentId, ids, submission.id, submission.lateIds],
    );
    return true;
  });
}

/** The agency's answer as stored: unchanged, except for characters that Postgres cannot store. */
export function answerToStore(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD');
}

/** Stores the end of a submission; `answer` is the result of `answerToStore`. */
export async function closeSubmission(
  client: Queryable,
  environmentId: number,
  submission: {
    readonly id: string;
    readonly outcome: SubmissionOutcome;
    readonly faultCode: string | null;
    readonly message: string | null;
    readonly receipt: string | null;
    readonly waitSeconds: number | null;
    readonly answer: string | null;
  },
): Promise<void> {
  await execute(
    client,
    `update submission set finished_at = now(), outcome = $3, fault_code = $4, message = $5, receipt = $6,
            wait_seconds = $7, answer = $8
      where environment_id = $1 and id = $2`,
    [
      environmentId,
      submission.id,
      submission.outcome,
      submission.faultCode,
      submission.message,
      submission.receipt,
      submission.waitSeconds,
      submission.answer,
    ],
  );
}

/** Closes submissions whose worker died before it could. */
export async function closeAbandoned(
  pool: Queryable,
  environmentId: number,
  submissionIds: readonly string[],
): Promise<void> {
  const outcome: SubmissionOutcome = 'unknown';
  await execute(
    pool,
    `update submission set finished_at = now(), outcome = '${outcome}', message = 'abandoned: its worker ended first'
      where environment_id = $1 and id = any($2) and finished_at is null`,
    [environmentId, submissionIds],
  );
}

/** The result for one record, as it was last sent. */
export type RecordChange = RecordOutcome & {
  readonly id: string;
  readonly invoiceId: string;
  readonly submissionId: string | null;
};

/** Looked up for refused records alone: what was to be corrected by them. */
const REFUSED_CORRECTION = `case when settled.status = 'rejected' then (
  select case when record.kind = 'cancellation' then 'void'
              when exists (select 1 from invoice_amendment amendment
                where amendment.environment_id = $1 and amendment.record_id = record.id) then 'amendment' end
    from registration_record record where record.environment_id = $1 and record.id = settled.record_id) end`;

const settledRow = stateRow.extend({
  unlisted: z.boolean(),
  corrects: z.enum(['amendment', 'void']).nullable(),
});

type RecordOutcomes = {
  readonly changes: readonly RecordChange[];
  /** Stored with the records that the agency accepted, from its answer (`answerToStore`). */
  readonly receipt: string | null;
  readonly answer: string | null;
  readonly now: Date;
};

/** What a change says of the row of a state. */
function stateColumns({ id, status, code, message, submissionId }: RecordChange) {
  return { record_id: id, status, error_code: code, error_message: message, submission_id: submissionId };
}

/**
 * Stores the results of records, in one statement whatever their number. A record that has changed meanwhile, to
 * another submission or out of `pending`, is ignored. Returns the journal entries of those that are settled now,
 * which must be appended last in the same transaction.
 */
export async function storeOutcomes(
  client: Queryable,
  environmentId: number,
  { changes, receipt, answer, now }: RecordOutcomes,
): Promise<NewEntry[]> {
  if (changes.length === 0) return [];
  const accepted: RegistrationStatus[] = ['registered', 'registered_with_errors'];
  const rows = await readRows(
    client,
    settledRow,
    `with settled as (
       update record_state state
          set status = change.status, error_code = change.error_code, error_message = change.error_message,
              receipt = case when change.status = any($3::registration_status[]) then $4 end,
              settled_at = case when change.status <> 'pending' then $5::timestamptz end
         from json_populate_recordset(null::record_state, $2) as change
        where state.environment_id = $1 and state.record_id = change.record_id
          and state.status = 'pending' and state.submission_id = change.submission_id
       returning ${SETTLED_COLUMNS}, state.listed_at is null as unlisted
     )
     select settled.*, ${REFUSED_CORRECTION} as corrects from settled`,
    [environmentId, JSON.stringify(changes.map(stateColumns)), accepted, receipt, now],
  );
  const settled = new Map<string, SettledState & { readonly corrects: Correction | null }>();
  const decisive = new Set<string>();
  for (const { status, settled_at, unlisted, ...state } of rows) {
    if (status === 'pending' || settled_at === null) continue;
    settled.set(state.record_id, { ...state, status, settled_at });
    if (unlisted && accepted.includes(status)) decisive.add(state.record_id);
  }
  const invoiceIds = changes.flatMap(({ id, invoiceId }) => (decisive.has(id) ? [invoiceId] : []));
  if (invoiceIds.length > 0) await listByDecisive(client, environmentId, invoiceIds);
  const answered = receipt === null ? null : receiptHash({ answer, receipt });
  // In the order of the chain, whatever the order of the returned rows.
  return changes.flatMap(({ id, invoiceId }) => {
    const state = settled.get(id);
    if (state === undefined) return [];
    const { corrects, ...own } = state;
    return settledEntry({ environmentId, invoiceId, corrects }, own, own.receipt === null ? null : answered);
  });
}

/** A record as it was last sent. */
export type SentRecord = Pick<RecordChange, 'id' | 'submissionId'>;

/**
 * Removes the last submission of pending records, so that they are resent without further queries. One that has
 * been resent meanwhile is ignored.
 */
export async function clearSubmission(
  client: Queryable,
  environmentId: number,
  records: readonly SentRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await execute(
    client,
    `update record_state state set submission_id = null, error_code = null, error_message = null
       from jsonb_to_recordset($2::jsonb) as absent (id text, "submissionId" text)
      where state.environment_id = $1 and state.record_id = absent.id
        and state.status = 'pending' and state.submission_id = absent."submissionId"`,
    [environmentId, JSON.stringify(records.map(({ id, submissionId }) => ({ id, submissionId })))],
  );
}

/** Marks the records of a failed submission as late: their next envelope will state an incident. */
export async function markLate(
  client: Queryable,
  environmentId: number,
  recordIds: readonly string[],
): Promise<void> {
  await execute(
    client,
    `update record_state set late = true
      where environment_id = $1 and record_id = any($2) and status = 'pending' and not late`,
    [environmentId, recordIds],
  );
}

/**
 * Parks one record: it stays pending, is not sent, and waits for an operator. The suspicion against the other
 * records of its envelope ends.
 */
export async function parkRecord(
  client: Queryable,
  chain: ChainKey,
  recordId: string,
  reason: string,
): Promise<void> {
  await execute(
    client,
    'update record_state set parked_reason = $3 where environment_id = $1 and record_id = $2',
    [chain.environmentId, recordId, reason],
  );
  const outcome: SubmissionOutcome = 'content_fault';
  await execute(
    client,
    `update record_state state set submission_id = null from submission
      where state.environment_id = $1 and state.chain_id = $2 and ${WAITING}
        and (submission.environment_id, submission.id) = (state.environment_id, state.submission_id)
        and submission.outcome = '${outcome}'`,
    [chain.environmentId, chain.chainId],
  );
}

/** How many records were parked since an envelope of the chain was last accepted. */
export async function countConsecutiveParked(client: Queryable, chain: ChainKey): Promise<number> {
  const through: SubmissionOutcome = 'processed';
  const { parked } = await readOneRow(
    client,
    z.object({ parked: column.whole }),
    `select count(*)::int as parked
       from record_state state
       join submission on (submission.environment_id, submission.id) = (state.environment_id, state.submission_id)
      where state.environment_id = $1 and state.chain_id = $2
        and status = 'pending' and parked_reason is not null
        and submission.started_at > coalesce((select max(started_at) from submission
              where environment_id = $1 and chain_id = $2 and outcome = '${through}'), '-infinity')`,
    [chain.environmentId, chain.chainId],
  );
  return parked;
}
