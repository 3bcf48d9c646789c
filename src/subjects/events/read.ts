import type { Db } from '../../ground/db/client.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { EventType } from '../../ground/journal/entry.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Change } from './as-of.ts';
import { type Event, sequenceOfId } from './event.ts';
import { readBeginning, readChanges, readEvents, readEventsAt } from './store.ts';

/** The journal, and for how long its entries can be read as events. */
export type Events = { readonly db: Db; readonly keptDays: number };

const DAY_MS = 24 * 60 * 60 * 1_000;

const since = (keptDays: number): Date => new Date(clock.now().getTime() - keptDays * DAY_MS);

export type EventPage = {
  readonly first: number;
  /** The id of the event before the first of the page. */
  readonly after: string | null;
  readonly types: readonly EventType[];
  readonly afterSequence: number | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
  /** Newest first when not said, but in the order of events after a sequence. */
  readonly order: 'asc' | 'desc' | null;
};

/**
 * The events of an environment that are kept, 90 days unless set otherwise; `invalid_request` for an `after` that names
 * none of them. An entry is never removed from the journal: what is older is only no longer read.
 */
export async function listEvents(
  { db, keptDays }: Events,
  environmentId: number,
  page: EventPage,
): Promise<Outcome<{ readonly events: readonly Event[]; readonly hasMore: boolean }>> {
  const order = page.order ?? (page.afterSequence === null ? 'desc' : 'asc');
  const from = page.after === null ? null : await findEvent({ db, keptDays }, environmentId, page.after);
  if (isRefusal(from)) return invalidField('after', 'invalid_value', 'names no event of this environment');
  const start = from?.sequence ?? null;
  const kept = since(keptDays);
  const events = await readEvents(db.pool, environmentId, {
    types: page.types,
    after: order === 'asc' && start !== null ? Math.max(start, page.afterSequence ?? 0) : page.afterSequence,
    before: order === 'desc' ? start : null,
    createdFrom: page.createdFrom !== null && page.createdFrom > kept ? page.createdFrom : kept,
    createdTo: page.createdTo,
    order,
    most: page.first + 1,
  });
  return { events: events.slice(0, page.first), hasMore: events.length > page.first };
}

/** One event, or `event_not_found`. */
export async function findEvent(
  { db, keptDays }: Events,
  environmentId: number,
  id: string,
): Promise<Outcome<Event>> {
  const sequence = sequenceOfId(id);
  const [found] =
    sequence === null ? [] : await readEventsAt(db.pool, environmentId, [sequence], since(keptDays));
  return found?.id === id
    ? found
    : new Refusal('event_not_found', 'No event of this id is kept in the environment.');
}

/** The events at these sequences that are kept. */
export async function eventsAt(
  { db, keptDays }: Events,
  environmentId: number,
  sequences: readonly number[],
): Promise<readonly Event[]> {
  return readEventsAt(db.pool, environmentId, sequences, since(keptDays));
}

/** The next events behind a sequence, whatever their age: for who goes through the journal from where it has come to. */
export async function eventsAfter(
  db: Db,
  environmentId: number,
  sequence: number,
  most: number,
): Promise<readonly Event[]> {
  return readEvents(db.pool, environmentId, {
    ...{ types: [], after: sequence, before: null, createdFrom: null, createdTo: null },
    ...{ order: 'asc', most },
  });
}

/** All changes of the invoices, by invoice, each in the order in which they were made. */
export async function changesOf(
  db: Db,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Change[]>> {
  return Map.groupBy(await readChanges(db.pool, environmentId, invoiceIds), ({ subjectId }) => subjectId);
}

/** When the environment was made, and its first series with it. */
export function environmentBegan({ pool }: Pick<Db, 'pool'>, environmentId: number): Promise<Date> {
  return readBeginning(pool, environmentId);
}
