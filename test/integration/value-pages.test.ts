import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InvoiceFilter, NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { cursorsAt, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import { type LargeCompany, largeCompany } from './large-company.ts';
import { inflateStatistics } from './query-plans.ts';

/** Pages of invoices of a period, or that have one of several kinds, series, tax ids of recipients or totals. */

const INVOICES = 1_200;
const PAGE = 10;

type Issued = { id: string; at: Date; kind: string; series: string; taxId: string; total: number };

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
        subtotal = place - tax
       from (select id as one, row_number() over (order by issued_at, id) as place from invoice
              where environment_id = $1) as numbered
      where environment_id = $1 and id = one`,
    [environmentId],
  );
  const { rows } = await client.query<Issued>(
    `select id, issued_at as at, kind::text, series_id as series, recipient_tax_id as "taxId", total::int from invoice
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
