import { getModel, queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type PrismaTypes from '../../../generated/pothos.ts';
import { COUNTED, countedUpTo, pageOf } from '../../ground/db/listed.ts';
import { invalidField } from '../../ground/errors/refusal.ts';
import { isStorableInstant } from '../../ground/lib/calendar.ts';
import { builder } from './builder.ts';
import { digestOf, IS_ID, OTHER_LIST, pageInfoOf } from './connections.ts';
import type { Context } from './context.ts';
import { valueOrThrow } from './errors.ts';
import { type ConnectionArguments, PAGE, requestedPage } from './paging.ts';
import { type Delegate, delegateOf } from './prisma-row.ts';

/** Lists of rows that Prisma reads: what a query selects of them, from both ends, with cursors that outlive their rows. */

/** The columns of the order, none of which may be null; the last is the id. */
export type Order<Model extends keyof PrismaTypes> = readonly (readonly [
  column: keyof PrismaTypes[Model]['Shape'] & string,
  direction: 'asc' | 'desc',
])[];

export const OLDEST_FIRST = [
  ['createdAt', 'asc'],
  ['id', 'asc'],
] as const;

export const NEWEST_FIRST = [
  ['createdAt', 'desc'],
  ['id', 'desc'],
] as const;

type Row = Readonly<Record<string, unknown>>;
type Key = {
  readonly column: string;
  readonly ascending: boolean;
  readonly type: string;
};
/** The values of the order's columns in one row. */
type Place = readonly unknown[];

/**
 * A page of the rows of a model as a connection: one statement, and one more for its count if that is asked for. A cursor holds the
 * row's place in the order, so that the next page is right although the row was deleted; it is `invalid_request` in a list of
 * another model, condition or order. REST names places by ids: finding them is one statement more.
 */
export async function prismaListOf<Model extends keyof PrismaTypes>(
  context: Context,
  info: GraphQLResolveInfo,
  args: ConnectionArguments,
  list: {
    readonly model: Model;
    /** The condition for every row of the list. */
    readonly where: PrismaTypes[Model]['Where'];
    readonly order: Order<Model>;
    readonly bounds?: typeof PAGE;
  },
) {
  const { model, where, order, bounds = PAGE } = list;
  const request = requestedPage(args, bounds);
  const { size, backwards, after, before } = request;
  const keys = keysOf(model, order);
  const rows = delegateOf(context, model);
  const mark = digestOf([model, where, order]);
  const places = context.bounded
    ? {
        after: placeOfCursor('after', after, keys, mark),
        before: placeOfCursor('before', before, keys, mark),
      }
    : await placesOfIds(rows, where, keys, { after, before });
  const columns = Object.fromEntries(keys.map(({ column }) => [column, true]));
  const found = await rows.findMany({
    ...queryFromInfo({ context, info, path: ['edges', 'node'], select: columns }),
    where: { AND: [where, beyond(keys, places.after, true), beyond(keys, places.before, false)] },
    orderBy: keys.map(({ column, ascending }) => ({ [column]: ascending === backwards ? 'desc' : 'asc' })),
    take: size + 1,
  });
  const page = pageOf(found, request);
  const edges = page.rows.map((node) => {
    const place = placeOf(keys, node);
    return { cursor: context.bounded ? cursorOf(place, mark) : String(place.at(-1)), node };
  });
  const cursors = edges.map(({ cursor }) => cursor);
  const count = async () => countedUpTo(await rows.count({ where, take: COUNTED + 1 }));
  return { edges, pageInfo: pageInfoOf(request, page.hasMore, cursors, count) };
}

/** The rows of a page that another statement has found, with what a query selects of them. */
export function rowsOfPage<Model extends keyof PrismaTypes>(
  context: Context,
  info: GraphQLResolveInfo,
  { model, where }: { readonly model: Model; readonly where: PrismaTypes[Model]['Where'] },
): Promise<PrismaTypes[Model]['Shape'][]> {
  const query = queryFromInfo({ context, info, path: ['edges', 'node'] });
  return delegateOf(context, model).findMany({ ...query, where });
}

function keysOf<Model extends keyof PrismaTypes>(model: Model, order: Order<Model>): Key[] {
  const { fields } = getModel(model, builder);
  return order.map(([column, direction]) => {
    const { type } = fields.find(({ name }) => name === column)!;
    return { column, ascending: direction === 'asc', type };
  });
}

const placeOf = (keys: readonly Key[], row: object): Place => keys.map(({ column }) => (row as Row)[column]);

function cursorOf(place: Place, mark: string): string {
  return `${Buffer.from(JSON.stringify(place)).toString('base64url')}.${mark}`;
}

/** The place that a cursor holds; `invalid_request` for one of another list, and for what was never a cursor. */
function placeOfCursor(
  field: string,
  cursor: string | null,
  keys: readonly Key[],
  mark: string,
): Place | null {
  if (cursor === null) return null;
  const [encoded, own, ...more] = cursor.split('.');
  const values = own === mark && more.length === 0 ? parsed(encoded!) : null;
  const isPlace =
    Array.isArray(values) && values.length === keys.length && keys.every((key, at) => isOf(key, values[at]));
  if (!isPlace) return valueOrThrow<Place>(invalidField(field, 'invalid_value', OTHER_LIST));
  return keys.map(({ type }, at) => (type === 'DateTime' ? new Date(values[at]) : values[at]));
}

function parsed(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString());
  } catch {
    return null;
  }
}

/** Whether a value of a cursor, which anybody can write, is one that the column can be compared with. */
function isOf({ type }: Key, value: unknown): boolean {
  if (type === 'Int') return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
  if (typeof value !== 'string') return false;
  return type === 'DateTime'
    ? isStorableInstant(new Date(value))
    : !value.includes('\0') && value.isWellFormed();
}

/** The places of rows by their ids; `invalid_request` for an id of none in the list. */
async function placesOfIds(
  rows: Delegate<object>,
  where: object | undefined,
  keys: readonly Key[],
  named: { readonly after: string | null; readonly before: string | null },
): Promise<{ readonly after: Place | null; readonly before: Place | null }> {
  const id = keys.at(-1)!.column;
  const ids = Object.values(named).filter((one) => one !== null && IS_ID.test(one));
  const select = Object.fromEntries(keys.map(({ column }) => [column, true]));
  const found =
    ids.length === 0 ? [] : await rows.findMany({ select, where: { AND: [where, { [id]: { in: ids } }] } });
  const places = new Map(found.map((row) => placeOf(keys, row)).map((place) => [place.at(-1), place]));
  const placeNamed = (field: 'after' | 'before') => {
    const wanted = named[field];
    const detail = 'is not a cursor of this list';
    return wanted === null
      ? null
      : (places.get(wanted) ?? valueOrThrow<Place>(invalidField(field, 'invalid_value', detail)));
  };
  return { after: placeNamed('after'), before: placeNamed('before') };
}

/** The condition for rows after a place or, not `later`, before it; for all when there is no place. */
function beyond(keys: readonly Key[], place: Place | null, later: boolean): object {
  const [key, ...others] = keys;
  if (place === null || key === undefined) return {};
  const [value, ...rest] = place;
  const { column } = key;
  const up = key.ascending === later;
  const strictly = { [column]: { [up ? 'gt' : 'lt']: value } };
  if (others.length === 0) return strictly;
  // Stated of the first column by itself, the condition is a range of an index.
  const notBack = { [column]: { [up ? 'gte' : 'lte']: value } };
  return { AND: [notBack, { OR: [strictly, beyond(others, rest, later)] }] };
}
