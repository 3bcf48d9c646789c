import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madridDay, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { countInvoices } from '../../src/subjects/invoices/store/list.ts';
import { readRateTotals, readTotals } from '../../src/subjects/invoices/store/read-totals.ts';
import { type Sent, sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { companiesWithHistory } from '../support/invoices/companies-with-history.ts';
import { runDayOfWork } from './query-plan-workload.ts';
import {
  collected,
  distinct,
  inflateStatistics,
  nodesOf,
  type PlanNode,
  plansOf,
  wholeReads,
} from './query-plans.ts';

/**
 * The statements of everything that is done all day, as the service sends them, planned by Postgres as if every table
 * held a million rows: none may read one of them from end to end. There are a thousand real invoices, so that the
 * statistics of their columns are true; the number of rows alone is told to Postgres.
 */

const INVOICES = 1_000;
const SEEMING_ROWS = 1_000_000;

/** What grows with invoices and requests. */
const OF_INVOICES = [
  ...['invoice', 'invoice_line', 'tax_item', 'registration_record', 'record_state', 'submission'],
  ...[
    'invoice_document',
    'invoice_void',
    'invoice_amendment',
    'invoice_exchange',
    'idempotency_key',
    'audit_entry',
  ],
  ...['invoice_payment', 'payment_account', 'invoice_metadata'],
];
/** What grows with companies and their customers. */
const OF_COMPANIES = [
  ...[
    'account',
    'company',
    'environment',
    'chain',
    'chain_dispatch',
    'api_key',
    'number_series',
    'series_counter',
  ],
  ...['integration', 'customer', 'portal_session', 'recipient_name'],
];

/** Asked once a minute, or when an operator looks: about all chains, of which each company has one. */
const ABOUT_ALL_COMPANIES = ['requeueing due chains', 'metrics', 'what operators watch'];

/** By this, tests that set the outcome of records by hand find what the journal lacks (support/database/journal.ts). */
const OF_TESTS = /^\s*select \* from \(\s*select 'invoice\.imported'/;

let service: TestService;
let client: pg.PoolClient;
const sent = new Map<string, Sent[]>();
beforeAll(async () => {
  service = await testService();
  const companies = await companiesWithHistory(service, { companies: 3, invoices: INVOICES });
  service = { ...service, company: companies[0]! };
  // As the server does by itself within a minute: planned for empty tables, filters of a list compare each with each.
  await service.owner.query('analyze');
  // Done once, so that there is something of everything; Postgres plans afterwards.
  for (const [what, work] of await runDayOfWork(service)) sent.set(what, await sentDuring(work));
  client = await service.owner.connect();
  await inflateStatistics(client, [...OF_INVOICES, ...OF_COMPANIES], SEEMING_ROWS);
});
afterAll(async () => {
  client?.release();
  await service?.close();
});

async function violations(statements: readonly Sent[], tables: readonly string[]): Promise<string[]> {
  const reads = await wholeReads(client, statements, new Set(tables));
  return reads.map(({ table, how, statement }) => `${table}: ${how}\n${statement}`);
}

test('the old invoices hold to every rule, as real ones do', async () => {
  const found = await verifyEnvironment(service.db.pool, service.company.live.environmentId);
  expect(found).toMatchObject({ findingCount: 0, complete: true });
  expect(found?.records).toBeGreaterThan(INVOICES / 2);
});

test('no daily statement scans a large table', async () => {
  expect(sent.size).toBeGreaterThan(30);
  for (const [what, statements] of sent) {
    const tables = ABOUT_ALL_COMPANIES.includes(what) ? OF_INVOICES : [...OF_INVOICES, ...OF_COMPANIES];
    expect(statements.length, what).toBeGreaterThan(0);
    const ours = statements.filter(({ text }) => !OF_TESTS.test(text));
    expect(await violations(ours, tables), what).toEqual([]);
  }
});

test('totals read the sums of days, and of invoices those of days to be added again and those since alone', async () => {
  const { environmentId } = service.company.live;
  await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
  await client.query(
    `insert into day_total (environment_id, of_recipient, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, paid,
                            due, lines, rates)
     values ($1, false, now(), 'ns_1', 'original', 'complete', '', 0, 0, 0, 0, 0, 0, '[]', '[]')`,
    [environmentId],
  );
  for (const read of [readTotals, readRateTotals])
    for (const groupBy of [[], ['RECIPIENT']] as const) {
      const index =
        groupBy.length === 0 ? 'day_total_pkey' : expect.stringMatching(/^day_total_(pkey|by_recipient)$/);
      const query = { filter: { inForce: true }, groupBy, max: 10 };
      const totals = (await sentDuring(() => read(client, environmentId, query))).at(-1)!;
      for (const plan of await plansOf(client, totals)) {
        const nodes = [...nodesOf(plan)];
        const [changed, since, ...others] = nodes.filter((node) => /^invoice(_\d+)?$/.test(node.Alias ?? ''));
        for (const node of [changed, since]) expect(node?.['Index Cond']).toContain('issued_at >=');
        expect(others).toEqual([]);
        expect(nodes.map((node) => node['Index Name'])).toEqual(
          expect.arrayContaining([index, 'day_to_add_pkey']),
        );
      }
    }
  await client.query('rollback');
});

test('a page of totals by recipient finds its recipients, and their sums, by an index in their order', async () => {
  const { environmentId } = service.company.live;
  await client.query('begin; set local enable_seqscan = off; set local enable_sort = off');
  await client.query(
    `insert into day_total (environment_id, of_recipient, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total, paid,
                            due, lines, rates)
     select $1, level, day, 'ns_1', 'original', 'complete', case when level then 'X' || n else '' end, 1, 1, 0, 1, 0, 1, '[]', '[]'
       from generate_series(now() - interval '9 days', now(), '1 day') as day, generate_series(1, 300) as n, unnest('{t,f}'::bool[]) as level
      where level or n = 1`,
    [environmentId],
  );
  const page = { filter: { inForce: true }, groupBy: ['RECIPIENT'], max: 10 } as const;
  const reads = {
    totals: () => readTotals(client, environmentId, { ...page, after: ['X1'], isPage: true }),
    rates: () => readRateTotals(client, environmentId, { ...page, after: ['X1'], upTo: ['X107'] }),
  };
  for (const [what, read] of Object.entries(reads)) {
    const sent = (await sentDuring(read)).at(-1)!;
    for (const plan of await plansOf(client, sent)) {
      const nodes = [...nodesOf(plan)].filter((node) => node.Alias?.startsWith('day_total'));
      expect(nodes.length, what).toBe(what === 'totals' ? 2 : 1);
      for (const node of nodes) expect(node['Index Name'], what).toBe('day_total_by_recipient');
      expect(nodes.at(-1)!['Index Cond'], what).toMatch(/<=/);
    }
  }
  await client.query('rollback');
});

test('totals of few invoices look these up among the corrected ones, and no others', async () => {
  const { environmentId } = service.company.live;
  const issuedFrom = startOfMadridDay(madridDay(new Date()));
  await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
  for (const narrow of [{ number: 'F-2026-1' }, { recipientTaxId: 'B12345674' }, { issuedFrom }]) {
    const sums = { filter: { ...narrow, inForce: true }, groupBy: ['RECIPIENT'], max: 10 } as const;
    const totals = (await sentDuring(() => readTotals(client, environmentId, sums))).at(-1);
    for (const plan of await plansOf(client, totals!)) {
      const indexes = [...nodesOf(plan)].map((node) => node['Index Name']);
      expect(indexes).toContain('corrected_invoice_pkey');
      expect(indexes).not.toContain('invoice_by_kind');
    }
  }
  await client.query('rollback');
});

/**
 * The few accounts that are in another part of the list's index than most of their status. Of those that are paid in part there
 * are few here altogether: many of them are in a test of their own (`payment-pages.test.ts`).
 */
const FEW = /"payment_account_(untold|no_longer_overdue)"|settlement = 'partially_paid'/;

test('a page by state can be read from an index in its order', async () => {
  // A few rows, as there are here, may be collected as well.
  await client.query('begin; set local enable_sort = off; set local enable_bitmapscan = off');
  const filters = [
    ...['registrationStatus: [rejected]', 'registrationStatus: [pending, skipped]'],
    ...['status: [voided]', 'inForce: false'],
    ...['unpaid', 'partially_paid', 'paid', 'overdue', 'paid, overdue'].map((s) => `paymentStatus: [${s}]`),
  ];
  for (const filter of filters) {
    const pages = sent
      .get(`listing over GraphQL by filter: { ${filter} }`)!
      .filter(({ text }) => text.startsWith('select id, coalesce((') && text.includes('as sets'));
    expect(pages.length, filter).toBeGreaterThan(0);
    for (const page of distinct(pages))
      for (const plan of await plansOf(client, page)) {
        expect(JSON.stringify(plan), filter).toMatch(
          /record_state_by_status|payment_account_settlement|corrected_invoice_listed/,
        );
        expect([...collected(plan, FEW)], `${filter}\n${page.text}`).toEqual([]);
      }
  }
  await client.query('rollback');
});

/** Invoices that are counted by reading their rows. */
function* rowReads(node: PlanNode & { readonly Alias?: string }): Generator<string> {
  if (
    node.Alias === 'invoice' &&
    node['Node Type'] !== 'Index Only Scan' &&
    node['Relation Name'] !== undefined
  )
    yield node['Node Type'];
  for (const inner of node.Plans ?? []) yield* rowReads(inner);
}

test('counts of what nearly all invoices are can be made of indexes alone', async () => {
  // Rows are read here only where an index lacks something.
  await client.query('begin');
  // As a vacuum leaves them: whether one has been here by now is chance.
  await client.query(`update pg_class set relallvisible = relpages where relname = any($1)`, [OF_INVOICES]);
  for (const way of ['seqscan', 'bitmapscan', 'indexscan'])
    await client.query(`set local enable_${way} = off`);
  for (const filter of ['registrationStatus: [registered]', 'inForce: true']) {
    const counts = sent
      .get(`listing over GraphQL by filter: { ${filter} }`)!
      .filter(({ text }) => text.startsWith('select count'));
    expect(counts.length, filter).toBeGreaterThan(0);
    for (const count of distinct(counts))
      for (const plan of await plansOf(client, count))
        expect([...rowReads(plan)], `${filter}\n${count.text}`).toEqual([]);
  }
  await client.query('rollback');
});

test('counts by a state and a series read no invoice of another series', async () => {
  const { environmentId } = service.company.live;
  await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
  await client.query(`update pg_class set relallvisible = relpages where relname = any($1)`, [OF_INVOICES]);
  const filter = { registrationStatuses: ['rejected'], seriesId: 'ns_1' } as const;
  const counts = await sentDuring(() => countInvoices(client, environmentId, filter, 10_000));
  for (const count of distinct(counts))
    for (const plan of await plansOf(client, count)) expect([...rowReads(plan)], count.text).toEqual([]);
  await client.query('rollback');
});

test('a page of voided invoices passes over none of another type', async () => {
  await client.query('begin; set local enable_sort = off; set local enable_bitmapscan = off');
  for (const filter of [
    'status: [voided], type: [simplified]',
    'inForce: false, type: [complete], kind: [exchange]',
  ]) {
    const [page] = sent
      .get(`listing over GraphQL by filter: { ${filter} }`)!
      .filter(({ text }) => text.includes('as sets'));
    for (const plan of await plansOf(client, page!)) {
      const conditions = [...nodesOf(plan)].flatMap((node) =>
        node['Index Name'] === 'corrected_invoice_listed' ? [node['Index Cond']] : [],
      );
      expect(conditions.length, filter).toBeGreaterThan(0);
      for (const condition of conditions) expect(condition, filter).toMatch(/voided = .* AND .*type = '/);
      expect([...collected(plan, FEW)], filter).toEqual([]);
    }
  }
  await client.query('rollback');
});

test('a page by state within a period passes over nothing outside of it', async () => {
  await client.query('begin; set local enable_sort = off; set local enable_bitmapscan = off');
  const listed = /^(record_state_by_status|payment_account_settlement|corrected_invoice_listed)$/;
  const within = [...sent].filter(([what]) => what.includes('issuedOn: { from: "2026-02-01"'));
  expect(within.length).toBeGreaterThan(3);
  for (const [what, statements] of within) {
    const pages = distinct(statements).filter(({ text }) => text.includes('as sets'));
    expect(pages.length, what).toBeGreaterThan(0);
    for (const page of pages)
      for (const plan of await plansOf(client, page)) {
        const scans = [...nodesOf(plan)].filter((node) => listed.test(node['Index Name'] ?? ''));
        expect(scans.length, what).toBeGreaterThan(0);
        // Of a page beside an invoice of the period, that one bounds it.
        for (const scan of scans) expect(scan['Index Cond'], what).toMatch(/listed_at >= .*listed_at <=? /);
      }
  }
  await client.query('rollback');
});

describe('a violation would be detected', () => {
  test('when a statement filters by a column without an index', async () => {
    const text = 'select id from invoice where environment_id > $1 and notes = $2';
    const planted = [{ text, values: [0, 'x'], name: null }];
    expect(await violations(planted, OF_INVOICES)).toEqual([expect.stringContaining('invoice: Seq Scan')]);
  });

  test('when a prepared statement did so for values that were never sent', async () => {
    const text = 'select id from invoice where $1::text is null or number = $1';
    const planted = [{ text, values: ['F-2026-1'], name: 'planted' }];
    expect(await violations(planted, OF_INVOICES)).not.toEqual([]);
  });

  test('when a statement looked in an index for what stands behind its first column', async () => {
    const planted = [{ text: 'select from series_counter where year = $1', values: [2026], name: null }];
    expect(await violations(planted, OF_COMPANIES)).toEqual([expect.stringContaining('series_counter: ')]);
  });

  test('when the index that a statement needs were gone', async () => {
    await client.query('begin');
    await client.query('drop index api_key_hash_key');
    const found = await violations(sent.get('issuing')!, OF_COMPANIES);
    await client.query('rollback');
    expect(found).toEqual([expect.stringContaining('api_key: Seq Scan')]);
  });
});
