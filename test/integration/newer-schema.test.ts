import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applyMigration, migrate, NewerSchema } from '../../src/ground/db/migrate.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { type SimulatedAgency, simulatedAgency } from '../support/agency/simulated.ts';
import { newDataDir } from '../support/agency/simulator.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import {
  endPrograms,
  eventually,
  type RunningProgram,
  runProgram,
} from '../support/processes/running-program.ts';

/** A database that a newer version has migrated: it has a migration of which this version has no file. */
let database: TestDatabase;
let agency: SimulatedAgency;
const dataDir = newDataDir();
beforeAll(async () => {
  [database, agency] = await Promise.all([testDatabase(), simulatedAgency()]);
});
afterEach(() => database.owner.query("delete from schema_migration where name like '9%'"));
afterAll(async () => {
  endPrograms();
  await Promise.all([database?.close(), agency?.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const FUTURE = '9999_future.sql';

const migrateFurther = (compatible: boolean, name = FUTURE) =>
  database.owner.query("insert into schema_migration (name, sha256, compatible) values ($1, 'x', $2)", [
    name,
    compatible,
  ]);

const variables = () => ({
  ...{ DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: '0', HOST: '127.0.0.1' },
  ...{ SIMULATOR_URL: agency.url, SIMULATOR_TLS_URL: agency.tlsUrl, SIMULATOR_TLS_DIR: agency.tlsDir },
});

async function start(): Promise<{
  program: RunningProgram;
  get: (path: string) => Promise<[number, object]>;
}> {
  const program = runProgram('src/main.ts', variables());
  const [, port] = await program.untilPrinted(/"port":(\d+).*"ready"/);
  const get = async (path: string): Promise<[number, object]> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, (await answer.json()) as object];
  };
  return { program, get };
}

const UNAVAILABLE = [503, expect.objectContaining({ code: 'service_unavailable' })];
const NEWER = [503, { status: 'not_ready', reason: 'newer_schema' }];

const addJob = () => enqueue(database.db.pool, [{ task: 'wake_schedules', payload: {} }]);
const jobWaits = async () =>
  (
    await database.owner.query(
      "select from graphile_worker.jobs where key = 'wake_schedules' and locked_at is null",
    )
  ).rowCount === 1;

test('a process that runs answers 503 and runs no jobs as soon as it is there, and goes on when it is gone', async () => {
  const { program, get } = await start();
  expect(await get('/readyz')).toEqual([200, { status: 'ready' }]);
  await migrateFurther(false);
  expect(
    await eventually(
      () => get('/readyz'),
      ([status]) => status === 503,
    ),
  ).toEqual(NEWER);
  expect(await get('/healthz')).toEqual([200, { status: 'alive' }]);
  for (const path of ['/v1/invoices', '/v1/openapi.json', '/v1/branding', '/metrics'])
    expect(await get(path)).toEqual(UNAVAILABLE);
  const working = "service_process where worker_pools <> '{}' and beat_at > now() - interval '3 seconds'";
  await eventually(
    async () => (await database.owner.query(`select from ${working}`)).rowCount,
    (count) => count === 0,
  );
  await addJob();
  expect(await jobWaits()).toBe(true);
  await database.owner.query('delete from schema_migration where name = $1', [FUTURE]);
  await eventually(jobWaits, (waits) => !waits);
  expect(await get('/readyz')).toEqual([200, { status: 'ready' }]);
  await program.end('SIGTERM');
});

test('a process that is started on it does the same, and changes nothing', async () => {
  await migrateFurther(false);
  await addJob();
  const { program, get } = await start();
  expect(await get('/readyz')).toEqual(NEWER);
  expect(await get('/v1/invoices')).toEqual(UNAVAILABLE);
  expect(await jobWaits()).toBe(true);
  await expect(migrate(database.owner)).rejects.toThrow(NewerSchema);
  await program.end('SIGTERM');
});

test('a process works on it if the migration says that it is compatible, and leaves rights as they are', async () => {
  await migrateFurther(true);
  let arranged = false;
  await migrate(database.owner, async () => {
    arranged = true;
  });
  expect(arranged).toBe(false);
  const { program, get } = await start();
  expect(await get('/readyz')).toEqual([200, { status: 'ready' }]);
  await program.end('SIGTERM');
});

test.each([[['chains', 'list']], [['database', 'migrate']]])(
  'the command %s refuses, and says why',
  async (words) => {
    await migrateFurther(false);
    const command = runProgram('src/faces/cli/main.ts', variables(), words);
    const [printed] = await command.untilPrinted(/migrated by a newer version \(9999_future\.sql\)/);
    expect(printed).toBeTruthy();
  },
);

test('the database remembers which migrations say that they are compatible', async () => {
  const client = await database.owner.connect();
  const apply = (name: string, sql: string) => applyMigration(client, { name, sql, sha256: 'x' });
  await apply('9998_a.sql', '-- compatible\nselect 1');
  await apply('9999_b.sql', '-- Not compatible.\nselect 1');
  client.release();
  const { rows } = await database.owner.query(
    "select name, compatible from schema_migration where name like '9%' order by name",
  );
  expect(rows).toEqual([
    { name: '9998_a.sql', compatible: true },
    { name: '9999_b.sql', compatible: false },
  ]);
});
