import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/ground/lib/ids.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../src/ground/db/migrations');
const UPGRADE = '0031_imported_series.sql';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ template: 'template1' });
  for (const file of readdirSync(MIGRATIONS).sort()) if (file < UPGRADE) await apply(file);
});
afterAll(() => database.close());

const apply = (file: string) => database.owner.query(readFileSync(join(MIGRATIONS, file), 'utf8'));

test('invoices that were imported by an earlier version get the series, and when that was; nothing else of them changes', async () => {
  const pool = database.owner;
  const before = Date.now();
  const id = newId('inv');
  await pool.query(`
    insert into account (id, name, subscription_active) values ('acc_1', 'x', true);
    insert into company (id, account_id, nif, legal_name, address_line1, address_postal_code, address_city)
      values ('co_1', 'acc_1', 'B72877814', 'x', 'x', 'x', 'x');
    insert into environment (id, company_id, kind) values (1, 'co_1', 'live'), (2, 'co_1', 'test');
    insert into invoice (id, environment_id, number, type, kind, currency, subtotal, tax, total, issued_at, issued_on, issuer,
        breakdown, imported)
      values ('${id}', 1, 'Old-1', 'simplified', 'original', 'eur', 100, 21, 121, '2011-03-04', '2011-03-04', '{}', '[]', true)`);
  const row = async () => (await pool.query('select * from invoice')).rows[0];
  const old = await row();
  await apply(UPGRADE);
  const { imported_at, ...now } = await row();
  const { rows: series } = await pool.query(
    `select id, environment_id, prefix, type, yearly, is_default, imported from number_series`,
  );
  expect(series).toEqual([
    {
      ...{
        id: expect.stringMatching(/^ns_[0-9a-f]{32}$/),
        environment_id: 1,
        prefix: 'imported',
        type: 'standard',
      },
      ...{ yearly: false, is_default: false, imported: true },
    },
  ]);
  expect(now).toEqual({ ...old, series_id: series[0].id });
  expect(imported_at.getTime()).toBeGreaterThanOrEqual(before);
  expect(imported_at.getTime()).toBeLessThanOrEqual(Date.now());
  await expect(pool.query('update invoice set imported_at = now()')).rejects.toThrow('sealed');
});
