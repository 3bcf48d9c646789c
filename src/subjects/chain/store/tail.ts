import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow } from '../../../ground/db/rows.ts';
import { TIME_ZONES } from '../../../ground/lib/calendar.ts';
import type { TraceParent } from '../../../ground/lib/tracing.ts';
import { enqueueUnlessWaiting, type NewJob } from '../../../ground/queue/enqueue.ts';
import { type RecordRow, type Tail, tailColumns } from '../tail.ts';
import { ACCEPTED } from './read-decisive.ts';
import { ACCEPTS_RECORDS, TAIL_COLUMNS, tailRow } from './read-tail.ts';

/**
 * The lock timeout of issuing for a chain, and how long a process that stopped may keep its lock; for this
 * transaction.
 */
export async function limitLockTime(db: Queryable): Promise<void> {
  await execute(db, `set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'`);
}

const lockedTail = tailRow.extend({
  nif: z.string(),
  clock_ahead_ms: column.whole,
  time_zone: z.enum(TIME_ZONES),
});

/**
 * Locks the row of the environment's chain until the transaction ends and returns its tail. Null while no record
 * may be added to it.
 */
export function lockChain(db: Queryable, environmentId: number): Promise<z.infer<typeof lockedTail> | null> {
  return readRow(
    db,
    lockedTail,
    `select ${TAIL_COLUMNS}, company.nif, environment.clock_ahead_ms, environment.time_zone
       from chain join environment on environment.id = chain.environment_id
       join company on company.id = environment.company_id
      where chain.environment_id = $1 and ${ACCEPTS_RECORDS} for update of chain`,
    [environmentId],
  );
}

const RECORD_COLUMNS = `id, chain_id, position, kind, invoice_id, previous_record_id, previous_fingerprint, fingerprint,
    generated_at, xml`;

const APPEND = {
  name: 'append-record',
  text: `
  with given as (
    select * from json_populate_record(null::registration_record, $2)
  ), records as (
    insert into registration_record (environment_id, ${RECORD_COLUMNS}) select $1, ${RECORD_COLUMNS} from given
  ), decisive as (
    select 1 from given where kind = 'registration' and ($3 = 'registered' or not exists (
      select 1 from registration_record record
        join record_state state on state.environment_id = $1 and state.record_id = record.id
       where record.environment_id = $1 and record.invoice_id = given.invoice_id
         and record.kind = 'registration' and ${ACCEPTED('state')}))
  ), earlier as (
    update record_state state set listed_at = null
      from given join registration_record record on record.environment_id = $1 and record.invoice_id = given.invoice_id
     where exists (select 1 from decisive) and state.environment_id = $1
       and state.record_id = record.id and state.listed_at is not null
  ), tails as (
    update chain set last_position = tail.last_position, last_record_id = tail.last_record_id,
           last_fingerprint = tail.last_fingerprint, last_generated_at = tail.last_generated_at,
           last_invoice_number = tail.last_invoice_number, last_invoice_issued_on = tail.last_invoice_issued_on
      from json_populate_record(null::chain, $4) as tail
     where chain.environment_id = $1 and chain.id = tail.id
  ), states as (
    insert into record_state (record_id, environment_id, chain_id, position, status, settled_at, trace_parent, listed_at)
    select id, $1, chain_id, position, $3::registration_status,
           case when $3 <> 'pending' then generated_at end, case when $3 = 'pending' then $5::text end,
           case when exists (select 1 from decisive) then (select issued_at from invoice
             where invoice.environment_id = $1 and invoice.id = given.invoice_id) end
      from given returning 1
  )
  select 1 from states`,
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
  for (const job of jobs) await enqueueUnlessWaiting(db, job);
  const last = JSON.stringify(tailColumns(tail));
  await execute(db, APPEND, [tail.environmentId, JSON.stringify(row), status, last, trace]);
}
