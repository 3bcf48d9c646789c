import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InvoiceFilter, type InvoiceOrder, NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { listInvoices } from '../../src/subjects/invoices/list.ts';
import { countInvoices } from '../../src/subjects/invoices/store/list.ts';
import { sentDuring } from '../support/database/statements.ts';
import { type LargeCompany, largeCompany } from './large-company.ts';
import { inflateStatistics, nodesOf, plansOf } from './query-plans.ts';

/** Lists by what is due, where a third of the invoices have an account and some of the others are voided or have withheld tax. */

const INVOICES = 600;
const PAGE = 7;

type Issued = { id: string; at: Date; due: number | null; type: string };

let company: LargeCompany;
/** The newest first. */
let issued: Issued[];
beforeAll(async () => {
  company = await largeCompany(INVOICES);
  const { client, environmentId } = company;
  await client.query('set session_replication_role = replica');
  for (const table of ['payment_account', 'invoice_void', 'invoice_exchange'])
    await client.query(`delete from ${table} where environment_id = $1`, [environmentId]);
  await client.query(
    `create temporary table numbered as
       select id, issued_at, row_number() over (order by issued_at, id)::int as place from invoice where environment_id = ${environmentId}`,
  );
  await client.query(
    `update invoice set kind = 'original', rectifies_id = null, rectifies_ids = null, due_date = null, payment = null,
        total = 100 + place % 90, subtotal = 100 + place % 90 - tax, disbursed_amount = case when place % 7 = 0 then 25 end
       from numbered where environment_id = $1 and invoice.id = numbered.id`,
    [environmentId],
  );
  await client.query(
    `insert into payment_account (environment_id, root_id, holder_id, payable, paid, listed_at)
     select $1, id, case when place % 10 > 0 then id end, 200, place % 5 * 50, case when place % 10 > 0 then issued_at end
       from numbered where place % 3 = 0`,
    [environmentId],
  );
  await client.query(
    `insert into invoice_void (environment_id, invoice_id, reason, record_id, voided_by, voided_at)
     select $1, id, 'x', id, 'x', now() from numbered where place % 11 = 1 and place % 3 > 0`,
    [environmentId],
  );
  const { rows } = await client.query<Issued>(
    `select invoice.id, invoice.issued_at as at, type::text,
            case when place % 3 = 0 then case when place % 10 > 0 then 200 - place % 5 * 50 end
                 when place % 11 <> 1 then 100 + place % 90 + case when place % 7 = 0 then 25 else 0 end end as due
       from numbered join invoice on environment_id = $1 and invoice.id = numbered.id
      order by invoice.issued_at desc, invoice.id desc`,
    [environmentId],
  );
  issued = rows;
  await client.query('reset session_replication_role');
  await inflateStatistics(client, ['invoice', 'invoice_line', 'payment_account'], 1_000_000);
});
afterAll(() => company?.close());

const owed = () => issued.filter((one): one is Issued & { due: number } => one.due !== null);

const inOrder = (direction: 'ASC' | 'DESC') => {
  const sorted = owed().toSorted(
    (a, b) => a.due - b.due || a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1),
  );
  return direction === 'ASC' ? sorted : sorted.toReversed();
};

/** All pages of a list, one after the other. */
async function allPages(filter: InvoiceFilter, order: InvoiceOrder, backwards: boolean): Promise<string[]> {
  const seen: string[][] = [];
  let place: string | null = null;
  for (;;) {
    const between = backwards ? { after: null, before: place } : { after: place, before: null };
    const page = await listInvoices(company.service.db, company.environmentId, filter, {
      ...{ order, size: PAGE, backwards, ...between },
    });
    if (!('ids' in page)) throw new Error(page.detail);
    seen.push([...page.ids]);
    place = (backwards ? page.places[0] : page.places.at(-1)) ?? null;
    if (!page.hasMore) return (backwards ? seen.toReversed() : seen).flat();
  }
}

test.each(['ASC', 'DESC'] as const)(
  'in the order of what is due, %s, pages from both ends are the whole list',
  async (direction) => {
    const all = inOrder(direction);
    const order = { field: 'AMOUNT_DUE', direction } as const;
    for (const backwards of [false, true]) {
      expect(await allPages({}, order, backwards)).toEqual(all.map(({ id }) => id));
      const some = all.filter(({ due, type }) => due >= 120 && due <= 150 && type === 'simplified');
      const filter = { amountDueFrom: 120, amountDueTo: 150, types: ['simplified' as const] };
      expect(await allPages(filter, order, backwards)).toEqual(some.map(({ id }) => id));
    }
  },
);

test.each([
  [{ amountDueFrom: 130 }, ({ due }: { due: number }) => due >= 130],
  [{ amountDueTo: 0 }, ({ due }: { due: number }) => due <= 0],
  [{ amountDueFrom: 50, amountDueTo: 110 }, ({ due }: { due: number }) => due >= 50 && due <= 110],
])('invoices of which %j is due are listed in any order, and counted', async (filter, has) => {
  const expected = owed()
    .filter(has)
    .map(({ id }) => id);
  expect(expected.length).toBeGreaterThan(10);
  const { pool } = company.service.db;
  expect(await allPages(filter, NEWEST_FIRST, false)).toEqual(expected);
  expect(await countInvoices(pool, company.environmentId, filter, 10_000)).toBe(expected.length);
  const byNumber = await allPages(filter, { field: 'NUMBER', direction: 'ASC' }, false);
  expect([...byNumber].sort()).toEqual([...expected].sort());
  const among = { ...filter, externalIds: ['none'] };
  expect(await countInvoices(pool, company.environmentId, among, 10_000)).toBe(0);
});

test('a place stays where the amount was, although it has changed', async () => {
  const { client, environmentId, service } = company;
  const order = { field: 'AMOUNT_DUE', direction: 'DESC' } as const;
  const all = inOrder('DESC');
  const at = all.findIndex(({ due }) => due === 200) + 3;
  const [paid] = (
    await client.query<{ id: string }>(
      `select holder_id as id from payment_account where environment_id = $1 and holder_id = any ($2) limit 1`,
      [environmentId, all.slice(at).map(({ id }) => id)],
    )
  ).rows;
  const place = all.findIndex(({ id }) => id === paid!.id);
  const { due } = all[place]!;
  await client.query(
    'update payment_account set paid = payable where environment_id = $1 and holder_id = $2',
    [environmentId, paid!.id],
  );
  const page = await listInvoices(
    service.db,
    environmentId,
    {},
    { order, size: PAGE, after: `${paid!.id}:${due}` },
  );
  expect(page).toMatchObject({ ids: all.slice(place + 1, place + 1 + PAGE).map(({ id }) => id) });
  await client.query(
    'update payment_account set paid = payable - $3 where environment_id = $1 and holder_id = $2',
    [...[environmentId, paid!.id, due]],
  );
});

test('each set is read by its index in the order of the amount', async () => {
  const { client, environmentId, service } = company;
  const order = { field: 'AMOUNT_DUE', direction: 'DESC' } as const;
  const sent = await sentDuring(() =>
    listInvoices(service.db, environmentId, {}, { order, size: PAGE, after: null }),
  );
  for (const plan of await plansOf(client, sent.at(-1)!)) {
    const indexes = [...nodesOf(plan)].map((node) => node['Index Name']);
    expect(indexes).toEqual(
      expect.arrayContaining([
        ...['payment_account_by_amount_due', 'invoice_environment_id_total_issued_at_id_idx'],
        'invoice_without_terms_by_payable',
      ]),
    );
  }
});
