import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import { enqueue } from '../../ground/queue/enqueue.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { issuingEnded } from '../accounts/gates.ts';
import type { Claim } from '../idempotency/claim.ts';
import { isKeyUsed, once, requestDigest, saveAnswer } from '../idempotency/keys.ts';
import { BATCH_LIMITS } from './limits.ts';
import type { BatchRequest } from './request.ts';
import type { Batch, PendingItem } from './shapes.ts';
import { insertBatch, lockBatches } from './store/batches.ts';
import { countOpen } from './store/read-batches.ts';
import type { BatchStatus } from './types.ts';

/** The time after which a client should check whether another batch is accepted. */
const RETRY_AFTER_SECONDS = 10;

const OPERATION = 'create_invoice_batch';

/**
 * Stores a batch, once for an idempotency key: the request unchanged, with the job that issues it. Each invoice
 * gets its id here, so that after any crash it is known whether it was issued. `rate_limited` while the environment
 * has the maximum of unfinished batches, `forbidden` once its company is succeeded.
 */
export async function acceptBatch(
  db: Pick<Db, 'pool' | 'lineage'>,
  { environmentId, issuingEnded: ended }: Pick<Scope, 'environmentId' | 'issuingEnded'>,
  { invoices }: BatchRequest,
  key: string | null,
): Promise<{ readonly outcome: Outcome<Batch>; readonly replayed: boolean }> {
  const digest = () => requestDigest(invoices);
  return once<Batch>(
    db,
    { environmentId, key, operation: OPERATION, digest },
    async (claim) => (ended ? issuingEnded() : store(db, environmentId, invoices, claim)),
    (answer) => {
      const { createdAt, ...accepted } = answer as Batch;
      return { ...accepted, environmentId, createdAt: new Date(createdAt) };
    },
  );
}

async function store(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  invoices: BatchRequest['invoices'],
  claim: Claim | null,
): Promise<Outcome<Batch>> {
  const createdAt = clock.now();
  const accepted: Batch = {
    ...{ id: newId('bat'), environmentId, size: invoices.length, issued: 0, failed: 0 },
    ...{ createdAt, stalledSince: null, completedAt: null },
  };
  const items = invoices.map(
    (invoice, index): PendingItem => ({
      position: index + 1,
      externalId: invoice.externalId,
      reservedId: newId('inv'),
      request: JSON.stringify(invoice),
    }),
  );
  return inTransaction<Outcome<Batch>>(db.pool, async (client) => {
    await lockBatches(client, environmentId);
    const full = await refusalWhenFull(client, environmentId);
    if (full !== null) return full;
    await insertBatch(client, environmentId, accepted, items);
    await enqueue(client, [{ task: 'work_invoice_batches', payload: { environmentId } }]);
    if (claim !== null) await saveAnswer(client, claim, accepted);
    return accepted;
  });
}

/**
 * Why a further batch is refused before it is read; null if there is room for it, and for one that was accepted before under
 * the same idempotency key.
 */
export async function refusalBeforeReading(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  key: string | null,
): Promise<Refusal | null> {
  const full = await refusalWhenFull(pool, environmentId);
  return full === null || (key !== null && (await isKeyUsed({ pool }, environmentId, key, OPERATION)))
    ? null
    : full;
}

async function refusalWhenFull(client: Queryable, environmentId: number): Promise<Refusal | null> {
  return (await countOpen(client, environmentId)) < BATCH_LIMITS.batchesOpen.value ? null : tooManyOpen();
}

/** `rate_limited` for a batch beyond those that an environment may have. */
export function tooManyOpen(): Refusal {
  const detail = `At most ${BATCH_LIMITS.batchesOpen.value} batches of an environment wait at once.`;
  return new Refusal('rate_limited', detail, { retryAfter: RETRY_AFTER_SECONDS });
}

/** Why a batch cannot be read that is not kept, or never was. */
export function unknownBatch(): Refusal {
  return new Refusal('invoice_batch_not_found', 'No invoice batch of this id exists in the environment.');
}

/** The status of a batch: whether some or all of its invoices are settled. */
export function statusOf({
  issued,
  failed,
  completedAt,
}: Pick<Batch, 'issued' | 'failed' | 'completedAt'>): BatchStatus {
  if (completedAt !== null) return 'completed';
  return issued + failed > 0 ? 'running' : 'pending';
}
