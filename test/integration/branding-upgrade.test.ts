import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditJournalOf } from '../../src/ground/journal/entry.ts';
import { adoptAll } from '../../src/subjects/journal/adopt.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { testLog } from '../support/processes/run-log.ts';

const MIGRATIONS = join(import.meta.dirname, '../../src/ground/db/migrations');
const UPGRADE = '0510_branding_of_environments.sql';

let database: TestDatabase;
const files = readdirSync(MIGRATIONS).sort();
const apply = (file: string) => database.owner.query(readFileSync(join(MIGRATIONS, file), 'utf8'));
beforeAll(async () => {
  database = await testDatabase({ template: 'template1' });
  for (const file of files) if (file < UPGRADE) await apply(file);
});
afterAll(() => database.close());

test('both environments of a company keep the branding that it had, in journals of their own', async () => {
  const pool = database.owner;
  await pool.query(`
    insert into account (id, name, subscription_active) values ('acc_1', 'x', true);
    insert into company (id, account_id, nif, legal_name, address_line1, address_postal_code, address_city)
      values ('co_1', 'acc_1', 'B72877814', 'x', 'x', 'x', 'x'), ('co_2', 'acc_1', 'B12345674', 'y', 'x', 'x', 'x');
    insert into environment (id, company_id, kind)
      values (1, 'co_1', 'live'), (2, 'co_1', 'test'), (3, 'co_2', 'live'), (4, 'co_2', 'test');
    insert into company_look (company_id, language, accent_colour) values ('co_1', 'ca', null), ('co_1', 'eu', '#102030')`);
  for (const file of files) if (file >= UPGRADE) await apply(file);
  const { rows } = await pool.query(
    'select environment_id as env, id, language, accent_colour as colour from branding order by 1, 2',
  );
  expect(rows).toEqual(
    [1, 2].flatMap((env) => [
      { env, id: 1, language: 'ca', colour: null },
      { env, id: 2, language: 'eu', colour: '#102030' },
    ]),
  );
  const added = await pool.query(
    "insert into branding (environment_id, language) values (1, 'gl') returning id",
  );
  expect(added.rows).toEqual([{ id: 3 }]);
  await adoptAll({ db: { pool }, log: testLog() });
  for (const [environmentId, entries] of [
    [1, 3],
    [2, 2],
    [3, 0],
    [4, 0],
  ] as const) {
    const found = await verifyJournalOnly(pool, auditJournalOf(environmentId));
    expect(found).toMatchObject({ entries, findings: [] });
  }
});
