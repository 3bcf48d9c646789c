import type pg from 'pg';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { addLogFields } from '../../ground/lib/logger.ts';
import { traceParent } from '../../ground/lib/tracing.ts';
import { measureLockWait } from './lock-wait.ts';
import type { Link, SealedRecord } from './record-xml.ts';
import { limitLockTime, lockChain, writeRecord } from './store/tail.ts';
import {
  append,
  chainNotOpen,
  linkTo,
  type RecordRow,
  type Tail,
  tailOf,
  toEnvironmentTime,
} from './tail.ts';

/** A further record of an invoice that is issued already. */
export type FurtherRecord = {
  readonly kind: RecordRow['kind'];
  readonly invoice: { readonly id: string; readonly number: string; readonly issuedOn: Day };
  readonly seal: (link: Link) => SealedRecord;
  /** `pending` is sent to the agency; other statuses are final from the beginning. */
  readonly status: 'pending' | 'registered' | 'skipped';
};

/**
 * Runs `work` in one transaction that locks the environment's chain: nothing of the environment is issued,
 * corrected, voided or amended concurrently. Refuses with `service_unavailable` while the chain is held.
 */
export async function withLockedTail<T>(
  { pool, lineage }: Pick<Db, 'pool' | 'lineage'>,
  environmentId: number,
  work: (client: pg.PoolClient, tail: Tail) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  let held: Tail | null = null;
  const outcome = await inTransaction<Outcome<T>>(pool, async (client) => {
    await limitLockTime(client);
    // Before the chain is locked, so that a hold that the examination of the server has set is seen.
    await lineage.checkServer(client, environmentId);
    const row = await measureLockWait('chain', () => lockChain(client, environmentId));
    if (row === null) return chainNotOpen();
    const tail = tailOf(row, {
      ...{ nif: row.nif, clockAheadMs: row.clock_ahead_ms, timeZone: row.time_zone },
    });
    held = tail;
    return work(client, tail);
  });
  if (held !== null && !isRefusal(outcome)) acknowledgeTail(lineage, held);
  return outcome;
}

/** From here on callers learn of the record, so a server that takes over must have it. */
function acknowledgeTail({ acknowledged }: Db['lineage'], tail: Tail): void {
  const { environmentId, chainId, position, fingerprint } = tail;
  if (fingerprint !== null) acknowledged.record({ environmentId, chainId, position, fingerprint });
}

/**
 * Seals a further record at the end of the locked chain and stores it with its state; a pending one wakes the
 * chain. Returns the record.
 */
export async function appendRecord(
  client: pg.ClientBase,
  tail: Tail,
  record: FurtherRecord,
): Promise<RecordRow> {
  const link = linkTo(tail, toEnvironmentTime(tail, clock.now()));
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
  await writeRecord(client, { row, status, tail, jobs, trace: traceParent() });
  addLogFields({ invoiceId: invoice.id, chainId });
  return row;
}
