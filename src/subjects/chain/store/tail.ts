import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow } from '../../../ground/db/rows.ts';
import type { TraceParent } from '../../../ground/lib/tracing.ts';
import { addJobsCall, jobSpecs, type NewJob } from '../../../ground/queue/enqueue.ts';
import { type RecordRow, type Tail, tailRows } from '../tail.ts';
import { ACCEPTED } from './read-decisive.ts';
import { ACCEPTS_RECORDS, TAIL_COLUMNS, tailRow } from './read-tail.ts';

/**
 * The lock timeout of issuing for a chain, and how long a process that stopped may keep its lock; for this
 * transaction.
 */
export async function limitLockTime(db: Queryable): Promise<void> {
  await execute(db, `set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'`);
}

const lockedTail = tailRow.extend({ nif: z.string(), clock_ahead_ms: column.whole });

/**
 * Locks the row of the environment's chain until the transaction ends and returns its tail. Null while no record
 * may be added to it.
 */
export function lockChain(db: Queryable, environmentId: number): Promise<z.infer<typeof lockedTail> | null> {
  return readRow(
    db,
    lockedTail,
    `select ${TAIL_COLUMNS}, company.nif, environment.clock_ahead_ms
       from chain join environment on environment.id = chain.environment_id
       join company on company.id = environment.company_id
      where chain.environment_id = $1 and ${ACCEPTS_RECORDS} for update of chain`,
    [environmentId],
  );
}

const APPEND = {
  name: 'append-record',
  text: `
  with records as (
    insert into registration_record select * from json_populate_record(null::registration_record, $1)
  ), given as (
    select * from json_populate_record(null::registration_record, $1)
  ), decisive as (
    select 1 from given where kind = 'registration' and ($2 = 'registered' or not exists (
      select 1 from registration_record record
        join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
       where record.environment_id = given.environment_id and record.invoice_id = given.invoice_id
         and record.kind = 'registration' and ${ACCEPTED('state')}))
  ), earlier as (
    update record_state state set listed_at = null
      from given join registration_record record
        on record.environment_id = given.environment_id and record.invoice_id = given.invoice_id
     where exists (select 1 from decisive) and state.environment_id = record.environment_id
       and state.record_id = record.id and state.listed_at is not null
  ), states as (
    insert into record_state (record_id, environment_id, chain_id, position, status, settled_at, trace_parent, listed_at)
    select id, environment_id, chain_id, position, $2::registration_status,
           case when $2 <> 'pending' then generated_at end, case when $2 = 'pending' then $5::text end,
           case when exists (select 1 from decisive) then (select issued_at from invoice
             where invoice.environment_id = given.environment_id and invoice.id = given.invoice_id) end
      from given
  ), tails as (
    update chain set last_position = tail.last_position, last_record_id = tail.last_record_id,
           last_fingerprint = tail.last_fingerprint, last_generated_at = tail.last_generated_at,
           last_invoice_number = tail.last_invoice_number, last_invoice_issued_on = tail.last_invoice_issued_on
      from json_populate_recordset(null::chain, $3) as tail
     where chain.environment_id = tail.environment_id and chain.id = tail.id
  )
  select count(jobs) from ${addJobsCall('$4')} as jobs`,
};

/**
 * Writes a record with its state, moves the chain's tail to it and adds jobs. From then on lists use its state, unless the
 * agency has accepted an earlier one of the invoice (`decisiveRecord`). The chain's row must be locked.
 */
export async function writeRecord(
  db: Queryable,
  written: {
    readonly row: RecordRow;
    readonly status: string;
    readonly tail: Tail;
    readonly jobs: readonly NewJob[];
    readonly trace: TraceParent | null;
  },
): Promise<void> {
  const { row, status, tail, jobs, trace } = written;
  const tails = JSON.stringify(tailRows([tail]));
  await execute(db, APPEND, [JSON.stringify(row), status, tails, jobSpecs(jobs), trace]);
}
