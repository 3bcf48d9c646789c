import type pg from 'pg';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { traceParent } from '../../ground/lib/tracing.ts';
import { addJobsCall, jobSpecs } from '../../ground/queue/enqueue.ts';
import { waitingFor } from './lock-wait.ts';
import type { Link, SealedRecord } from './record-xml.ts';
import { append, linkTo, lockTail, type RecordRow, type Tail, tailRows } from './tail.ts';

/** A further record of an invoice that was issued before. */
export type FurtherRecord = {
  readonly kind: RecordRow['kind'];
  readonly invoice: { readonly id: string; readonly number: string; readonly issuedOn: Day };
  readonly seal: (link: Link) => SealedRecord;
  /** `pending` is sent to the agency; the others are settled from the beginning. */
  readonly status: 'pending' | 'registered' | 'skipped';
};

/** As long as issuing waits for a chain, and lets a process that stopped in the middle hold one. */
const LIMITS = `set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'`;

/**
 * Runs `work` in one transaction that holds the environment's chain: nothing of the environment is issued, corrected,
 * voided or amended meanwhile. Refuses with `service_unavailable` while the chain is held.
 */
export async function holdingTail<T>(
  { pool, lineage }: Pick<Db, 'pool' | 'lineage'>,
  environmentId: number,
  work: (client: pg.PoolClient, tail: Tail) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let held: Tail | null = null;
  const outcome = await inTransaction<Outcome<T>>(pool, async (client) => {
    await client.query(LIMITS);
    // Before the chain is locked: a hold that was set when the server was examined is then seen.
    await lineage.checkServer(client);
    const tail = await waitingFor('chain', () => lockTail(client, environmentId));
    if (isRefusal(tail)) return tail;
    held = tail;
    return work(client, tail);
  });
  if (held !== null && !isRefusal(outcome)) acknowledgeTail(lineage, held);
  return outcome;
}

/** From here on somebody is told of the record: a server that takes over must have it. */
function acknowledgeTail({ acknowledged }: Db['lineage'], { chainId, position, fingerprint }: Tail): void {
  if (fingerprint !== null) acknowledged.record({ chainId, position, fingerprint });
}

const WRITE = `
  with records as (
    insert into registration_record select * from json_populate_record(null::registration_record, $1)
  ), states as (
    insert into record_state (record_id, environment_id, chain_id, position, status, settled_at, trace_parent)
    select id, environment_id, chain_id, position, $2::registration_status,
           case when $2 <> 'pending' then generated_at end, case when $2 = 'pending' then $5::text end
      from json_populate_record(null::registration_record, $1)
  ), tails as (
    update chain set last_position = tail.last_position, last_record_id = tail.last_record_id,
           last_fingerprint = tail.last_fingerprint, last_generated_at = tail.last_generated_at,
           last_invoice_number = tail.last_invoice_number, last_invoice_issued_on = tail.last_invoice_issued_on
      from json_populate_recordset(null::chain, $3) as tail
     where chain.environment_id = tail.environment_id and chain.id = tail.id
  )
  select count(jobs) from ${addJobsCall('$4')} as jobs`;

/**
 * Seals a further record at the end of the chain whose tail is held, and stores it with its state; one that is pending
 * wakes the chain. Answers the record.
 */
export async function appendRecord(
  client: pg.ClientBase,
  tail: Tail,
  record: FurtherRecord,
): Promise<RecordRow> {
  const link = linkTo(tail, clock.now());
  const { invoice, kind, status } = record;
  const row = append(tail, {
    id: newId('rec'),
    kind,
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    invoiceIssuedOn: invoice.issuedOn,
    sealed: record.seal(link),
    generatedAt: link.generatedAt,
  });
  const { environmentId, chainId } = tail;
  const jobs =
    status === 'pending' ? [{ task: 'register' as const, payload: { environmentId, chainId } }] : [];
  await client.query({
    name: 'append-record',
    text: WRITE,
    values: [JSON.stringify(row), status, JSON.stringify(tailRows([tail])), jobSpecs(jobs), traceParent()],
  });
  return row;
}
