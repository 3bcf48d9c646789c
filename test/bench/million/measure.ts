import { filterOf } from '../../../src/faces/graphql/schema/invoice-filter.ts';
import { NEWEST_FIRST } from '../../../src/subjects/invoices/filter.ts';
import { countInvoices, filteredInvoices } from '../../../src/subjects/invoices/store/list.ts';
import { endPrograms } from '../../support/processes/running-program.ts';
import { type RunningService, startService } from '../workspace.ts';
import { type Filled, openFilled } from './database.ts';
import { type ListedBy, listsOf } from './lists.ts';
import { type Question, totalPagesAsked, totalsAsked } from './totals.ts';

/** What a front end asks of a company with very many invoices: every list, from both ends and from deep within, its count, and every total. */

/** How long an answer takes, or a refusal, which is never what is wanted. */
export type Answered = {
  readonly what: string;
  readonly mostMs: number;
  readonly p50Ms: number;
  readonly isRefused: boolean;
};

/** So long at most may an answer take; by recipient where each invoice has one of its own. */
const MOST_MS = 150;
const MOST_OF_MANY_MS = 1_000;

const FEW_RECIPIENTS = 100;

/** Of all matching invoices, those before a deep page. */
const DEPTH = 0.7;
const PAGE = 25;
/** More than there are. */
const ALL = 1_000_000_000;
const ID_LENGTH = 36;

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
type Placed = { readonly cursor: string };
type Answer = {
  readonly invoices?: { readonly edges: readonly Placed[] };
  readonly invoiceTotals?: readonly Placed[];
};

type Plan = {
  readonly directory: string;
  readonly invoices: number;
  readonly rounds: number;
  readonly print: (line: string) => void;
};

/** The databases are made in, and found again in, `directory`. */
export async function questionsOfMillion({ directory, invoices, rounds, print }: Plan): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const recipients of [FEW_RECIPIENTS, invoices]) {
    const folder = `${directory}/${recipients}-recipients`;
    const filled = await openFilled(folder, { invoices, recipients }, print);
    try {
      const service = await startService(filled, filled.url, { jobs: 'outside', profile: null });
      const side = { service, filled };
      const isFew = recipients === FEW_RECIPIENTS;
      const totals = totalsAsked().filter(({ what }) => isFew || what.includes('by recipient'));
      const lists = isFew ? await pagesAsked(side) : [];
      const questions = [...lists, ...totals, ...(await totalPagesOf(side))];
      for (const question of questions) {
        const what = isFew ? question.what : `${question.what}, one for each invoice`;
        const asked = await ask(side, question, rounds);
        answered.push({ what, mostMs: isFew ? MOST_MS : MOST_OF_MANY_MS, ...asked });
        print(`${what}: ${asked.isRefused ? 'refused after ' : ''}${asked.p50Ms.toFixed(2)} ms`);
      }
      await service.stop();
    } finally {
      endPrograms();
      await filled.close();
    }
  }
  return answered;
}

/** The median of the rounds; the first one is not counted. Who is refused once is not asked again. */
async function ask(
  side: Side,
  question: Question,
  rounds: number,
): Promise<Pick<Answered, 'p50Ms' | 'isRefused'>> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const begun = performance.now();
    const isRefused = (await answerOf(side, question)) === null;
    const took = performance.now() - begun;
    if (isRefused) return { p50Ms: took, isRefused };
    if (round > 0) times.push(took);
  }
  return { p50Ms: times.sort((one, other) => one - other)[Math.floor(times.length / 2)]!, isRefused: false };
}

async function pagesAsked(side: Side): Promise<Question[]> {
  const { db, company } = side.filled;
  const lists = await listsOf(db.pool, company.live.environmentId);
  const pages: Question[] = [];
  // One after the other: all at once, on a database that was just made, some wait for longer than a statement may take.
  for (const list of lists) pages.push(...(await pagesOf(side, list)));
  return pages;
}

/** A deep page begins where it would if somebody had come there page by page. */
async function pagesOf(side: Side, list: ListedBy): Promise<Question[]> {
  const { filter, orderBy } = list;
  const page = (shape: string, range: object): Question => ({
    what: `${list.what}: ${shape}`,
    query: PAGE_QUERY,
    variables: { filter, orderBy, ...range },
  });
  const first = page('first page', { first: PAGE });
  const newest = (await answerOf(side, first))?.invoices?.edges[0];
  if (newest === undefined) throw new Error(`${list.what} lists nothing`);
  const deep = `${await deepId(side, list)}${newest.cursor.slice(ID_LENGTH)}`;
  return [
    ...[first, page('deep', { first: PAGE, after: deep }), page('last page', { last: PAGE })],
    page('deep, backward', { last: PAGE, before: deep }),
    { what: `${list.what}: count`, query: COUNT_QUERY, variables: { filter, first: 1 } },
  ];
}

/** Totals by recipient as pages: a deep one begins after a recipient of whom as many stand before. */
async function totalPagesOf(side: Side): Promise<Question[]> {
  const { db, company } = side.filled;
  const text = `select recipient_tax_id as id from invoice where environment_id = $1 and recipient_tax_id is not null
    group by 1 order by recipient_tax_id collate "C"`;
  const { rows } = await db.pool.query<{ id: string }>(text, [company.live.environmentId]);
  const key = Buffer.from(rows[Math.floor(DEPTH * rows.length)]!.id).toString('base64url');
  const questions: Question[] = [];
  for (const { first, deep } of totalPagesAsked()) {
    questions.push(first);
    const group = (await answerOf(side, first))?.invoiceTotals?.[0];
    // Refused, it is so when its turn comes as well.
    if (group !== undefined) questions.push(deep([key, ...group.cursor.split('.').slice(1)].join('.')));
  }
  return questions;
}

async function deepId({ filled }: Side, { filter, orderBy }: ListedBy): Promise<string> {
  const { pool } = filled.db;
  const { environmentId } = filled.company.live;
  const matched = filterOf(filter, 'Europe/Madrid');
  const size = Math.ceil(DEPTH * (await countInvoices(pool, environmentId, matched, ALL)));
  const range = { order: orderBy ?? NEWEST_FIRST, size, backwards: false, after: null, before: null };
  return (await filteredInvoices(pool, environmentId, matched, range)).at(-1)!.id;
}

/** Null when it is refused. */
async function answerOf({ service, filled }: Side, { query, variables }: Question): Promise<Answer | null> {
  const response = await fetch(`${service.baseUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${filled.company.live.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as {
    data?: Answer;
    errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
  };
  if (data !== undefined && errors === undefined) return data;
  if (
    errors?.every(({ extensions }) => extensions?.code !== undefined && extensions.code !== 'internal_error')
  )
    return null;
  throw new Error(`${JSON.stringify(variables)}: ${JSON.stringify(errors)}`);
}
