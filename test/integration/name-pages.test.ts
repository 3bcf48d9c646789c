import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InvoiceFilter, type InvoiceOrder, NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { conditionsOf } from '../../src/subjects/invoices/store/conditions.ts';
import { countInvoices, cursorsAt, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import type { Cursor } from '../../src/subjects/invoices/store/page-range.ts';
import { type Sent, sentDuring } from '../support/database/statements.ts';
import { type LargeCompany, largeCompany } from './large-company.ts';
import { collected, inflateStatistics, nodesOf, plansOf } from './query-plans.ts';

/** Pages of the invoices of a name that all recipients have, every sixtieth, one, or nobody. */

const INVOICES = 1_200;
const PAGE = 10;

/** Names of single recipients, whose words are hard to tell. */
const ODD = [
  ...["O'Neill & Søn, S.L.", 'a+b (c) [d]', 'Ça va \\ 50%', 'ÀÉ-Ñandú_x', '...', '1.234'],
  'Gràcia — l’Òptica',
];

/** The recipient at a place in the order of issue, from 1. */
function nameAt(place: number): string {
  if (place === 1) return 'Íñigo Sáez';
  if (place % 60 === 0) return 'Begoña Ruiz';
  return ODD[place - 601] ?? `Cooperativa ${place}`;
}

let company: LargeCompany;
let issued: { id: string; name: string }[];
beforeAll(async () => {
  company = await largeCompany(INVOICES, { nameOf: (index) => nameAt(index + 1) });
  const { client, environmentId } = company;
  // As if all of them had been issued at once: a name that was added with the first has as many rows as invoices then.
  await client.query(
    `insert into recipient_name (environment_id, name, invoice_id)
     select environment_id, folded(recipient_name), id from invoice
      where environment_id = $1 and folded(recipient_name) in (select name from recipient_name where environment_id = $1)
     on conflict do nothing`,
    [environmentId],
  );
  const { rows } = await client.query<{ id: string; name: string }>(
    `select id, recipient_name as name from invoice where environment_id = $1 order by issued_at desc, id desc`,
    [environmentId],
  );
  issued = rows;
  expect(issued.map(({ name }) => name).reverse()).toEqual(issued.map((_, index) => nameAt(index + 1)));
});
afterAll(() => company?.close());

/** The page between two of its invoices, and what was sent for it. */
async function pageOf(
  recipientName: string,
  order: InvoiceOrder,
  { after = null, before = null }: { after?: string | null; before?: string | null } = {},
): Promise<{ ids: string[]; sent: Sent[] }> {
  const { environmentId, service } = company;
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
  const { client, environmentId, service } = company;
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

async function countOf(recipientName: string, max = 10_000, further: InvoiceFilter = {}) {
  let count = 0;
  const filter = { recipientName, ...further };
  const { environmentId, service } = company;
  const sent = await sentDuring(async () => {
    count = await countInvoices(service.db.pool, environmentId, filter, max);
  });
  return { count, sent };
}

const TYPES = ['complete' as const];

test('are counted alike by the words of names and by patterns, with any separators between the words', async () => {
  const { environmentId, service } = company;
  const expected: Record<string, number> = {
    cooperativa: named('Coop').length,
    'ruiz begona': named('Begoña').length,
    'coop 7': issued.filter(({ name }) => /^Cooperativa 7/.test(name)).length,
    ...{
      SÁEZ: 1,
      zenobia: 0,
      'o neill': 1,
      "o'n": 1,
      son: 1,
      'a+b': 1,
      'b c d': 1,
      optica: 1,
      'GRACIA: l’ò': 1,
      '—': 0,
      '[d]': 1,
      '.*': 0,
      '...': 0,
    },
    ...{ ca: 1, 'va 50%': 1, 'ae ñan': 1, x: 1, '^': 0, 234: 2, '\\': 0, '%': 0, _: 0, oop: 0, andu: 0 },
    ...{ 'c o o p': 0, 'coop coop': named('Coop').length, 'a b c d e f g h i j k l m n o p q r': 0 },
  };
  for (const [text, count] of Object.entries(expected)) {
    for (const max of [10_000, 300])
      expect((await countOf(text, max)).count, text).toBe(Math.min(count, max));
    for (const each of [{}, { recipientName: true }]) {
      const { texts, values } = conditionsOf(environmentId, { recipientName: text }, each);
      const all = `select count(*)::int as count from invoice where ${texts.join(' and ')}`;
      expect((await service.db.pool.query(all, values)).rows, `${text} ${texts.at(-1)}`).toEqual([{ count }]);
    }
    expect((await countOf(text, 10_000, { types: TYPES })).count, text).toBe(count);
  }
});

test('are counted by their names, and by a pattern if many names have the words and more is asked for', async () => {
  const alone = await countOf('cooperativa', 500);
  expect(alone.count).toBe(500);
  expect(alone.sent.map(({ text }) => text.includes(' ~ all'))).toEqual([false]);
  const most = await countOf('cooperativa', 500, { types: TYPES });
  expect(most.count).toBe(500);
  expect(most.sent.map(({ text }) => text.includes(' ~ all'))).toEqual([false, true]);
  const few = await countOf('ruiz begona', 500, { types: TYPES });
  expect(few.sent.map(({ text }) => text.includes(' ~ all'))).toEqual([false, false]);
  const selective = await countOf('ruiz begona', 500, { externalCustomerId: 'customer-1' });
  expect(selective.sent.map(({ text }) => text.includes(' ~ all'))).toEqual([true]);
});

test('are among the next of the list, or the first of each of their names, even of a million', async () => {
  const { client } = company;
  await inflateStatistics(client, ['invoice', 'invoice_line', 'recipient_name'], 1_000_000);
  const reads = async (name: string) => {
    const { sent } = await pageOf(name, NEWEST_FIRST);
    const found: string[] = [];
    for (const page of sent) {
      const plans = await plansOf(client, page);
      const plan = JSON.stringify(plans);
      expect(plan, page.text).not.toMatch(
        /"Node Type":"Seq Scan"[^}]*"Relation Name":"(invoice|recipient_name)"/,
      );
      if (!plan.includes('"recipient_name"')) {
        expect(plan, page.text).toContain('invoice_environment_id_issued_at_id_idx');
        found.push(`next ${/limit (\d+)\) as invoice where/.exec(page.text)?.[1]}`);
        continue;
      }
      expect(plan, page.text).toContain('recipient_name_words');
      const isMerged = page.text.includes('lateral');
      found.push(isMerged ? 'invoices of names' : 'names');
      if (!isMerged) continue;
      expect(plan, page.text).toContain('invoice_by_name');
      // No invoice of a name is read that cannot be on the page.
      expect(plans.flatMap((one) => [...collected(one, /recipient_name_words/)])).toEqual([]);
    }
    return found;
  };
  expect(await reads('cooperativa')).toEqual(['next 500']);
  expect(await reads('begona')).toEqual(['next 500', 'names', 'invoices of names']);
  expect(await reads('inigo')).toEqual(['next 500', 'names', 'invoices of names']);
  expect(await reads('zenobia')).toEqual(['next 500', 'names']);
});

test('of one customer are looked for among those of the customer', async () => {
  const { environmentId, service } = company;
  const page = { order: NEWEST_FIRST, size: PAGE, backwards: false, after: null, before: null };
  const filter = { recipientName: 'begona', externalCustomerId: 'customer-1' };
  const sent = await sentDuring(() => filteredInvoices(service.db.pool, environmentId, filter, page));
  expect(sent).toHaveLength(1);
  expect(sent[0]!.text).not.toContain('from recipient_name');
});

test('of more names than are merged are looked for further in the list, if it has some of them', async () => {
  const { client, environmentId } = company;
  for (const name of ['begona', 'inigo'])
    await client.query(
      `insert into recipient_name select $1, $2 || ' ' || n, $3 from generate_series(1, 1001) as n`,
      [environmentId, name, issued[0]!.id],
    );
  const textsOf = async (name: string) => (await pageOf(name, NEWEST_FIRST)).sent.map(({ text }) => text);
  expect((await textsOf('begona')).at(-1)).toContain('limit 10000) as invoice');
  expect((await textsOf('inigo')).at(-1)).toContain('lateral');
});

test('of a name with more invoices than are sorted are looked for further in another order, until there are enough', async () => {
  const { client, environmentId } = company;
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into invoice
     select another.* from generate_series(1, 1001) as n,
            (select * from invoice where environment_id = $1 and recipient_name = 'Íñigo Sáez') as model,
            jsonb_populate_record(null::invoice, to_jsonb(model) || jsonb_build_object('id', 'inv_' || n,
              'number', 'A-' || n, 'series_number', n, 'external_id', null, 'recipient_name', 'Begoña Ruiz')) as another`,
    [environmentId],
  );
  await client.query('reset session_replication_role');
  await client.query("delete from recipient_name where name ~ '^begona [0-9]'");
  const { ids, sent } = await pageOf('begona', { field: 'NUMBER', direction: 'DESC' });
  expect(ids).toEqual(named('Begoña').slice(0, PAGE));
  expect(sent.map(({ text }) => text.includes('limit 10000) as invoice'))).toEqual([false, false, true]);
  const [plan] = await plansOf(client, sent.at(-1)!);
  // What the page is sorted by is known before it is full.
  expect([...collected(plan!, /recipient_name/)]).toEqual([]);
  expect([...nodesOf(plan!)].map((node) => node['Node Type'])).not.toContain('Sort');
});
