import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { type InvoiceFilter, NEWEST_FIRST } from '../../src/subjects/invoices/filter.ts';
import { countInvoices, filteredInvoices } from '../../src/subjects/invoices/store/list.ts';
import { type Sent, sentDuring } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  decideRecords,
  differences,
  issueWith,
  operatorOf,
  substitution,
} from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';
import { nodesOf } from './query-plans.ts';

/** An environment with originals and corrections of them, imported and voided ones, in several states at the agency. */

const files = importFiles();
let service: TestService;
let environmentId: number;
beforeAll(async () => {
  service = await testService();
  ({ environmentId } = service.company.live);
  const issue = (body: object = aSimplifiedInvoice()) => issueWith(service, body, 'live');
  const tickets = [];
  for (let issued = 0; issued < 7; issued++) tickets.push(await issue());
  for (const { id } of tickets.slice(0, 5)) await decideRecords(service.db, id, 'registered');
  await decideRecords(service.db, tickets[5]!.id, 'rejected', '1110');
  const operator = await operatorOf(service);
  expect((await operator.voidInvoice(tickets[0]!.id)).errors).toBeUndefined();
  await issue(differences(tickets[1]!, -100));
  await issue(substitution(tickets[2]!, 500));
  // What they corrected is in force again.
  for (const correction of [differences(tickets[3]!, -100), substitution(tickets[4]!, 500)]) {
    const { id } = await issue(correction);
    await decideRecords(service.db, id, 'registered');
    expect((await operator.voidInvoice(id)).errors).toBeUndefined();
  }
  const rows = ['OLD-1', 'OLD-2', 'OLD-3'].map((number) => anOldInvoice(number));
  const imported = await importInvoices(service.db, {
    ...{ environmentId, file: files.jsonLines(rows), actor: 'opk_1' },
  });
  if (isRefusal(imported)) throw new Error(imported.detail);
});
afterAll(async () => {
  await service?.close();
  files.remove();
});

const FILTERS: readonly (readonly [filter: InvoiceFilter, matching: number])[] = [
  [{}, 14],
  [{ kinds: ['original'] }, 10],
  [{ registrationStatuses: ['registered'] }, 7],
  [{ inForce: true }, 10],
  [{ inForce: true, kinds: ['original'] }, 8],
  [{ inForce: true, types: ['simplified'] }, 7],
  [{ inForce: true, types: ['complete', 'simplified'] }, 10],
  [{ inForce: true, types: ['complete'], issuedBefore: new Date('2012-01-01') }, 3],
  [{ inForce: true, issuedFrom: new Date('2012-01-01') }, 7],
  [{ inForce: true, types: ['simplified'], issuedBefore: new Date('2012-01-01') }, 0],
  [{ registrationStatuses: ['registered'], kinds: ['original'] }, 5],
  [{ registrationStatuses: ['registered', 'rejected'] }, 8],
  [{ kinds: ['original', 'rectifying_substitution'] }, 12],
  [{ kinds: ['rectifying_differences', 'rectifying_substitution'] }, 4],
  [{ registrationStatuses: ['rejected'] }, 1],
  [{ registrationStatuses: ['pending', 'rejected'] }, 4],
  [{ registrationStatuses: ['rejected'], types: ['complete'] }, 0],
  [{ registrationStatuses: ['pending', 'rejected'], types: ['simplified'], inForce: true }, 4],
  [{ inForce: false }, 4],
  [{ inForce: false, types: ['simplified'] }, 4],
  [{ inForce: false, types: ['complete'] }, 0],
  [{ inForce: false, kinds: ['original'] }, 2],
  [{ inForce: false, kinds: ['rectifying_differences', 'rectifying_substitution'] }, 2],
  [{ inForce: false, types: ['simplified'], kinds: ['rectifying_substitution'] }, 1],
];

test.each(FILTERS)('%j is counted as it is listed, up to any limit', async (filter, matching) => {
  const { pool } = service.db;
  const range = { order: NEWEST_FIRST, size: 100, backwards: false, after: null, before: null };
  expect(await filteredInvoices(pool, environmentId, filter, range)).toHaveLength(matching);
  for (const max of [1, 4, matching, matching + 1, 10_001])
    expect(await countInvoices(pool, environmentId, filter, max), `up to ${max}`).toBe(
      Math.min(matching, max),
    );
});

test('of a state are counted by the states alone, of a period too', async () => {
  const { pool } = service.db;
  const states = { registrationStatuses: ['pending' as const, 'rejected' as const] };
  const hour = 60 * 60 * 1_000;
  const [issuedFrom, issuedBefore] = [new Date(Date.now() - hour), new Date(Date.now() + hour)];
  const counts: number[] = [];
  const sent = await sentDuring(async () => {
    for (const period of [{ issuedFrom }, { issuedBefore: issuedFrom }, { issuedFrom, issuedBefore }])
      counts.push(await countInvoices(pool, environmentId, { ...states, ...period }, 10_001));
  });
  expect(counts).toEqual([4, 0, 4]);
  expect(sent.filter(({ text }) => text.includes('registration_record'))).toEqual([]);
});

/** The nodes of a count's plan that were executed, on which table. */
async function executed(client: pg.ClientBase, filter: InvoiceFilter, max: number) {
  const [{ text, values }] = (await sentDuring(() => countInvoices(client, environmentId, filter, max))) as [
    Sent,
  ];
  const explained = await client.query(`explain (analyze, format json) ${text}`, [...values]);
  const nodes = [...nodesOf(explained.rows[0]['QUERY PLAN'][0].Plan)].filter(
    (node) => node['Actual Loops']! > 0,
  );
  return nodes.flatMap((node) =>
    'Relation Name' in node ? [{ table: node['Relation Name'], rows: node['Actual Rows']! }] : [],
  );
}

/** Within a transaction that is rolled back, without triggers. */
async function asOwner(work: (client: pg.PoolClient) => Promise<void>) {
  const client = await service.owner.connect();
  await client.query('begin; set local session_replication_role = replica');
  try {
    await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('of a state and a type are told by their instants, and by their records where others were issued at the same', () =>
  asOwner(async (client) => {
    const count = (type: 'simplified' | 'complete') =>
      countInvoices(client, environmentId, { registrationStatuses: ['rejected'], types: [type] }, 10_001);
    const rejected = { registrationStatuses: ['rejected'], types: ['simplified'] } as const;
    const tables = async () => (await executed(client, rejected, 10_001)).map(({ table }) => table);
    expect(await tables()).not.toContain('registration_record');
    const state = `(select listed_at from record_state where environment_id = $1 and status = 'rejected' and listed_at is not null)`;
    await client.query(
      `update invoice set issued_at = ${state}, type = 'complete' where environment_id = $1 and id = (
         select id from invoice where environment_id = $1 and issued_at <> ${state} limit 1)`,
      [environmentId],
    );
    expect([await count('simplified'), await count('complete')]).toEqual([1, 0]);
    expect(await tables()).toContain('registration_record');
  }));

/** As if so many had been issued just now, of which some are voided. */
async function issueAnother(client: pg.ClientBase, count: number, voided: number) {
  await client.query(
    `insert into invoice
     select another.* from generate_series(1, $2::int) as n,
            (select * from invoice where environment_id = $1 and not imported order by issued_at limit 1) as model,
            jsonb_populate_record(null::invoice, to_jsonb(model) || jsonb_build_object(
              'id', 'inv_' || n, 'number', 'MANY-' || n, 'issued_at', now() + n * interval '1 second')) as another`,
    [environmentId, count],
  );
  await client.query(
    `insert into corrected_invoice (environment_id, invoice_id, listed_at, type, kind, voided)
     select environment_id, id, issued_at, type, kind, true from invoice
      where environment_id = $1 and number like 'MANY-%' and series_number is not null
        and right(number, -5)::int <= $2`,
    [environmentId, voided],
  );
  await client.query(
    `insert into invoice_void (environment_id, invoice_id, record_id, reason, voided_at, voided_by)
     select $1, 'inv_' || n, 'rec_' || n, 'x', now(), 'x' from generate_series(1, $2::int) as n`,
    [environmentId, voided],
  );
  await client.query('analyze invoice, corrected_invoice');
}

test('of those in force no more are read than the newest that are enough', () =>
  asOwner(async (client) => {
    await issueAnother(client, 200, 40);
    for (const filter of [{ inForce: true }, { inForce: true, types: ['simplified' as const] }])
      for (const max of [100, 160, 180, 10_001]) {
        const all = 'types' in filter ? 167 : 170;
        expect(await countInvoices(client, environmentId, filter, max)).toBe(Math.min(max, all));
      }
    const read = await executed(client, { inForce: true }, 100);
    // Of the newest 100 none is voided.
    expect(read.filter(({ table }) => table === 'invoice')).toEqual([{ table: 'invoice', rows: 100 }]);
  }));

test('by metadata are counted without reading an invoice', async () => {
  const { owner, db } = service;
  await owner.query(
    `insert into invoice_metadata (environment_id, invoice_id, metadata)
     select $1, id, jsonb_build_object('shop', case when place % 2 = 0 then 'A' else 'B' end, 'order', place::text)
       from (select id, row_number() over (order by issued_at, id) as place from invoice where environment_id = $1) as numbered
      where place <= 6`,
    [environmentId],
  );
  const range = { order: NEWEST_FIRST, size: 100, backwards: false, after: null, before: null };
  const shop = { key: 'shop', values: ['A', 'C'] };
  for (const [metadata, matching] of [
    [[shop], 3],
    [[{ key: 'shop', values: ['A', 'B'] }], 6],
    [[shop, { key: 'order', values: ['1', '2', '4'] }], 2],
  ] as const) {
    let count = 0;
    const sent = await sentDuring(async () => {
      count = await countInvoices(db.pool, environmentId, { metadata }, 10_001);
    });
    expect(count).toBe(matching);
    expect(sent.map(({ text }) => /\binvoice\b/.test(text))).toEqual([false]);
    expect(
      await countInvoices(db.pool, environmentId, { metadata, inForce: true }, 10_001),
    ).toBeLessThanOrEqual(matching);
    expect(await filteredInvoices(db.pool, environmentId, { metadata }, range)).toHaveLength(matching);
  }
});

test('where enough was issued since an instant, other changes since then are not looked up', async () => {
  const { pool } = service.db;
  const changedSince = new Date(Date.now() - 60 * 60 * 1_000);
  const count = (max: number) => countInvoices(pool, environmentId, { changedSince }, max);
  // All but the three that were imported were issued a moment ago.
  const sent = await sentDuring(async () => expect(await count(9)).toBe(9));
  expect(sent.filter(({ text }) => text.includes('journal'))).toEqual([]);
  expect(await count(12)).toBe(12);
  expect(await count(15)).toBe(14);
  const elsewhere = { changedSince, kinds: ['original' as const] };
  expect(await countInvoices(pool, environmentId, elsewhere, 9)).toBe(9);
});

test('where many are out of force, both are counted without looking at each', async () => {
  const { owner, db } = service;
  const client = await owner.connect();
  // As if each of a thousand had been voided; nothing else of them matters here.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into invoice
     select another.* from generate_series(1, 1001) as n,
            (select * from invoice where environment_id = $1 and not imported order by issued_at limit 1) as model,
            jsonb_populate_record(null::invoice, to_jsonb(model) || jsonb_build_object('id', 'inv_' || n, 'number', 'MANY-' || n)) as another`,
    [environmentId],
  );
  await client.query(
    `insert into corrected_invoice (environment_id, invoice_id, listed_at, type, kind, voided)
     select $1, 'inv_' || n, now(), 'complete', 'original', true from generate_series(1, 1001) as n`,
    [environmentId],
  );
  await client.query(
    `insert into invoice_void (environment_id, invoice_id, record_id, reason, voided_at, voided_by)
     select $1, 'inv_' || n, 'rec_' || n, 'x', now(), 'x' from generate_series(1, 1001) as n`,
    [environmentId],
  );
  client.release(true);
  expect(await countInvoices(db.pool, environmentId, { inForce: true }, 10_001)).toBe(10);
  expect(await countInvoices(db.pool, environmentId, { inForce: false }, 10_001)).toBe(1_005);
});
