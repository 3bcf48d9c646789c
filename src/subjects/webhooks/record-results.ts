import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { Batch, Task } from './batch.ts';
import { disable } from './disable.ts';
import { type Attempt, isAccepted } from './post.ts';
import { DISABLED_AFTER_MS, nextAttempt } from './schedule.ts';
import type { Sent } from './send-batch.ts';
import type { Endpoint } from './shapes.ts';
import { type AttemptResult, type Concluded, concludeDeliveries } from './store/deliveries.ts';

/** The endpoint of a batch, its previous position, and its lane. */
export type Destination = { readonly endpoint: Endpoint; readonly batch: Batch; readonly quick: boolean };

/** What a batch has made of its endpoint and of the deliveries. */
export type BatchResult = {
  readonly endpoint: Endpoint;
  readonly outcome: AttemptResult;
  /** Why the endpoint is disabled, and since when; null: it is not. */
  readonly disabled: { readonly reason: string; readonly at: Date } | null;
};

/**
 * The results of a batch, with the endpoint's new position and lane. An endpoint that answers 410, or has failed for too long,
 * is disabled. `late`: the job that began the batch has ended before it.
 */
export function resultOf(
  { endpoint, batch, quick: before }: Destination,
  { done, undone, quick: inTime }: Sent,
  { late }: { readonly late: boolean },
): BatchResult {
  const isDelivered = done.some(({ attempt }) => isAccepted(attempt));
  const last = done.reduce((latest, { attempt }) => (attempt.at > latest ? attempt.at : latest), new Date(0));
  const none = done.length === 0;
  const failingSince = none ? endpoint.failingSince : isDelivered ? null : (endpoint.failingSince ?? last);
  const isGone = done.some(({ attempt }) => attempt.status === 410);
  const overdue =
    failingSince !== null && last.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS && !none;
  const reason = isGone ? 'it answered 410 Gone' : 'nothing was delivered to it for five days';
  return {
    endpoint,
    outcome: {
      endpointId: endpoint.id,
      concluded: done.map(({ task, attempt }) => concludedOf(task, attempt)),
      from: endpoint.reachedSequence,
      reached: reachedOf(endpoint, batch, undone),
      failingSince,
      quick: none && !late ? before : isDelivered && inTime,
    },
    disabled: isGone || overdue ? { reason, at: last } : null,
  };
}

/** Records the results of batches for endpoints of one environment: in one statement, but for those that disable their endpoint. */
export async function recordResults(
  { db }: { readonly db: Pick<Db, 'pool'> },
  environmentId: number,
  results: readonly BatchResult[],
): Promise<void> {
  const lasting = results.filter(({ disabled }) => disabled === null);
  if (lasting.length > 0) {
    const outcomes = lasting.map(({ outcome }) => outcome);
    await concludeDeliveries(db.pool, environmentId, outcomes, { durable: false });
  }
  for (const { endpoint, outcome, disabled } of results) {
    if (disabled === null) continue;
    await inTransaction(db.pool, async (client) => {
      await concludeDeliveries(client, environmentId, [outcome], { durable: true });
      await disable(client, environmentId, endpoint, disabled);
    });
  }
}

/** Up to the last attempted event: what follows is read again. */
function reachedOf(endpoint: Endpoint, batch: Batch, undone: readonly Task[]): number {
  if (undone.length === 0) return batch.reached;
  const first = Math.min(...undone.map(({ event }) => event.sequence));
  return Math.max(endpoint.reachedSequence, Math.min(batch.reached, first - 1));
}

function concludedOf({ event, before }: Task, attempt: Attempt): Concluded {
  const attempts = (before?.attempts ?? 0) + 1;
  const nextAt = isAccepted(attempt) ? null : nextAttempt(attempts, attempt.at);
  return {
    id: before?.id ?? newId('whd'),
    sequence: event.sequence,
    eventId: event.id,
    eventType: event.type,
    status: isAccepted(attempt) ? 'delivered' : nextAt === null ? 'failed' : 'pending',
    attempts,
    attempt: { ...attempt, at: attempt.at.toISOString() },
    nextAt,
    createdAt: before?.createdAt ?? attempt.at,
  };
}
