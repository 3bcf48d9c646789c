import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distribute } from '../../src/ground/db/distribution/distribute.ts';
import { applyMigration, isCurrent } from '../../src/ground/db/migrate.ts';
import { prepareDatabase } from '../../src/ground/db/roles/prepare.ts';
import { statementsOf } from '../../src/ground/db/statement-time.ts';
import { CITUS_URL, type CitusDatabase, citusDatabase } from '../support/database/citus.ts';
import { issuedInvoice } from '../support/documents/issued-invoice.ts';
import { testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { type CommandResult, commandLine } from '../support/processes/command-line.ts';
import { runDayOfWork } from './query-plan-workload.ts';

/** `lacre database distribute`, on a real cluster. */

const COMMAND = ['database', 'distribute', '--reason', 'beyond one server', '--live', '--json'];

const EARLIER_TEXTS = 'src/ground/db/migrations/0015_texts_of_earlier_invoices.sql';

/** As one after 1.0.0 may be. */
const LATER_MIGRATION = `
  alter table invoice_draft add column later text;
  create index invoice_draft_later on invoice_draft (environment_id, later);
  create table later_rate (name text primary key);
  select place_like('later_rate', 'account');
  create table later_note (environment_id int not null, invoice_id text not null, text text not null, length int,
    primary key (environment_id, invoice_id));
  select place_like('later_note', 'invoice');
  alter table later_note add foreign key (environment_id, invoice_id) references invoice (environment_id, id);
  create function later_length() returns trigger language plpgsql as $$ begin new.length := length(new.text); return new; end $$;
  create trigger later_length before insert on later_note for each row execute function later_length();
  create function later_notes(environment int) returns bigint language plpgsql as $$
    begin return (select count(*) from later_note where environment_id = environment); end $$;
  select place_function('later_notes(int)', true)`;

const detailOf = ({ stderr }: CommandResult): string => JSON.parse(stderr).detail;

describe.skipIf(CITUS_URL === null)('dividing a database with Citus', { timeout: 600_000 }, () => {
  let database: CitusDatabase;
  beforeAll(async () => {
    database = await citusDatabase({ divided: false });
  }, 600_000);
  afterAll(() => database?.close(), 600_000);

  const run = (variables: Record<string, string>) => commandLine(database.db, variables)(COMMAND);
  const asSuperuser = () => ({ CITUS_DATABASE_URL: database.superuserUrls[0]! });

  test.each([
    ['without a superuser’s URL', () => ({}), /CITUS_DATABASE_URL is not set/],
    ['with an owner’s', () => ({ CITUS_DATABASE_URL: database.ownerUrl }), /must be a superuser/],
    [
      'with a standby for reads',
      () => ({ ...asSuperuser(), DATABASE_URL: database.url, DATABASE_READ_URL: database.url }),
      /has no standby/,
    ],
  ])('is refused %s', async (_what, variables, why) => {
    expect(detailOf(await run(variables()))).toMatch(why);
  });

  test('is refused while a process of the service uses the database', async () => {
    await database.owner.query(
      "insert into service_process (id, started_at, beat_at, issues) values ('p', now(), now(), true)",
    );
    expect(detailOf(await run(asSuperuser()))).toMatch(/1 processes of the service/);
    await database.owner.query('delete from service_process');
  });

  test('is refused for a table that has no place', async () => {
    await database.owner.query('create table unplaced (id int)');
    expect(detailOf(await run(asSuperuser()))).toMatch(/the table unplaced has no place/);
    await database.owner.query('drop table unplaced');
  });

  /** How many rows each table has. */
  async function rowsOfTables(): Promise<Record<string, number>> {
    const { rows } = await database.owner.query<{ table: string }>(
      `select tablename as table from pg_tables where schemaname = 'public' and tablename <> 'schema_migration' order by 1`,
    );
    const counted: Record<string, number> = {};
    for (const { table } of rows)
      counted[table] = Number((await database.owner.query(`select count(*) from ${table}`)).rows[0].count);
    return counted;
  }

  test('goes on where it was broken off, keeps every row of a day of work, and is recorded', async () => {
    const service = await testService({}, { database });
    for (const [, work] of await runDayOfWork(service)) await work();
    await service.close();
    const before = await rowsOfTables();
    const client = new pg.Client(database.superuserUrls[0]);
    await client.connect();
    await client.query('set citus.shard_count = 2');
    const broken = statementsOf('maintenance', () =>
      distribute(client, (done) => {
        if (done === 12) throw new Error('broken off');
      }),
    );
    await expect(broken).rejects.toThrow('broken off');
    await client.end();
    const whole = await run(asSuperuser());
    expect([whole.exit, whole.stderr]).toEqual([0, '']);
    const { rows } = await database.owner.query(
      `select (select count(*)::int from pg_dist_partition) as placed, 
              (select count(*)::int from audit_entry where action = 'distribute_database') as audited, to_regclass('citus_released') as left`,
    );
    expect(rows[0]).toMatchObject({ audited: 1, left: null });
    expect(rows[0].placed).toBeGreaterThan(50);
    // And what was recorded of the division.
    const entry = { audit_entry: before['audit_entry']! + 1, journal_entry: before['journal_entry']! + 1 };
    expect(await rowsOfTables()).toEqual({ ...before, ...entry });
    const verify = await commandLine(database.db)(['verify', '--json']);
    expect(verify.json()).toMatchObject({ sound: true });
    // The role of the service has its rights, on views too, which Citus has made again.
    expect((await database.db.pool.query('select * from ops.certificates')).rows).toEqual([]);
    // Once more changes nothing.
    expect((await run(asSuperuser())).exit).toBe(0);
  });

  describe('afterwards', () => {
    test('the database is current for whoever starts the service, and for its owner', async () => {
      expect(await isCurrent(database.db.pool)).toBe(true);
      expect(await prepareDatabase(database.ownerUrl, database.url)).toEqual([]);
    });

    test('what was issued before its texts were kept gets them', async () => {
      const texts = async () =>
        (await database.owner.query('select * from invoice_text order by environment_id, invoice_id')).rows;
      const before = await texts();
      expect(before.length).toBeGreaterThan(10);
      await database.owner.query('delete from invoice_text');
      await database.owner.query(readFileSync(EARLIER_TEXTS, 'utf8'));
      expect(await texts()).toEqual(before);
    });

    test('a migration adds columns, tables, indexes, triggers and functions on every server, and replaces what issues', async () => {
      const { rows } = await database.owner.query<{ definition: string }>(
        "select pg_get_functiondef('take_numbers'::regproc) as definition",
      );
      // A session that began before the database was divided lacks its settings.
      const client = new pg.Client(database.ownerUrl);
      await client.connect();
      const sql = `${LATER_MIGRATION}; ${rows[0]!.definition}`;
      const migrated = applyMigration(client, { name: '9000_later.sql', sha256: 'of no file', sql });
      await migrated.finally(() => client.end());
      const { rows: found } = await database.owner.query(
        `select (select count(*)::int from pg_dist_partition where logicalrelid in ('later_note'::regclass, 'later_rate'::regclass)) as placed,
                (select colocationid from pg_dist_partition where logicalrelid = 'later_note'::regclass)
                  = (select colocationid from pg_dist_partition where logicalrelid = 'invoice'::regclass) as beside,
                (select force_delegation from pg_dist_object where objid = 'later_notes(int)'::regprocedure) as delegated`,
      );
      expect(found).toEqual([{ placed: 2, beside: true, delegated: true }]);
      const company = await createCompany(database.db);
      const { environmentId } = company.live;
      await issuedInvoice(database.db, company.live);
      const note = `insert into later_note (environment_id, invoice_id, text)
        select environment_id, id, 'paid in cash' from invoice where environment_id = $1 returning length`;
      expect((await database.owner.query(note, [environmentId])).rows).toEqual([{ length: 12 }]);
      const stray = "insert into later_note (environment_id, invoice_id, text) values ($1, 'inv_none', '')";
      await expect(database.owner.query(stray, [environmentId])).rejects.toThrow(/foreign key/);
      await database.owner.query("update invoice_draft set later = 'x' where environment_id = $1", [
        environmentId,
      ]);
    });
  });
});
