import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { EncryptionKey } from '../../ground/lib/encryption.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { disable } from './disable.ts';
import { countAttempt } from './metrics.ts';
import { type Attempt, isTaken, post } from './post.ts';
import { EVERY_TYPE } from './request.ts';
import { DISABLED_AFTER_MS, nextAttempt } from './schedule.ts';
import { openSecrets } from './secrets.ts';
import type { Endpoint, StoredDelivery } from './shapes.ts';
import { signedHeaders } from './signature.ts';
import { type Concluded, conclude, giveUp, nextDue, readDue } from './store/deliveries.ts';
import { readEndpoint } from './store/endpoints.ts';

/** An event as it is sent: its REST form, written once for all endpoints. */
export type EventToSend = {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  /** What has changed: of `ping` and `webhook_endpoint.disabled` the endpoint. */
  readonly subjectId: string;
  readonly body: string;
};

/** Where events come from: the journal's public reading. */
export type EventSource = {
  /** At most `most` events behind a sequence, in their order; of types that are not wanted the body is not made. */
  after(
    environmentId: number,
    sequence: number,
    wanted: { readonly types: readonly string[]; readonly most: number },
  ): Promise<{ readonly events: readonly EventToSend[]; readonly reached: number }>;
  /** Those of the sequences that are still kept. */
  those(environmentId: number, sequences: readonly number[]): Promise<readonly EventToSend[]>;
};

/** What delivering needs. */
export type Deliverer = {
  readonly db: Db;
  readonly keys: readonly EncryptionKey[];
  readonly events: EventSource;
  readonly allowPrivate: boolean;
  readonly log: Logger;
};

/** Events of an endpoint that are delivered at once: enough for 1,000 a second where an answer takes 10 ms. */
const AT_ONCE = 16;
/** An endpoint that fails gets fewer: each may hold a connection for the 15 s of an attempt. */
const AT_ONCE_WHILE_FAILING = 2;
/** Between two notes of how far it came; what a death in between undoes is delivered again. */
const BATCH = 64;
/** After so long others get the worker. */
const TURN_MS = 10_000;

/** What is to be done next for an endpoint: at once, at a time, or nothing until an event comes. */
export type Next = { readonly at: Date | null; readonly failing: boolean };

/**
 * Delivers to one endpoint what is new and what is due again, in batches, until nothing is left, somebody else's turn
 * has come, or it begins to fail. Of two processes only one may do so at a time (the queue sees to that). An event
 * is noted after it was sent: whatever dies in between, it is sent again under the same id, and never lost.
 */
export async function deliver(
  deliverer: Deliverer,
  environmentId: number,
  endpointId: string,
  signal?: AbortSignal,
): Promise<Next> {
  const { db } = deliverer;
  const end = clock.now().getTime() + TURN_MS;
  for (;;) {
    const endpoint = await readEndpoint(db.pool, environmentId, endpointId);
    if (endpoint === null || endpoint.status !== 'active') return { at: null, failing: false };
    const batch = await nextBatch(deliverer, environmentId, endpoint);
    if (batch.work.length === 0 && batch.reached === endpoint.reachedSequence) {
      return {
        at: await nextDue(db.pool, environmentId, endpointId),
        failing: endpoint.failingSince !== null,
      };
    }
    const failing = await work(deliverer, environmentId, endpoint, batch, signal);
    const over = signal?.aborted === true || clock.now().getTime() >= end;
    const begins = failing && endpoint.failingSince === null;
    if (over || begins) return { at: clock.now(), failing };
  }
}

type Task = { readonly event: EventToSend; readonly before: StoredDelivery | null };
type Batch = { readonly work: readonly Task[]; readonly reached: number };

/** What was put off comes before what is new, so that nothing waits for a stream of events to end. */
async function nextBatch(deliverer: Deliverer, environmentId: number, endpoint: Endpoint): Promise<Batch> {
  const { db, events } = deliverer;
  const most = endpoint.failingSince === null ? BATCH : AT_ONCE_WHILE_FAILING;
  const due = await readDue(db.pool, environmentId, endpoint.id, { now: clock.now(), most });
  if (due.length > 0) {
    const texts = await events.those(
      environmentId,
      due.map(({ sequence }) => sequence),
    );
    const bySequence = new Map(texts.map((event) => [event.sequence, event]));
    const work = due.flatMap((before) => {
      const event = bySequence.get(before.sequence);
      return event === undefined ? [] : [{ event, before }];
    });
    const lost = due.filter(({ sequence }) => !bySequence.has(sequence));
    await giveUp(
      db.pool,
      environmentId,
      lost.map(({ id }) => id),
    );
    if (work.length > 0) return { work, reached: endpoint.reachedSequence };
  }
  const types = endpoint.eventTypes.includes(EVERY_TYPE) ? [] : endpoint.eventTypes;
  const found = await events.after(environmentId, endpoint.reachedSequence, { types, most });
  const work = found.events
    .filter((event) => isFor(endpoint, event))
    .map((event) => ({ event, before: null }));
  return { work, reached: found.reached };
}

/** A ping is for the endpoint that was pinged; that it was disabled an endpoint need not hear. */
function isFor(endpoint: Endpoint, { type, subjectId }: EventToSend): boolean {
  if (type === 'ping') return subjectId === endpoint.id;
  return endpoint.eventTypes.includes(EVERY_TYPE) || endpoint.eventTypes.includes(type);
}

/** Sends a batch and notes what became of it; answers whether the endpoint fails. */
async function work(
  deliverer: Deliverer,
  environmentId: number,
  endpoint: Endpoint,
  batch: Batch,
  signal?: AbortSignal,
): Promise<boolean> {
  const { db } = deliverer;
  const secrets = await openSecrets(deliverer, environmentId, endpoint.id);
  const limit = endpoint.failingSince === null ? AT_ONCE : AT_ONCE_WHILE_FAILING;
  const done: { task: Task; attempt: Attempt }[] = [];
  const queue = [...batch.work];
  const worker = async () => {
    for (let task = queue.shift(); task !== undefined && !signal?.aborted; task = queue.shift()) {
      const attempt = await send(deliverer, endpoint, task.event, secrets, signal);
      // Broken off because the process stops: it was no attempt, and is made again by whoever starts next.
      if (attempt.status === null && signal?.aborted) return;
      done.push({ task, attempt });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, batch.work.length) }, worker));

  const taken = done.some(({ attempt }) => isTaken(attempt));
  const last = done.reduce((latest, { attempt }) => (attempt.at > latest ? attempt.at : latest), new Date(0));
  const failed = done.length > 0 && !taken;
  const failingSince =
    done.length === 0 ? endpoint.failingSince : taken ? null : (endpoint.failingSince ?? last);
  const whole = done.length === batch.work.length;
  const gone = done.some(({ attempt }) => attempt.status === 410);
  const overdue =
    failed && failingSince !== null && last.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS;
  await inTransaction(db.pool, async (client) => {
    await conclude(client, environmentId, endpoint.id, {
      concluded: done.map(({ task, attempt }) => concludedOf(task, attempt)),
      from: endpoint.reachedSequence,
      reached: whole ? batch.reached : endpoint.reachedSequence,
      failingSince,
    });
    if (gone || overdue) {
      const reason = gone ? 'it answered 410 Gone' : 'nothing was delivered to it for five days';
      await disable(client, environmentId, endpoint, { reason, at: last });
    }
  });
  return failingSince !== null;
}

async function send(
  { allowPrivate }: Deliverer,
  endpoint: Endpoint,
  event: EventToSend,
  secrets: readonly string[],
  signal?: AbortSignal,
): Promise<Attempt> {
  const headers = signedHeaders(secrets, { id: event.id, at: clock.now(), body: event.body });
  const attempt = await post({ url: endpoint.url, headers, body: event.body, allowPrivate, signal });
  countAttempt(attempt);
  return attempt;
}

function concludedOf({ event, before }: Task, attempt: Attempt): Concluded {
  const attempts = (before?.attempts ?? 0) + 1;
  const nextAt = isTaken(attempt) ? null : nextAttempt(attempts, attempt.at);
  return {
    id: before?.id ?? newId('whd'),
    sequence: event.sequence,
    eventId: event.id,
    eventType: event.type,
    status: isTaken(attempt) ? 'delivered' : nextAt === null ? 'failed' : 'pending',
    attempts,
    attempt: { ...attempt, at: attempt.at.toISOString() },
    nextAt,
    createdAt: before?.createdAt ?? attempt.at,
  };
}
