import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { conditionsOf } from '../../src/subjects/invoices/store/conditions.ts';
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
       select id, issued_at, place, place / 3 % 2 = 0 as is_due, place % 100 in (12, 13, 14, 17) as is_other,
              case when place % 12 = 6 then 0 else 1000 end as payable,
              case when place % 12 = 6 then 0 when place % 3 = 0 then 1000 when place % 3 = 1 then 500 else 0 end as paid
         from (select id, issued_at, row_number() over (order by issued_at, id)::int as place from invoice
                where environment_id = $1) as invoice
     ), written as (
       insert into payment_account (environment_id, root_id, holder_id, payable, paid, due_on, listed_at, overdue_told_at)
       select $1, id, id, payable, paid, (now() at time zone 'Europe/Madrid')::date + case when is_due then -3 else 30 end, issued_at,
              case when is_due <> is_other then now() end
         from numbered
     )
     select id, case when payable = 0 then 'credited' when paid = 1000 then 'paid' when is_due then 'overdue' when paid > 0 then 'partially_paid' else 'unpaid' end
            as status from numbered order by issued_at desc, id desc`,
    [environmentId],
  );
  issued = rows;
  await inflateStatistics(client, ['invoice', 'invoice_line', 'payment_account'], 1_000_000);
});
afterAll(() => company?.close());

/** Together they are of more accounts than are collected as a set. */
const STATUSES: PaymentStatus[] = ['unpaid', 'partially_paid', 'paid', 'overdue', 'credited'];

const ASKED: PaymentStatus[][] = [
  ...([['unpaid'], ['partially_paid'], ['paid'], ['overdue'], ['credited']] as PaymentStatus[][]),
  ...([
    ['partially_paid', 'overdue'],
    ['unpaid', 'partially_paid'],
    ['paid', 'overdue'],
    ['paid', 'credited'],
  ] as PaymentStatus[][]),
  STATUSES,
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

/** The page of a customer who has three of seven invoices, and what was sent for it. */
async function ofCustomer(paymentStatuses: PaymentStatus[], after: string | null) {
  const { pool } = service.db;
  const place =
    after === null ? null : (await cursorsAt(pool, environmentId, [after], NEWEST_FIRST)).get(after)!;
  const filter = { paymentStatuses, externalCustomerId: 'customer-7' };
  const page = { order: NEWEST_FIRST, size: PAGE, backwards: false, after: place, before: null };
  let ids: string[] = [];
  const sent = await sentDuring(async () => {
    ids = (await filteredInvoices(pool, environmentId, filter, page)).map(({ id }) => id);
  });
  return { ids, sent, count: await countInvoices(pool, environmentId, filter, 10_000) };
}

describe('of a customer', () => {
  let half: typeof issued;
  beforeAll(async () => {
    half = issued.filter((_, index) => index % 7 < 3);
    await client.query('set session_replication_role = replica');
    await client.query(
      `update invoice set external_customer_id = 'customer-7' where environment_id = $1 and id = any ($2)`,
      [environmentId, half.map(({ id }) => id)],
    );
    await client.query('reset session_replication_role');
  });

  test.each(ASKED.map((statuses) => [statuses]))('%j follow each other and are counted', async (statuses) => {
    const all = half.flatMap(({ id, status }) => (statuses.includes(status) ? [id] : []));
    expect(all.length).toBeGreaterThan(2 * PAGE);
    const first = await ofCustomer(statuses, null);
    expect(first).toMatchObject({ ids: all.slice(0, PAGE), count: all.length });
    expect((await ofCustomer(statuses, all[PAGE - 1]!)).ids).toEqual(all.slice(PAGE, 2 * PAGE));
  });

  test.each(ASKED.map((statuses) => [statuses]))('%j are the same looked up for each', async (statuses) => {
    const filter = { paymentStatuses: statuses, externalCustomerId: 'customer-7' };
    const { texts, values } = conditionsOf(environmentId, filter, { paymentStatuses: true });
    const { rows } = await client.query<{ id: string }>(
      `select id from invoice where ${texts.join(' and ')} order by issued_at desc, id desc`,
      values,
    );
    const all = half.flatMap(({ id, status }) => (statuses.includes(status) ? [id] : []));
    expect(rows.map(({ id }) => id)).toEqual(all);
  });

  test('without an account are unpaid, unless voided, and follow among the others', async () => {
    const [one, other] = half as [(typeof issued)[number], (typeof issued)[number]];
    await client.query('begin; set local session_replication_role = replica');
    await client.query('delete from payment_account where environment_id = $1 and root_id = any ($2)', [
      environmentId,
      [one.id, other.id],
    ]);
    await client.query(
      `insert into invoice_void (environment_id, invoice_id, record_id, reason, voided_by, voided_at)
       values ($1, $2, 'rec_1', 'x', 'x', now())`,
      [environmentId, other.id],
    );
    const filter = { paymentStatuses: STATUSES, externalCustomerId: 'customer-7' };
    const page = { order: NEWEST_FIRST, size: PAGE, backwards: false, after: null, before: null };
    const rows = await filteredInvoices(client, environmentId, filter, page);
    await client.query('rollback');
    const expected = half.filter(({ id }) => id !== other.id).slice(0, PAGE);
    expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  });

  test('in a status that many have are looked up for each invoice of the customer, and in one of few are a set', async () => {
    for (const [statuses, isEach] of [
      [STATUSES, true],
      [['overdue'], false],
    ] as const) {
      const { sent } = await ofCustomer([...statuses], half[0]!.id);
      const page = sent.find(({ text }) => text.startsWith('select id'))!;
      for (const plan of await plansOf(client, page)) {
        const indexes = [...nodesOf(plan)].map((node) => node['Index Name']);
        const ofAccounts = indexes.filter((index) => index?.startsWith('payment_account'));
        const byHolder = /^payment_account_(environment_id_holder_id_key|pkey)$/;
        expect(
          ofAccounts.every((index) => byHolder.test(index!)),
          page.text,
        ).toBe(isEach);
      }
    }
  });
});

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

test('of a customer are counted without reading an invoice that has an account', async () => {
  const filter = { paymentStatuses: STATUSES, externalCustomerId: 'customer-7' };
  const sent = await sentDuring(() => countInvoices(service.db.pool, environmentId, filter, 10_000));
  const [count, ...others] = sent.filter(({ text }) => text.startsWith('select count'));
  expect(others).toEqual([]);
  await client.query('begin');
  await client.query(
    `update pg_class set relallvisible = relpages where relname in ('invoice', 'payment_account')`,
  );
  for (const way of ['seqscan', 'bitmapscan', 'indexscan'])
    await client.query(`set local enable_${way} = off`);
  const reads = (await plansOf(client, count!)).flatMap((plan) =>
    [...nodesOf(plan)].flatMap((node) =>
      node['Relation Name'] === 'invoice' ? [`${node['Node Type']} ${node['Index Name']}`] : [],
    ),
  );
  await client.query('rollback');
  expect(reads).toContain('Index Only Scan invoice_environment_id_external_customer_id_issued_at_id_idx');
  // Of those without an account.
  expect(reads.filter((read) => !read.startsWith('Index Only Scan'))).toHaveLength(1);
});
