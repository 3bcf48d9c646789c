import type { Db } from '../../ground/db/client.ts';
import type { EventSource, EventToSend } from './event-source.ts';
import { EVERY_TYPE } from './request.ts';
import type { Endpoint, StoredDelivery } from './shapes.ts';
import { giveUp } from './store/deliveries.ts';

/** An event to be sent, with its previous attempts. */
export type Task = { readonly event: EventToSend; readonly before: StoredDelivery | null };

export type Batch = {
  readonly work: readonly Task[];
  /** The endpoint's previous position. */
  readonly from: number;
  /** The endpoint's position once all of it was attempted. */
  readonly reached: number;
  /** Whether more may wait after it. */
  readonly more: boolean;
};

/** The events of these `due` deliveries to an endpoint, for a retry; null when there are none. */
export async function dueBatch(
  { db, events }: { readonly db: Pick<Db, 'pool'>; readonly events: EventSource },
  environmentId: number,
  endpoint: Endpoint,
  due: readonly StoredDelivery[],
): Promise<Batch | null> {
  if (due.length === 0) return null;
  const sequences = due.map(({ sequence }) => sequence);
  const found = await events.bySequences(environmentId, sequences);
  const bySequence = new Map(found.events.map((event) => [event.sequence, event]));
  const kept = new Set([...bySequence.keys(), ...found.later]);
  const lost = due.filter(({ sequence }) => !kept.has(sequence));
  if (lost.length > 0) {
    await giveUp(
      db.pool,
      environmentId,
      lost.map(({ id }) => id),
    );
  }
  const work = due.flatMap((before) => {
    const event = bySequence.get(before.sequence);
    return event === undefined ? [] : [{ event, before }];
  });
  const { reachedSequence } = endpoint;
  return { work, from: reachedSequence, reached: reachedSequence, more: true };
}

/** The new events for an endpoint after a sequence. */
export async function newBatch(
  { events }: { readonly events: EventSource },
  environmentId: number,
  endpoint: Endpoint,
  { from, max }: { readonly from: number; readonly max: number },
): Promise<Batch> {
  const types = endpoint.eventTypes.includes(EVERY_TYPE) ? [] : endpoint.eventTypes;
  const found = await events.after(environmentId, from, { types, max });
  const work = found.events
    .filter((event) => isFor(endpoint, event))
    .map((event) => ({ event, before: null }));
  return { work, from, reached: found.reached, more: found.full };
}

/** A ping is sent only to the endpoint that was pinged; an endpoint is not notified of its own disabling. */
function isFor(endpoint: Endpoint, { type, subjectId }: EventToSend): boolean {
  if (type === 'ping') return subjectId === endpoint.id;
  return endpoint.eventTypes.includes(EVERY_TYPE) || endpoint.eventTypes.includes(type);
}
