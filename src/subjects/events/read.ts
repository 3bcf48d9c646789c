import type { Db } from '../../ground/db/client.ts';
import { COUNTED, countedUpTo, type Listed, pageOf } from '../../ground/db/listed.ts';
import type { RowKey } from '../../ground/db/rows.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { EventType } from '../../ground/journal/entry.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Change } from './as-of.ts';
import { type Event, sequenceOfId } from './event.ts';
import {
  countEvents,
  countEventsOf,
  readChanges,
  readEvents,
  readEventsAt,
  readEventsOf,
  readFirstDefaults,
} from './store.ts';

/** The journal, and how long its entries are readable as events. */
export type Events = { readonly db: Pick<Db, 'pool'>; readonly keptDays: number };

const DAY_MS = 24 * 60 * 60 * 1_000;

const since = (keptDays: number): Date => new Date(clock.now().getTime() - keptDays * DAY_MS);

/** The filter of a list of events. */
export type EventListFilter = {
  readonly types: readonly EventType[];
  /** Of this object alone; of all when absent. */
  readonly subjectId?: string | null;
  readonly afterSequence: number | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
  /** Newest first by default, but in ascending order after a given sequence. */
  readonly order: 'asc' | 'desc' | null;
};

/**
 * The readable events of an environment, of the last 90 days by default. Entries are never removed from the
 * journal; older ones are only not listed.
 */
export function listEvents(
  { db, keptDays }: Events,
  environmentId: number,
  filter: EventListFilter,
): Listed<Event> {
  const order = filter.order ?? (filter.afterSequence === null ? 'desc' : 'asc');
  const kept = since(keptDays);
  const { types, subjectId = null, afterSequence, createdTo } = filter;
  const createdFrom = filter.createdFrom !== null && filter.createdFrom > kept ? filter.createdFrom : kept;
  const range = { types, subjectId, after: afterSequence, before: null, createdFrom, createdTo };
  const placeOf = async (cursor: string | null): Promise<number | null | 'unknown'> => {
    if (cursor === null) return null;
    const found = await findEvent({ db, keptDays }, environmentId, cursor);
    return isRefusal(found) ? 'unknown' : found.sequence;
  };
  return {
    async page(request) {
      const [start, end] = [await placeOf(request.after), await placeOf(request.before)];
      if (start === 'unknown') return unknownEvent('after');
      if (end === 'unknown') return unknownEvent('before');
      const [low, high] = order === 'asc' ? [start, end] : [end, start];
      const rows = await readEvents(db.pool, environmentId, {
        ...range,
        ...{ after: greater(low, afterSequence), before: high },
        order: (order === 'asc') === request.backwards ? 'desc' : 'asc',
        max: request.size + 1,
      });
      return pageOf(rows, request);
    },
    count: async () => countedUpTo(await countEvents(db.pool, environmentId, range, COUNTED + 1)),
  };
}

function unknownEvent(field: 'after' | 'before'): Refusal {
  return invalidField(field, 'invalid_value', 'names no event of this environment');
}

function greater(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** One event; refuses with `event_not_found`. */
export async function findEvent(events: Events, environmentId: number, id: string): Promise<Outcome<Event>> {
  const found = (await eventsById(events, environmentId, [id])).get(id);
  return found ?? new Refusal('event_not_found', 'No event of this id exists in the environment.');
}

/** The readable events of these ids. */
export async function eventsById(
  events: Events,
  environmentId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Event>> {
  const sequences = ids.map(sequenceOfId).filter((sequence) => sequence !== null);
  const found = sequences.length === 0 ? [] : await eventsAt(events, environmentId, sequences);
  return new Map(found.map((event) => [event.id, event]));
}

/** The readable events at these sequences. */
export async function eventsAt(
  { db, keptDays }: Events,
  environmentId: number,
  sequences: readonly number[],
): Promise<readonly Event[]> {
  return readEventsAt(db.pool, environmentId, sequences, since(keptDays));
}

/** The next events after a sequence, whatever their age: for readers that process the journal continuously. */
export async function eventsAfter(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  sequence: number,
  max: number,
): Promise<readonly Event[]> {
  return readEvents(db.pool, environmentId, {
    ...{ types: [], after: sequence, before: null, createdFrom: null, createdTo: null },
    ...{ order: 'asc', max },
  });
}

/** The first events of each of these objects, newest first; `readEventsOf` says in which direction. */
export function eventsOfSubjects(
  { db, keptDays }: Events,
  subjects: readonly RowKey[],
  range: { readonly rows: number; readonly backwards: boolean },
): Promise<Map<string, readonly Event[]>> {
  return readEventsOf(db.pool, subjects, range, since(keptDays));
}

/** How many events each of these objects has, up to one more than is counted exactly. */
export function eventCountsOf(
  { db, keptDays }: Events,
  subjects: readonly RowKey[],
): Promise<Map<string, number>> {
  return countEventsOf(db.pool, subjects, since(keptDays), COUNTED + 1);
}

/** All changes of the invoices, by invoice, each in the order in which they were made. */
export async function changesOf(
  db: Pick<Db, 'pool'>,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Change[]>> {
  return Map.groupBy(await readChanges(db.pool, environmentId, invoiceIds), ({ subjectId }) => subjectId);
}

/** When the first default series of each type was created. */
export function defaultsBegan(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
): Promise<ReadonlyMap<string, Date>> {
  return readFirstDefaults(pool, environmentId);
}
