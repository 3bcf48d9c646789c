import { z } from 'zod';
import type { Queryable } from '../../ground/db/queryable.ts';
import { column, OF_ALL, type RowKey, readOneRow, readRows, readWithin } from '../../ground/db/rows.ts';
import { EVENT_TYPES, type EventType } from '../../ground/journal/entry.ts';
import type { Change } from './as-of.ts';
import { type Event, eventId } from './event.ts';

/** Statements that read the journal as events. */

const ENTRY = `position as sequence, type, subject_id as "subjectId", record_id as "recordId", created_at as "createdAt",
  encode(hash, 'hex') as hash, content`;

const entry = z.object({
  sequence: column.whole,
  type: z.enum(EVENT_TYPES),
  subjectId: z.string(),
  recordId: z.string().nullable(),
  createdAt: column.instant,
  hash: z.string(),
  content: z.string().nullable(),
});

const eventOf = ({ hash, ...row }: z.output<typeof entry>): Event => ({
  id: eventId(row.sequence, hash),
  ...row,
});

export type EventFilter = {
  /** Of these types; all when empty. */
  readonly types: readonly EventType[];
  /** Of this object alone; of all when null or absent. */
  readonly subjectId?: string | null;
  /** Between these sequences, both excluded; null: from the first, to the last. */
  readonly after: number | null;
  readonly before: number | null;
  readonly createdFrom: Date | null;
  /** Excluded. */
  readonly createdTo: Date | null;
  readonly order: 'asc' | 'desc';
  readonly max: number;
};

const MATCHING = `environment_id = $1 and position > $2 and position < $3 and (cardinality($4::text[]) = 0 or type = any($4))
                and created_at >= $5 and created_at < $6`;

/** Of one object it is another text: an index has the entries of each in the order of their positions. */
const matching = ({ subjectId }: Pick<EventFilter, 'subjectId'>) =>
  subjectId == null ? MATCHING : `${MATCHING} and subject_id = $8`;

const filterValues = (environmentId: number, filter: Omit<EventFilter, 'order' | 'max'>): unknown[] => [
  environmentId,
  filter.after ?? 0,
  filter.before ?? 2 ** 31 - 1,
  filter.types,
  filter.createdFrom ?? '-infinity',
  filter.createdTo ?? 'infinity',
];

const subjectOf = ({ subjectId }: Pick<EventFilter, 'subjectId'>): unknown[] =>
  subjectId == null ? [] : [subjectId];

const countRow = z.object({ count: column.whole });

/** How many events of an environment there are, counted up to `max`. */
export async function countEvents(
  client: Queryable,
  environmentId: number,
  filter: Omit<EventFilter, 'order' | 'max'>,
  max: number,
): Promise<number> {
  const text = `select count(*)::int as count from (
    select 1 from journal_entry where ${matching(filter)} limit $7) as found`;
  const values = [...filterValues(environmentId, filter), max, ...subjectOf(filter)];
  return (await readOneRow(client, countRow, text, values)).count;
}

/** Events of an environment, in the order of their sequence. */
export async function readEvents(
  client: Queryable,
  environmentId: number,
  filter: EventFilter,
): Promise<Event[]> {
  const { order, max } = filter;
  const rows = await readRows(
    client,
    entry,
    {
      name: `events-${filter.subjectId == null ? '' : 'of-one-'}${order}`,
      text: `select ${ENTRY} from journal_entry where ${matching(filter)} order by position ${order} limit $7`,
    },
    [...filterValues(environmentId, filter), max, ...subjectOf(filter)],
  );
  return rows.map(eventOf);
}

const WANTED = 'unnest($2::text[], $3::text[]) as wanted (key, id)';
const OF_WANTED = 'environment_id = $1 and subject_id = wanted.id and created_at >= $4';

const valuesOf = (environmentId: number, own: readonly RowKey[], since: Date): unknown[] => [
  ...[environmentId, own.map(({ key }) => key), own.map(({ id }) => id), since],
];

/** The newest events of each of these objects or, `backwards`, the oldest ones, in the direction in which they are read, by its key. */
export function readEventsOf(
  client: Queryable,
  subjects: readonly RowKey[],
  { rows, backwards }: { readonly rows: number; readonly backwards: boolean },
  since: Date,
): Promise<Map<string, readonly Event[]>> {
  const text = `select wanted.key, page.* from ${WANTED} cross join lateral (
    select ${ENTRY} from journal_entry where ${OF_WANTED}
     order by position ${backwards ? 'asc' : 'desc'} limit $5) as page`;
  return readWithin(subjects, async (environmentId, own) => {
    const values = [...valuesOf(environmentId, own, since), rows];
    const found = await readRows(client, entry.extend({ key: z.string() }), text, values);
    const byKey = Map.groupBy(found, ({ key }) => key);
    return new Map(
      own.map(({ key }) => [key, (byKey.get(key) ?? []).map(({ key: _key, ...row }) => eventOf(row))]),
    );
  });
}

const countOfOne = countRow.extend({ key: z.string() });

/** How many events each of these objects has, counted up to `max`, by its key. */
export function countEventsOf(
  client: Queryable,
  subjects: readonly RowKey[],
  since: Date,
  max: number,
): Promise<Map<string, number>> {
  const text = `select wanted.key, (
      select count(*) from (select 1 from journal_entry where ${OF_WANTED} limit $5) as found)::int as count from ${WANTED}`;
  return readWithin(subjects, async (environmentId, own) => {
    const rows = await readRows(client, countOfOne, text, [...valuesOf(environmentId, own, since), max]);
    return new Map(rows.map(({ key, count }) => [key, count]));
  });
}

/** The events at these sequences that are younger than `since`. */
export async function readEventsAt(
  client: Queryable,
  environmentId: number,
  sequences: readonly number[],
  since: Date,
): Promise<Event[]> {
  const rows = await readRows(
    client,
    entry,
    {
      name: 'events-at',
      text: `select ${ENTRY} from journal_entry
              where environment_id = $1 and position = any($2) and created_at >= $3 order by position`,
    },
    [environmentId, sequences, since],
  );
  return rows.map(eventOf);
}

const change = z.object({
  subjectId: z.string(),
  sequence: column.whole,
  type: z.enum(EVENT_TYPES),
  recordId: z.string().nullable(),
  status: z.string().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  account: z.object({ payable: column.whole, paid: column.whole }).nullable(),
});

/** The account's sums after a change: stored in the row that the change sealed, or in the entry itself. */
const ACCOUNT_BY = `coalesce(
  (select json_build_object('payable', account_payable, 'paid', account_paid) from invoice_payment
    where e.type = 'invoice.payment_recorded' and environment_id = $1 and id = e.record_id),
  (select json_build_object('payable', account_payable, 'paid', account_paid) from invoice_payment_removal
    where e.type = 'invoice.payment_removed' and environment_id = $1 and payment_id = e.record_id),
  json_build_object('payable', e.content::json -> 'account_payable', 'paid', e.content::json -> 'account_paid'))`;

/** All changes of the invoices, in the order in which they were made. */
export async function readChanges(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<Change[]> {
  return readRows(
    client,
    change,
    {
      name: 'event-changes',
      // Looks up one invoice at a time by index: in a new database Postgres would scan the whole environment. The
      // number of invoices is hidden from the planner, which would otherwise plan anew for small numbers.
      text: `select e.subject_id as "subjectId", e.position as sequence, e.type, e.record_id as "recordId",
                    s.status::text, s.error_code as "errorCode", s.error_message as "errorMessage",
                    case when e.type in ('invoice.payment_recorded', 'invoice.payment_removed', 'invoice.paid', 'invoice.overdue')
                         then ${ACCOUNT_BY} end as account
               from unnest((select $2::text[])) as wanted (id)
              cross join lateral (select subject_id, position, type, record_id, content from journal_entry
                                   where environment_id = $1 and subject_id = wanted.id order by position) e
               left join lateral (select status, error_code, error_message from record_state
                                   where environment_id = $1 and record_id = e.record_id) s on true
              order by e.position`,
    },
    [environmentId, invoiceIds],
  );
}

const head = z.object({ environmentId: column.whole, position: column.whole });

/** The last positions of these environments' journals. */
export async function readHeads(
  client: Queryable,
  environmentIds: readonly number[],
): Promise<readonly z.output<typeof head>[]> {
  const columns = 'environment_id as "environmentId", position';
  const [first, ...others] = environmentIds;
  return others.length === 0
    ? readRows(
        client,
        head,
        { name: 'event-head', text: `select ${columns} from journal_head where environment_id = $1` },
        [first],
      )
    : readRows(
        client,
        head,
        {
          name: 'event-heads',
          text: `${OF_ALL} select ${columns} from journal_head where environment_id = any($1)`,
        },
        [environmentIds],
      );
}

const firstDefault = z.object({ type: z.string(), began: column.instant });

/** When the environment got its first default series, by their types. */
export async function readFirstDefaults(
  client: Queryable,
  environmentId: number,
): Promise<ReadonlyMap<string, Date>> {
  const text = 'select type::text, created_at as began from series_default where environment_id = $1';
  const rows = await readRows(client, firstDefault, { name: 'first-defaults', text }, [environmentId]);
  return new Map(rows.map(({ type, began }) => [type, began]));
}
