import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../src/ground/db/migrations');
const UPGRADE = ['0500_series_default.sql', '0501_taken_prefixes.sql'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ template: 'template1' });
  for (const file of readdirSync(MIGRATIONS).sort()) if (file < UPGRADE[0]!) await apply(file);
});
afterAll(() => database.close());

const apply = (file: string) => database.owner.query(readFileSync(join(MIGRATIONS, file), 'utf8'));

test('defaults are kept or restored, prefixes of a NIF are taken, and companies that were succeeded issue no more', async () => {
  const { owner } = database;
  const rows = async (text: string) => (await owner.query({ text, rowMode: 'array' })).rows;
  await owner.query(`
    insert into account (id, name, subscription_active) values ('acc_1', 'x', true);
    insert into company (id, account_id, nif, legal_name, address_line1, address_postal_code, address_city, succeeds_id)
      values ('co_1', 'acc_1', 'B72877814', 'x', 'x', 'x', 'x', null), ('co_2', 'acc_1', 'B72877814', 'x', 'x', 'x', 'x', 'co_1');
    insert into environment (id, company_id, kind) values (1, 'co_1', 'live'), (2, 'co_2', 'live');
    insert into chain (environment_id, installation_number) values (1, 'i1'), (2, 'i2');
    insert into number_series (id, environment_id, prefix, type, yearly, is_default, imported, created_at)
      values ('ns_f', 1, 'F', 'standard', true, false, false, now()), ('ns_g', 1, 'G', 'standard', true, true, false, now()),
             ('ns_f2', 2, 'F', 'standard', true, false, false, now()), ('ns_h2', 2, 'H', 'standard', false, false, false, now() + interval '1 s'),
             ('ns_i2', 2, 'imported', 'standard', false, false, true, now() - interval '1 s')`);
  for (const file of UPGRADE) await apply(file);
  expect(await rows('select environment_id, type, series_id from series_default order by 1')).toEqual([
    [1, 'standard', 'ns_g'],
    [2, 'standard', 'ns_f2'],
  ]);
  expect(await rows('select nif, kind, prefix, yearly, company_id from taken_prefix order by 3')).toEqual([
    // Either of the two may delete its series: the other still has the prefix.
    ['B72877814', 'live', 'F', true, null],
    ['B72877814', 'live', 'G', true, 'co_1'],
    ['B72877814', 'live', 'H', false, 'co_2'],
  ]);
  expect(
    await rows('select environment_id, issuing_ended_at is not null from chain order by environment_id'),
  ).toEqual([
    [1, true],
    [2, false],
  ]);
});
