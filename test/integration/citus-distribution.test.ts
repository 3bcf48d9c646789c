import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distribute } from '../../src/ground/db/distribution/distribute.ts';
import { statementsOf } from '../../src/ground/db/statement-time.ts';
import { CITUS_URL, type CitusDatabase, citusDatabase } from '../support/database/citus.ts';
import { createCompany } from '../support/invoices/company.ts';
import { type CommandResult, commandLine } from '../support/processes/command-line.ts';

/** `lacre database distribute`, on a real cluster. */

const COMMAND = ['database', 'distribute', '--reason', 'beyond one server', '--live', '--json'];

const detailOf = ({ stderr }: CommandResult): string => JSON.parse(stderr).detail;

describe.skipIf(CITUS_URL === null)('dividing a database with Citus', { timeout: 600_000 }, () => {
  let database: CitusDatabase;
  beforeAll(async () => {
    database = await citusDatabase({ divided: false });
  }, 600_000);
  afterAll(() => database?.close());

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

  test('goes on where it was broken off, keeps every row, and is recorded', async () => {
    const company = await createCompany(database.db);
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
      `select (select count(*)::int from pg_dist_partition) as placed, (select count(*)::int from chain where environment_id = $1) as chains,
              (select count(*)::int from audit_entry where action = 'distribute_database') as audited, to_regclass('citus_released_key') as left`,
      [company.live.environmentId],
    );
    expect(rows[0]).toMatchObject({ chains: 1, audited: 1, left: null });
    expect(rows[0].placed).toBeGreaterThan(50);
    // The role of the service has its rights, on views too, which Citus has made again.
    expect((await database.db.pool.query('select * from ops.certificates')).rows).toEqual([]);
    // Once more changes nothing.
    expect((await run(asSuperuser())).exit).toBe(0);
  });
});
