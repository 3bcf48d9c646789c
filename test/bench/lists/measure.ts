import { filterOf } from '../../../src/faces/graphql/schema/invoice-filter.ts';
import { NEWEST_FIRST } from '../../../src/subjects/invoices/filter.ts';
import { countInvoices, filteredInvoices } from '../../../src/subjects/invoices/store/list.ts';
import { endPrograms } from '../../support/processes/running-program.ts';
import { type Databases, type Filled, openDatabases } from '../millions/databases.ts';
import { type RunningService, startService } from '../workspace.ts';
import { type ListedBy, listsOf } from './filters.ts';
import { VARIED } from './varied.ts';

/** Pages of a company's lists where it has few invoices and where it has many, in turn: every filter, from both ends and from deep within. */

/** What of a list is requested. */
export const SHAPES = ['first', 'deep', 'last', 'backward', 'count'] as const;
export type Shape = (typeof SHAPES)[number];

/** In milliseconds, the median of the rounds; null what takes so long that it is refused, as a search for a rare text may. */
export type P50 = { readonly few: number | null; readonly many: number | null };

export type ListTimes = { readonly what: string; readonly p50: Readonly<Record<Shape, P50>> };

export type ListsOfMillion = {
  readonly few: number;
  readonly many: number;
  readonly bytes: number;
  readonly creationSeconds: number;
  readonly rounds: number;
  readonly lists: readonly ListTimes[];
};

/** Of all matching invoices, those before a deep page. */
const DEPTH = 0.7;
const PAGE = 25;
/** More than there are. */
const ALL = 1_000_000_000;
const ID_LENGTH = 36;
/** The code of what takes too long. */
const REFUSED = 'service_unavailable';

/** Nothing but the list itself: what is read of its invoices costs the same anywhere. */
const PAGE_QUERY = `query Page($filter: InvoiceFilter, $orderBy: InvoiceOrder, $first: Int, $after: String, $last: Int, $before: String) {
  invoices(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id number total } } pageInfo { hasNextPage hasPreviousPage }
  }
}`;
const COUNT_QUERY = `query Count($filter: InvoiceFilter, $first: Int) {
  invoices(filter: $filter, first: $first) { totalCount totalCountIsExact }
}`;

type Side = { readonly service: RunningService; readonly filled: Filled };
type Answer = { readonly invoices: { readonly edges: readonly { readonly cursor: string }[] } };

export async function listsOfMillion(plan: {
  readonly directory: string;
  readonly few: number;
  readonly many: number;
  readonly rounds: number;
  readonly print: (line: string) => void;
}): Promise<ListsOfMillion> {
  const databases = await openDatabases(plan.directory, plan, plan.print, VARIED);
  try {
    const { bytes, seconds, invoices } = databases.many;
    const lists = await timesOf(databases, plan);
    return {
      ...{ few: databases.few.invoices, many: invoices, bytes, creationSeconds: seconds },
      ...{ rounds: plan.rounds, lists },
    };
  } finally {
    endPrograms();
    await databases.close();
  }
}

async function timesOf(
  { directory, few, many }: Databases,
  { rounds, print }: { readonly rounds: number; readonly print: (line: string) => void },
): Promise<ListTimes[]> {
  const sideOf = async (filled: Filled): Promise<Side> => ({
    filled,
    service: await startService({ directory }, filled.url, { jobs: 'outside', profile: null }),
  });
  const sides = { few: await sideOf(few), many: await sideOf(many) };
  const [ofFew, ofMany] = [await listsAt(sides.few), await listsAt(sides.many)];
  const lists: ListTimes[] = [];
  for (const [place, { what }] of ofFew.entries()) {
    const requests = {
      few: await requestsOf(sides.few, ofFew[place]!),
      many: await requestsOf(sides.many, ofMany[place]!),
    };
    const p50 = {} as Record<Shape, P50>;
    for (const shape of SHAPES) {
      const request = (side: 'few' | 'many') => () => answerOf(sides[side], requests[side][shape]);
      p50[shape] = await inTurn(rounds, { few: request('few'), many: request('many') });
    }
    lists.push({ what, p50 });
    const ms = (value: number | null) => value?.toFixed(2) ?? 'refused';
    const figures = SHAPES.map((shape) => `${shape} ${ms(p50[shape].few)} / ${ms(p50[shape].many)}`);
    print(`${what}: ${figures.join(', ')} ms`);
  }
  for (const { service } of Object.values(sides)) await service.stop();
  return lists;
}

const companyOf = ({ filled }: Side) => filled.companies[0]!.live;

function listsAt(side: Side): Promise<ListedBy[]> {
  return listsOf(side.filled.db.pool, companyOf(side).environmentId);
}

/** The bodies of the requests for a list. A deep page begins where it would if somebody had come there page by page. */
async function requestsOf(side: Side, list: ListedBy): Promise<Record<Shape, string>> {
  const { filter, orderBy } = list;
  const page = (range: object) =>
    JSON.stringify({ query: PAGE_QUERY, variables: { filter, orderBy, ...range } });
  const first = page({ first: PAGE });
  const [newest] = (await answered(side, first)).invoices.edges;
  if (newest === undefined) throw new Error(`${list.what} lists nothing`);
  const deep = `${await deepId(side, list)}${newest.cursor.slice(ID_LENGTH)}`;
  return {
    ...{ first, deep: page({ first: PAGE, after: deep }) },
    ...{ last: page({ last: PAGE }), backward: page({ last: PAGE, before: deep }) },
    count: JSON.stringify({ query: COUNT_QUERY, variables: { filter, first: 1 } }),
  };
}

async function deepId(side: Side, { filter, orderBy }: ListedBy): Promise<string> {
  const { pool } = side.filled.db;
  const { environmentId } = companyOf(side);
  const matched = filterOf(filter);
  const size = Math.ceil(DEPTH * (await countInvoices(pool, environmentId, matched, ALL)));
  const range = { order: orderBy ?? NEWEST_FIRST, size, backwards: false, after: null, before: null };
  return (await filteredInvoices(pool, environmentId, matched, range)).at(-1)!.id;
}

async function answered(side: Side, body: string): Promise<Answer> {
  const answer = await answerOf(side, body);
  if (answer === null) throw new Error(`${body} is refused`);
  return answer;
}

/** Null when it takes too long. */
async function answerOf(side: Side, body: string): Promise<Answer | null> {
  const response = await fetch(`${side.service.baseUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${companyOf(side).key}`, 'content-type': 'application/json' },
    body,
  });
  const { data, errors } = (await response.json()) as {
    data?: Answer;
    errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  };
  if (errors?.every(({ extensions }) => extensions?.code === REFUSED)) return null;
  if (errors !== undefined || data === undefined) throw new Error(`${body}: ${JSON.stringify(errors)}`);
  return data;
}

/** Each is first as often as it is second; the first round is not counted. */
export async function inTurn(
  rounds: number,
  work: Readonly<Record<'few' | 'many', () => Promise<object | null>>>,
): Promise<P50> {
  const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
  const refused = new Set<'few' | 'many'>();
  for (let round = 0; round <= rounds; round++) {
    for (const side of round % 2 === 0 ? (['few', 'many'] as const) : (['many', 'few'] as const)) {
      if (refused.has(side)) continue;
      const begun = performance.now();
      if ((await work[side]()) === null) refused.add(side);
      else if (round > 0) times[side].push(performance.now() - begun);
    }
  }
  const median = (side: 'few' | 'many') =>
    refused.has(side) ? null : times[side].sort((a, b) => a - b)[Math.floor(times[side].length / 2)]!;
  return { few: median('few'), many: median('many') };
}
