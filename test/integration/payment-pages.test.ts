import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { countInvoices, cursorsAt, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import type { PaymentStatus } from '../../src/subjects/invoices/types.ts';
import { sentDuring } from '../support/database/statements.ts';
import type { TestService } from '../support/http/http-service.ts';
import { type LargeCompany, largeCompany } from './large-company.ts';
import { collected, inflateStatistics, nodesOf, type PlanNode, plansOf } from './query-plans.ts';

/** Pages by payment status where a third of all invoices is paid, a third in part and a third not, half of them due. */

const INVOICES = 1_200;
const PAGE = 10;

let company: LargeCompany;
let service: TestService;
let client: pg.PoolClient;
let environmentId: number;
/** The newest first. */
let issued: { id: string; status: PaymentStatus }[];
beforeAll(async () => {
  company = await largeCompany(INVOICES);
  ({ service, client, environmentId } = company);
  // What was due is recorded as overdue but for the last few; of the others a few were recorded before they got another day.
  const { rows } = await client.query<{ id: string; status: PaymentStatus }>(
    `with numbered as (
       select id, issued_at, place, case place % 3 when 0 then 1000 when 1 then 500 else 0 end as paid, place / 3 % 2 = 0 as is_due,
              place % 100 in (12, 13, 14, 17) as is_other
         from (select id, issued_at, row_number() over (order by issued_at, id)::int as place from invoice
                where environment_id = $1) as invoice
     ), written as (
       insert into payment_account (environment_id, root_id, holder_id, payable, paid, due_on, listed_at, overdue_told_at)
       select $1, id, id, 1000, paid, (now() at time zone 'Europe/Madrid')::date + case when is_due then -3 else 30 end, issued_at,
              case when is_due <> is_other then now() end
         from numbered
     )
     select id, case when paid = 1000 then 'paid' when is_due then 'overdue' when paid > 0 then 'partially_paid' else 'unpaid' end
            as status from numbered order by issued_at desc, id desc`,
    [environmentId],
  );
  issued = rows;
  await inflateStatistics(client, ['invoice', 'invoice_line', 'payment_account'], 1_000_000);
});
afterAll(() => company?.close());

const ASKED: PaymentStatus[][] = [
  ...([['unpaid'], ['partially_paid'], ['paid'], ['overdue']] as PaymentStatus[][]),
  ...([
    ['partially_paid', 'overdue'],
    ['unpaid', 'partially_paid'],
    ['paid', 'overdue'],
  ] as PaymentStatus[][]),
  ['unpaid', 'partially_paid', 'paid', 'overdue'],
];

/** The page between two of its invoices, and what was sent for it. */
async function pageOf(paymentStatuses: PaymentStatus[], end: { after?: string; before?: string } = {}) {
  const { pool } = service.db;
  const places = await cursorsAt(pool, environmentId, Object.values(end), NEWEST_FIRST);
  const placeOf = (id?: string) => (id === undefined ? null : places.get(id)!);
  const between = { after: placeOf(end.after), before: placeOf(end.before) };
  const page = { order: NEWEST_FIRST, size: PAGE, backwards: end.before !== undefined, ...between };
  let ids: string[] = [];
  const sent = await sentDuring(async () => {
    const rows = await filteredInvoices(pool, environmentId, { paymentStatuses }, page);
    ids = rows.map(({ id }) => id);
  });
  return { ids, sent };
}

test.each(ASKED.map((statuses) => [statuses]))(
  'of %j follow each other in both directions and are counted',
  async (statuses) => {
    const all = issued.flatMap(({ id, status }) => (statuses.includes(status) ? [id] : []));
    expect(all.length).toBeGreaterThan(5 * PAGE);
    const found: string[] = [];
    for (let pages = 0; pages < 5; pages += 1)
      found.push(...(await pageOf(statuses, found.length === 0 ? {} : { after: found.at(-1)! })).ids);
    expect(found).toEqual(all.slice(0, 5 * PAGE));
    const end = all.at(-1)!;
    expect((await pageOf(statuses, { before: end })).ids).toEqual(all.slice(0, -1).reverse().slice(0, PAGE));
    expect(await countInvoices(service.db.pool, environmentId, { paymentStatuses: statuses }, 10_000)).toBe(
      all.length,
    );
  },
);

test('of a period are those of it, in both directions, and are counted', async () => {
  const { rows } = await client.query<{ from: Date; before: Date }>(
    `select min(issued_at) as from, max(issued_at) as before from invoice where environment_id = $1 and id = any ($2)`,
    [environmentId, [issued[900]!.id, issued[300]!.id]],
  );
  const [{ from: issuedFrom, before: issuedBefore }] = rows as [{ from: Date; before: Date }];
  const { pool } = service.db;
  for (const paymentStatuses of ASKED) {
    const filter = { paymentStatuses, issuedFrom, issuedBefore };
    const all = issued
      .slice(301, 901)
      .flatMap(({ id, status }) => (paymentStatuses.includes(status) ? [id] : []));
    const page = { order: NEWEST_FIRST, size: PAGE, after: null, before: null };
    const first = await filteredInvoices(pool, environmentId, filter, { ...page, backwards: false });
    expect(first.map(({ id }) => id)).toEqual(all.slice(0, PAGE));
    const last = await filteredInvoices(pool, environmentId, filter, { ...page, backwards: true });
    expect(last.map(({ id }) => id)).toEqual(all.reverse().slice(0, PAGE));
    expect(await countInvoices(pool, environmentId, filter, 10_000)).toBe(all.length);
  }
});

/** Accounts that are in another part of the index than most of their status. */
const FEW = /"payment_account_(untold|no_longer_overdue)"/;

test.each(ASKED.map((statuses) => [statuses]))(
  'of %j are read from an index in their order, even of a million',
  async (statuses) => {
    for (const end of [{}, { after: issued[600]!.id }, { before: issued[600]!.id }]) {
      const { sent } = await pageOf(statuses, end);
      const page = sent.find(({ text }) => text.includes('as sets'))!;
      for (const plan of await plansOf(client, page)) {
        const indexes = [...nodesOf(plan)].map((node) => node['Index Name']);
        expect(indexes, page.text).toContain('payment_account_settlement');
        expect([...collected(plan, FEW)], page.text).toEqual([]);
      }
    }
  },
);

/** How accounts are read that are counted, but for the few. */
function* accountReads(node: PlanNode): Generator<string> {
  const index = node['Index Name'];
  if (node['Relation Name'] === 'payment_account' && !FEW.test(`"${index}"`))
    yield `${node['Node Type']} ${index}`;
  for (const inner of node.Plans ?? []) yield* accountReads(inner);
}

test.each(ASKED.map((statuses) => [statuses]))(
  'of %j can be counted by indexes alone',
  async (paymentStatuses) => {
    const sent = await sentDuring(() =>
      countInvoices(service.db.pool, environmentId, { paymentStatuses }, 10_000),
    );
    const [count] = sent.filter(({ text }) => text.startsWith('select count'));
    await client.query('begin');
    // As a vacuum leaves it: whether one has been here by now is chance. Rows are read only where an index lacks something.
    await client.query(`update pg_class set relallvisible = relpages where relname = 'payment_account'`);
    for (const way of ['seqscan', 'bitmapscan', 'indexscan'])
      await client.query(`set local enable_${way} = off`);
    const reads = (await plansOf(client, count!)).flatMap((plan) => [...accountReads(plan)]);
    await client.query('rollback');
    // Of an invoice, and not of a state.
    const ofStates = reads.filter((read) => !read.endsWith('payment_account_pkey'));
    expect(new Set(ofStates)).toEqual(new Set(['Index Only Scan payment_account_settlement']));
  },
);
