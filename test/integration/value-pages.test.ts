import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Day } from '../../src/ground/lib/calendar.ts';
import { type InvoiceFilter, NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { cursorsAt, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import { sentDuring } from '../support/database/statements.ts';
import { type LargeCompany, largeCompany } from './large-company.ts';
import { inflateStatistics, nodesOf, plansOf } from './query-plans.ts';

/** Pages of invoices of a period, or that have one of several kinds, series, tax ids of recipients or totals. */

const INVOICES = 1_200;
const PAGE = 10;

type Issued = {
  id: string;
  at: Date;
  kind: string;
  series: string;
  taxId: string;
  total: number;
  due: string | null;
};

let company: LargeCompany;
/** The newest first. */
let issued: Issued[];
beforeAll(async () => {
  company = await largeCompany(INVOICES);
  const { client, environmentId } = company;
  await client.query('set session_replication_role = replica');
  await client.query(
    `update invoice set kind = (case when place % 40 = 0 then 'exchange' when place % 9 = 0 then 'rectifying_differences'
          when place % 100 = 1 then 'rectifying_substitution' else 'original' end)::invoice_kind,
        series_id = 'ns_' || place % 5, recipient_tax_id = 'B' || place % 50, total = place,
        due_date = case when place % 4 = 0 then '2030-01-01'::date + (place / 40)::int end,
        subtotal = place - tax
       from (select id as one, row_number() over (order by issued_at, id) as place from invoice
              where environment_id = $1) as numbered
      where environment_id = $1 and id = one`,
    [environmentId],
  );
  const { rows } = await client.query<Issued>(
    `select id, issued_at as at, kind::text, series_id as series, recipient_tax_id as "taxId", total::int, due_date::text as due from invoice
      where environment_id = $1 order by issued_at desc, id desc`,
    [environmentId],
  );
  issued = rows;
  await inflateStatistics(client, ['invoice', 'invoice_line'], 1_000_000);
});
afterAll(() => company?.close());

const CASES: readonly (readonly [filter: InvoiceFilter, has: (one: Issued) => boolean])[] = [
  [
    { kinds: ['exchange', 'rectifying_differences', 'exchange'] },
    ({ kind }) => kind === 'exchange' || kind === 'rectifying_differences',
  ],
  [
    { kinds: ['exchange', 'rectifying_substitution'], types: ['complete'] },
    ({ kind }) => kind !== 'original' && kind !== 'rectifying_differences',
  ],
  [{ seriesIds: ['ns_1', 'ns_3', 'ns_9'] }, ({ series }) => series === 'ns_1' || series === 'ns_3'],
  [
    { recipientTaxIds: ['B7', 'B8', 'B77'], inForce: true, seriesIds: ['ns_2', 'ns_4'], totalFrom: 20 },
    ({ taxId, total }) => taxId === 'B7' && total >= 20,
  ],
  [{ totalFrom: 300, totalTo: 360 }, ({ total }) => total >= 300 && total <= 360],
  [
    { dueFrom: '2030-01-03' as Day, dueTo: '2030-01-08' as Day },
    ({ due }) => due !== null && due >= '2030-01-03' && due <= '2030-01-08',
  ],
  [{ dueFrom: '2030-01-20' as Day }, ({ due }) => due !== null && due >= '2030-01-20'],
  [{ recipientTaxId: 'B4' }, ({ taxId }) => taxId.startsWith('B4')],
];

test.each(CASES)('of %j are in the order of issue, from both ends', async (filter, has) => {
  const { environmentId, service } = company;
  const { pool } = service.db;
  const all = issued.filter(has).map(({ id }) => id);
  const page = { order: NEWEST_FIRST, size: PAGE, backwards: false, after: null, before: null };
  const placeOf = async (id: string) => (await cursorsAt(pool, environmentId, [id], NEWEST_FIRST)).get(id)!;
  const pageOf = async (part: object) => {
    const rows = await filteredInvoices(pool, environmentId, filter, { ...page, ...part });
    return rows.map(({ id }) => id);
  };
  expect(all.length).toBeGreaterThan(2 * PAGE);
  expect(await pageOf({})).toEqual(all.slice(0, PAGE));
  expect(await pageOf({ after: await placeOf(all[4]!) })).toEqual(all.slice(5, 5 + PAGE));
  expect(await pageOf({ before: await placeOf(all[20]!), backwards: true })).toEqual(
    all.slice(10, 20).reverse(),
  );
  expect(await pageOf({ order: { field: 'ISSUED_AT', direction: 'ASC' } })).toEqual(
    all.toReversed().slice(0, PAGE),
  );
  expect(await pageOf({ size: 2_000 })).toEqual(all);
  const period = { issuedFrom: issued[900]!.at, issuedBefore: issued[300]!.at };
  const within = issued.filter(
    (one) => has(one) && one.at >= period.issuedFrom && one.at < period.issuedBefore,
  );
  const rows = await filteredInvoices(pool, environmentId, { ...filter, ...period }, page);
  expect(rows.map(({ id }) => id)).toEqual(within.slice(0, PAGE).map(({ id }) => id));
});

test('by due day those of a day are in the order of issue, and those without one last', async () => {
  const { environmentId, service } = company;
  const order = { field: 'DUE_ON', direction: 'ASC' } as const;
  const keyOf = ({ due, at, id }: Issued) => `${due ?? 'none'} ${at.toISOString()} ${id}`;
  const all = [...issued].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).map(({ id }) => id);
  for (const place of [0, 7, 290, 298, 302, 1_195]) {
    const after = (await cursorsAt(service.db.pool, environmentId, [all[place]!], order)).get(all[place]!)!;
    const page = { order, size: PAGE, backwards: false, before: null };
    let rows: readonly { readonly id: string }[] = [];
    const sent = await sentDuring(async () => {
      rows = await filteredInvoices(service.db.pool, environmentId, {}, { ...page, after });
    });
    expect(rows.map(({ id }) => id)).toEqual(all.slice(place + 1, place + 1 + PAGE));
    for (const plan of await plansOf(company.client, sent.at(-1)!)) {
      const nodes = [...nodesOf(plan)];
      expect(nodes.map((node) => node['Index Name'])).toContain('invoice_by_due_day');
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
    }
  }
});

test.each([
  [{ recipientTaxId: 'B7777' }, 'invoice_by_recipient'],
  [{ dueFrom: '2040-01-05', dueTo: '2040-01-06' } as InvoiceFilter, 'invoice_by_due_day'],
])('few of %j are found by the index %s', async (filter, index) => {
  const { environmentId, service, client } = company;
  const page = { order: NEWEST_FIRST, size: PAGE, backwards: false, after: null, before: null };
  const sent = await sentDuring(() => filteredInvoices(service.db.pool, environmentId, filter, page));
  await client.query('begin; set local enable_seqscan = off');
  for (const plan of await plansOf(client, sent.at(-1)!))
    expect([...nodesOf(plan)].map((node) => node['Index Name'])).toContain(index);
  await client.query('rollback');
});

type Bounds = Pick<InvoiceFilter, 'issuedFrom' | 'issuedBefore' | 'totalFrom' | 'totalTo'>;

describe.each([
  { of: 'a period', field: 'ISSUED_AT' },
  { of: 'a range of totals', field: 'TOTAL' },
] as const)('of $of', ({ field }) => {
  /** From the 300th to the 900th of the newest; their totals are the places in the order of issue. */
  const bounds = (): Bounds =>
    field === 'TOTAL'
      ? { totalFrom: issued[900]!.total, totalTo: issued[300]!.total }
      : { issuedFrom: issued[900]!.at, issuedBefore: issued[300]!.at };
  const isWithin = ({ at, total }: Issued) => {
    const { issuedFrom, issuedBefore, totalFrom, totalTo } = bounds();
    if (field === 'TOTAL') return total >= totalFrom! && total <= totalTo!;
    return at >= issuedFrom! && at < issuedBefore!;
  };

  /** The page beside an invoice of the list. */
  async function pageBeside(end: 'after' | 'before', place: number, direction: 'ASC' | 'DESC') {
    const { environmentId, service } = company;
    const { pool } = service.db;
    const order = { field, direction };
    const cursor = (await cursorsAt(pool, environmentId, [issued[place]!.id], order)).values().next().value!;
    const range = {
      order,
      size: PAGE,
      backwards: end === 'before',
      after: null,
      before: null,
      [end]: cursor,
    };
    return (await filteredInvoices(pool, environmentId, bounds(), range)).map(({ id }) => id);
  }

  // Of one that is not in it all follow, or none.
  test.each([100, 300, 301, 600, 899, 900, 1100])(
    'keeps to both bounds, whatever invoice it follows or precedes (%i)',
    async (place) => {
      for (const direction of ['ASC', 'DESC'] as const) {
        const ordered = direction === 'DESC' ? issued : issued.toReversed();
        const at = ordered.indexOf(issued[place]!);
        const following = ordered.slice(at + 1).filter(isWithin);
        const preceding = ordered.slice(0, at).filter(isWithin).reverse();
        for (const [end, expected] of [
          ['after', following],
          ['before', preceding],
        ] as const) {
          const ids = await pageBeside(end, place, direction);
          expect(ids, `${end} ${direction}`).toEqual(expected.slice(0, PAGE).map(({ id }) => id));
        }
      }
    },
  );
});
