import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sameNumber } from '../../src/ground/db/same-number.ts';
import { newId } from '../../src/ground/lib/ids.ts';
import { loadExternalFacts } from '../../src/subjects/rectifying/store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../src/ground/db/migrations');
/** The same with its accent as a character of its own. */
const APART = 'Añú/1'.normalize('NFD');
const UPGRADE = '0460_case_of_external_numbers.sql';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ template: 'template1' });
  const pool = database.owner;
  for (const file of readdirSync(MIGRATIONS).sort()) if (file < UPGRADE) await apply(file);
  await pool.query(`
    insert into account (id, name, subscription_active) values ('acc_1', 'x', true);
    insert into company (id, account_id, nif, legal_name, address_line1, address_postal_code, address_city)
      values ('co_1', 'acc_1', 'B72877814', 'x', 'x', 'x', 'x');
    insert into environment (id, company_id, kind) values (1, 'co_1', 'live'), (2, 'co_1', 'test');
    insert into number_series (id, environment_id, prefix, type, yearly, is_default, imported)
      values ('ns_1', 1, 'imported', 'standard', false, false, true), ('ns_2', 2, 'imported', 'standard', false, false, true)`);
  await add('Añú/1', '2024-01-01');
  await add('AÑÚ/1', '2024-01-02');
  await add(APART, '2024-01-03');
  await add('AÑÚ/1', '2024-01-04', 2);
  await add('Anu/1', '2024-01-05');
  await apply(UPGRADE);
});
afterAll(() => database.close());

const apply = (file: string) => database.owner.query(readFileSync(join(MIGRATIONS, file), 'utf8'));

const add = (number: string, importedAt: string, environmentId = 1) =>
  database.owner.query(
    `insert into invoice (id, environment_id, series_id, number, type, kind, currency, subtotal, tax, total, issued_at, issued_on,
         issuer, breakdown, imported, imported_at)
       values ($1, $2::int, 'ns_' || $2::int, $3, 'simplified', 'original', 'eur', 100, 21, 121, '2011-03-04', '2011-03-04', '{}', '[]', true, $4)`,
    [newId('inv'), environmentId, number, importedAt],
  );

test('invoices that were imported under one number in different cases stay, and no other one gets it', async () => {
  const { rows } = await database.owner.query(
    'select number from invoice where environment_id = 1 order by imported_at',
  );
  expect(rows.map(({ number }) => number)).toEqual(['Añú/1', 'AÑÚ/1', APART, 'Anu/1']);
  for (const number of ['aÑú/1', 'AñÚ/1']) {
    await expect(add(number, '2025-01-01')).rejects.toThrow(/invoice_number_of_one/);
  }
  await add('Añú/2', '2025-01-01');
  await expect(add('AÑÚ/2', '2025-01-01')).rejects.toThrow(/invoice_number_of_one/);
});

test('each of them is named by its own spelling', async () => {
  const named = async (number: string) =>
    (await loadExternalFacts(database.owner, 1, 'B72877814', { number, issuedOn: '2011-03-04' })).named
      ?.number;
  expect(await named('AÑÚ/1')).toBe('AÑÚ/1');
  expect(await named('Añú/1')).toBe('Añú/1');
  expect(['Añú/1', 'AÑÚ/1', APART]).toContain(await named('AñÚ/1'));
  expect(await named('ANU/1')).toBe('Anu/1');
  expect(await named('AÑÚ/3')).toBeUndefined();
});

test.each([
  ['number', 'invoice_number_in_capitals'],
  ['external_number', 'invoice_external_in_capitals'],
])('a %s beyond ASCII is looked for in an index', async (column, index) => {
  const client = await database.owner.connect();
  try {
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query(
      `explain select id from invoice where environment_id = 1 and ${sameNumber(column, 'Añú/1', "'Añú/1'")}`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
