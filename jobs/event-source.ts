import { LRUCache } from 'lru-cache';
import { isRefusal } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import type { Event, EventData } from '../src/subjects/events/event.ts';
import { countLinesOf, firstToSend, type LinesOf } from '../src/subjects/events/lines.ts';
import { eventsAfter, eventsAt } from '../src/subjects/events/read.ts';
import type { EventSource, EventToSend } from '../src/subjects/webhooks/event-source.ts';

/**
 * Payloads of events that a process caches for the other endpoints of an environment. Thousands of ordinary ones;
 * otherwise an environment with 20 endpoints would have each event serialized 20 times.
 */
const WEBHOOK_EVENTS_KEPT = 8 * 1_024 * 1_024;

/** An event as REST and webhooks show it. */
export type EventBody = {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly created_at: string;
  readonly environment: 'test' | 'live';
  readonly data: EventData;
};

type EventSourceServices = Pick<Services, 'db' | 'standby' | 'config' | 'eventObjects'>;

/** The source of events for webhooks: the journal, with each event in its REST form. */
export function createEventSource(services: EventSourceServices): EventSource {
  const { db, standby, config } = services;
  const write = sharedWriter((environmentId, events) => writeEvents(services, environmentId, events));
  const count = sharedCounter((environmentId, events) => countLinesOf(db.pool, environmentId, events));
  const after: EventSource['after'] = async (environmentId, sequence, { types, max }) => {
    // Events that the endpoint does not subscribe to are read too: this is cheaper than finding the next one that it
    // wants.
    const read = await eventsAfter(db, environmentId, sequence, max);
    // A receiver that queries the change finds it on the standby.
    if (read.length > 0) await standby?.note(environmentId);
    const subscribed =
      types.length === 0 ? read : read.filter(({ type }) => types.includes(type) || type === 'ping');
    const sent = await firstToSend(subscribed, () => count(environmentId, subscribed));
    const events = await write(environmentId, sent);
    if (sent.length < subscribed.length) return { events, reached: sent.at(-1)!.sequence, full: true };
    return { events, reached: read.at(-1)?.sequence ?? sequence, full: read.length === max };
  };
  const bySequences: EventSource['bySequences'] = async (environmentId, sequences) => {
    const available = await eventsAt({ db, keptDays: config.eventsKeptDays }, environmentId, sequences);
    const bySequence = new Map(available.map((event) => [event.sequence, event]));
    const inOrder = sequences.flatMap((sequence) => bySequence.get(sequence) ?? []);
    const sent = await firstToSend(inOrder, () => count(environmentId, inOrder));
    const later = inOrder.slice(sent.length).map(({ sequence }) => sequence);
    return { events: await write(environmentId, sent), later };
  };
  return { after: readTogether(after), bySequences: readTogether(bySequences) };
}

/** Endpoints of an environment are mostly at the same place in the journal: what several request at a time is read once. */
function readTogether<Args extends unknown[], Found>(
  read: (...args: Args) => Promise<Found>,
): (...args: Args) => Promise<Found> {
  const inProgress = new Map<string, Promise<Found>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = inProgress.get(key);
    if (known !== undefined) return known;
    const reading = read(...args).finally(() => inProgress.delete(key));
    inProgress.set(key, reading);
    return reading;
  };
}

/** Invoices whose lines are known: those of the events that the endpoints of a process are at. */
const COUNTED = 10_000;

/** The lines of an invoice never change, so they are counted once for all endpoints. */
function sharedCounter(
  countNew: (environmentId: number, events: readonly Event[]) => Promise<LinesOf>,
): (environmentId: number, events: readonly Event[]) => Promise<LinesOf> {
  const counted = new LRUCache<string, Promise<number>>({ max: COUNTED });
  return async (environmentId, events) => {
    const keyOf = ({ subjectId }: Event) => `${environmentId}/${subjectId}`;
    const fresh = events.filter((event) => !counted.has(keyOf(event)));
    const counting = fresh.length === 0 ? null : countNew(environmentId, fresh);
    for (const event of fresh) {
      const key = keyOf(event);
      const one = counting!.then((linesOf) => linesOf(event));
      counted.set(key, one);
      one.catch(() => counted.delete(key));
    }
    const lines = await Promise.all(
      events.map(async (event) => [event, await counted.get(keyOf(event))!] as const),
    );
    const byEvent = new Map(lines);
    return (event) => byEvent.get(event) ?? 0;
  };
}

type Writer = (environmentId: number, events: readonly Event[]) => Promise<EventToSend[]>;

/** An event never changes, so the endpoints of an environment share the payload that was built for the first of them. */
function sharedWriter(writeNew: Writer): Writer {
  const written = new LRUCache<string, EventToSend>({
    maxSize: WEBHOOK_EVENTS_KEPT,
    sizeCalculation: ({ body }) => body.length,
  });
  const inProgress = new Map<string, Promise<EventToSend>>();
  return (environmentId, events) => {
    const keyOf = ({ id }: Event) => `${environmentId}/${id}`;
    const fresh = events.filter((event) => !written.has(keyOf(event)) && !inProgress.has(keyOf(event)));
    const writing = fresh.length === 0 ? Promise.resolve([]) : writeNew(environmentId, fresh);
    for (const [index, event] of fresh.entries()) {
      const key = keyOf(event);
      const one = writing.then((all) => all[index]!);
      inProgress.set(key, one);
      one
        .then((text) => written.set(key, text))
        .catch(() => {})
        .finally(() => inProgress.delete(key));
    }
    return Promise.all(
      events.map(async (event) => written.get(keyOf(event)) ?? inProgress.get(keyOf(event))!),
    );
  };
}

async function writeEvents(
  { eventObjects }: EventSourceServices,
  environmentId: number,
  events: readonly Event[],
): Promise<EventToSend[]> {
  const objects = await eventObjects(environmentId, events);
  // The process is overloaded: the job is retried.
  if (isRefusal(objects)) throw new Error(objects.detail);
  const { environment, data } = objects;
  return events.map((event) => {
    const { id, sequence, type, subjectId } = event;
    const body: EventBody = {
      ...{ id, type, sequence, created_at: event.createdAt.toISOString(), environment },
      data: data.get(sequence)!,
    };
    return { id, sequence, type, subjectId, body: Buffer.from(JSON.stringify(body)) };
  });
}
