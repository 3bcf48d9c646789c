import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InvoiceFilter, type InvoiceOrder, NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import {
  type Cursor,
  countInvoices,
  cursorsAt,
  filteredInvoices,
} from '../../src/subjects/invoices/store/list.ts';
import { issueMany } from '../bench/many-invoices.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type Sent, sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { inflateStatistics, nodesOf, type PlanNode, plansOf } from './query-plans.ts';

/** Pages of the invoices of a name that all recipients have, every sixtieth, one, or nobody. */

const INVOICES = 1_200;
const PAGE = 10;

let service: TestService;
let client: pg.PoolClient;
let environmentId: number;
let issued: { id: string; name: string }[];
beforeAll(async () => {
  service = await testService();
  const { id: invoiceId } = await issueWith(service, aCompleteInvoice(), 'live');
  const company = await createCompany(service.db, { nif: companyNif(5_001) });
  ({ environmentId } = company.live);
  const model = { environmentId: service.company.live.environmentId, invoiceId };
  await issueMany(service.db.pool, { model, companies: [company], count: INVOICES });
  client = await service.owner.connect();
  await client.query('set session_replication_role = replica');
  await client.query(
    `update invoice set recipient_company_name = null, recipient_name = case
        when place = 1 then 'Íñigo Sáez' when place % 60 = 0 then 'Begoña Ruiz' else 'Cooperativa ' || place end
       from (select id as one, row_number() over (order by issued_at, id) as place from invoice
              where environment_id = $1) as numbered
      where environment_id = $1 and id = one`,
    [environmentId],
  );
  const { rows } = await client.query<{ id: string; name: string }>(
    `select id, recipient_name as name from invoice where environment_id = $1 order by issued_at desc, id desc`,
    [environmentId],
  );
  issued = rows;
});
afterAll(async () => {
  client?.release();
  await service?.close();
});

/** The page between two of its invoices, and what was sent for it. */
async function pageOf(
  recipientName: string,
  order: InvoiceOrder,
  { after = null, before = null }: { after?: string | null; before?: string | null } = {},
): Promise<{ ids: string[]; sent: Sent[] }> {
  const { pool } = service.db;
  const places = await cursorsAt(pool, environmentId, [after ?? '', before ?? ''], order);
  const placeOf = (id: string | null): Cursor | null => (id === null ? null : places.get(id)!);
  let ids: string[] = [];
  const sent = await sentDuring(async () => {
    const page = { order, size: PAGE, backwards: before !== null };
    const between = { after: placeOf(after), before: placeOf(before) };
    const rows = await filteredInvoices(pool, environmentId, { recipientName }, { ...page, ...between });
    ids = rows.map(({ id }) => id);
  });
  return { ids, sent };
}

const named = (start: string) => issued.flatMap(({ id, name }) => (name.startsWith(start) ? [id] : []));

test.each([
  ['cooperativa', 'Cooperativa'],
  ['ruiz begona', 'Begoña'],
  ['SÁEZ', 'Íñigo'],
  ['zenobia', 'Zenobia'],
])('of %s follow each other, forwards and backwards, and end with the last', async (name, start) => {
  const all = named(start);
  const found: string[] = [];
  for (let last = PAGE; last === PAGE && found.length < 5 * PAGE; ) {
    const { ids } = await pageOf(name, NEWEST_FIRST, { after: found.at(-1) ?? null });
    found.push(...ids);
    last = ids.length;
  }
  expect(found).toEqual(all.slice(0, found.length));
  expect(found.length).toBe(Math.min(all.length, 5 * PAGE));
  const end = all.at(-1);
  if (end === undefined) return;
  const { ids: preceding } = await pageOf(name, NEWEST_FIRST, { before: end });
  expect(preceding).toEqual(all.slice(0, -1).reverse().slice(0, PAGE));
  const { ids: oldest } = await pageOf(name, { field: 'ISSUED_AT', direction: 'ASC' });
  expect(oldest).toEqual(all.toReversed().slice(0, PAGE));
  const { ids: byNumber } = await pageOf(name, { field: 'NUMBER', direction: 'DESC' });
  expect(byNumber).toEqual(all.slice(0, PAGE));
});

test('of a period are looked for in that period', async () => {
  const { rows } = await client.query<{ day: Date }>(
    'select issued_at as day from invoice where environment_id = $1 order by issued_at, id offset 700 limit 1',
    [environmentId],
  );
  const filter = { recipientName: 'cooperativa', issuedBefore: rows[0]!.day };
  const page = { order: NEWEST_FIRST, size: PAGE, backwards: false, after: null, before: null };
  let found: string[] = [];
  const sent = await sentDuring(async () => {
    const rows = await filteredInvoices(service.db.pool, environmentId, filter, page);
    found = rows.map(({ id }) => id);
  });
  expect(found).toEqual(
    issued
      .slice(-700)
      .filter(({ name }) => name.startsWith('Coop'))
      .slice(0, PAGE)
      .map(({ id }) => id),
  );
  expect(sent).toHaveLength(1);
});

/** A journal of so many entries is a large environment's. */
const journalOf = (entries: number) =>
  client.query('update journal_head set position = $2 where environment_id = $1', [environmentId, entries]);

async function countOf(recipientName: string, max = 10_000, further: InvoiceFilter = {}) {
  let count = 0;
  const filter = { recipientName, ...further };
  const sent = await sentDuring(async () => {
    count = await countInvoices(service.db.pool, environmentId, filter, max);
  });
  return { count, sent };
}

test('are counted alike in small and in large environments, whatever is between the words', async () => {
  const odd = ["O'Neill & Søn, S.L.", 'a+b (c) [d]', 'Ça va \\ 50%', 'ÀÉ-Ñandú_x', '...', '1.234'];
  for (const [place, name] of odd.entries()) {
    const { id } = issued[600 + place]!;
    await client.query('update invoice set recipient_name = $2 where id = $1', [id, name]);
    issued[600 + place] = { id, name };
  }
  const names = [
    ...[
      'cooperativa',
      'ruiz begona',
      'coop 7',
      'SÁEZ',
      'zenobia',
      'o neill',
      "o'n",
      'son',
      'a+b',
      'b c d',
      '[d]',
      '.*',
    ],
    ...[
      'ca',
      'va 50%',
      'ae ñan',
      'x',
      '^',
      '1',
      '234',
      '\\',
      '%',
      '_',
      'c o o p',
      'coop coop',
      'oop',
      'andu',
      'a b c d e f g h i j k l m n o p q r',
    ],
  ];
  const { rows } = await client.query<{ day: Date }>(
    'select issued_at as day from invoice where environment_id = $1 order by issued_at, id offset 700 limit 1',
    [environmentId],
  );
  const [issuedBefore, types] = [rows[0]!.day, ['complete' as const]];
  const counts = async () => {
    const found: [string, ...number[]][] = [];
    for (const text of names) {
      const counted: number[] = [];
      for (const further of [{}, { issuedBefore }, { types }, { issuedBefore, types }])
        for (const max of [10_000, 300]) counted.push((await countOf(text, max, further)).count);
      found.push([text, ...counted]);
    }
    return found;
  };
  await journalOf(1_000);
  const small = await counts();
  await journalOf(1_000_000);
  expect(await counts()).toEqual(small);
  expect(small.slice(0, 7).map(([text, count]) => [text, count])).toEqual([
    ['cooperativa', named('Coop').length],
    ['ruiz begona', named('Begoña').length],
    ['coop 7', issued.filter(({ name }) => /^Cooperativa 7/.test(name)).length],
    ['SÁEZ', 1],
    ['zenobia', 0],
    ['o neill', 1],
    ["o'n", 1],
  ]);
});

test('are counted among the next of the list if most have the name, and else by its rare words', async () => {
  await journalOf(1_000_000);
  const most = await countOf('cooperativa', 500);
  expect(most.count).toBe(500);
  expect(most.sent).toHaveLength(2);
  expect(most.sent[1]!.text).not.toContain('name_words');
  const mixed = await countOf('cooperativa 77', 500);
  expect(mixed.sent).toHaveLength(2);
  expect(mixed.sent[1]!.text).toContain('name_words');
  expect(mixed.sent[1]!.values).toContain('77');
  const rare = await countOf('ruiz begona', 500);
  expect(rare.sent[1]!.text).not.toContain(' ~ all');
  // Fewer than requested among the next: there may be more behind them, so all are counted.
  const fewer = await countOf('cooperativa', 10_000);
  expect(fewer.sent).toHaveLength(3);
  expect(fewer.sent[2]!.text).not.toContain('limit 50000');
});

test('of few invoices are counted by the index on words, which needs no sample of them', async () => {
  await journalOf(1_000);
  const { sent } = await countOf('cooperativa', 500);
  expect(sent.at(-1)!.text).toContain('name_words');
});

test('are among the next of the list or found by the words of the name, even of a million', async () => {
  await inflateStatistics(client, ['invoice', 'invoice_line'], 1_000_000);
  const kinds = async (name: string) => {
    const { sent } = await pageOf(name, NEWEST_FIRST);
    const pages = sent.filter(
      ({ text }) => !text.includes('as key from invoice where environment_id = $1 and id'),
    );
    return Promise.all(
      pages.map(async (page) => {
        const plan = JSON.stringify(await plansOf(client, page));
        expect(plan, page.text).not.toMatch(/"Node Type":"Seq Scan"[^}]*"Relation Name":"invoice"/);
        const isByWords = plan.includes('invoice_by_name_words');
        expect(plan.includes('invoice_environment_id_issued_at_id_idx'), page.text).toBe(!isByWords);
        return isByWords ? 'words' : `next ${/limit (\d+)\) as invoice where/.exec(page.text)?.[1]}`;
      }),
    );
  };
  expect(await kinds('cooperativa')).toEqual(['next 500']);
  expect(await kinds('begona')).toEqual(['next 500', 'next 10000']);
  expect(await kinds('inigo')).toEqual(['next 500', 'words']);
  expect(await kinds('zenobia')).toEqual(['next 500', 'words']);
});

test('are found one by one, even those of a word that has more of them than a session has memory for', async () => {
  // Rows as long as a page: what is noted is pages, and so small a memory has room for a thousand.
  await client.query('alter table invoice alter column notes set storage plain');
  await client.query(`update invoice set notes = repeat('x', 5000) where environment_id = $1`, [
    environmentId,
  ]);
  await journalOf(1_000);
  const { text, values } = (await countOf('cooperativa')).sent.at(-1)!;
  await client.query(`set work_mem = '64kB'`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
    text: `explain (analyze, format json) ${text}`,
    values: [...values],
  });
  const heap = [...nodesOf(rows[0]!['QUERY PLAN'][0].Plan)].find(
    (node) => node['Node Type'] === 'Bitmap Heap Scan',
  );
  expect(heap?.['Exact Heap Blocks']).toBeGreaterThan(INVOICES * 0.9);
  expect(heap?.['Lossy Heap Blocks']).toBe(0);
  const { rows: after } = await client.query('show work_mem');
  expect(after).toEqual([{ work_mem: '64kB' }]);
});
