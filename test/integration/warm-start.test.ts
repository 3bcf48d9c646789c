import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { contentsOf } from '../support/database/contents.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type SmallDisk, smallDisk } from '../support/database/small-disk.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import {
  endPrograms,
  eventually,
  type RunningProgram,
  runProgram,
} from '../support/processes/running-program.ts';

let dataDir: string;
let database: TestDatabase;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'lacre-warm-start-'));
  database = await testDatabase();
});
afterEach(async () => {
  await database?.close();
  rmSync(dataDir, { recursive: true, force: true });
});
afterAll(endPrograms);

type Started = { readonly program: RunningProgram; readonly url: string };

/** With the role that the service runs as. */
const runService = (variables: Record<string, string> = {}): RunningProgram =>
  runProgram('src/main.ts', {
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', JOBS: 'outside' },
    ...variables,
  });

async function readyAt(program: RunningProgram): Promise<string> {
  const [, port] = await program.untilPrinted(/"port":(\d+).*"msg":"ready"/);
  return `http://127.0.0.1:${port}`;
}

async function startService(variables: Record<string, string> = {}): Promise<Started> {
  const program = runService(variables);
  return { program, url: await readyAt(program) };
}

type Line = { readonly msg: string; readonly reason?: string };
const linesOf = (program: RunningProgram): Line[] =>
  program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** How the warm-up of a process that is ready has ended; on a busy machine it may have reached its limit. */
function warmUpOf(program: RunningProgram): 'warm' | 'late' | string {
  const lines = linesOf(program);
  const ended = lines.filter(({ msg }) => /^(not )?warmed up$/.test(msg));
  expect(ended).toHaveLength(1);
  expect(lines.indexOf(ended[0]!)).toBeLessThan(lines.findIndex(({ msg }) => msg === 'ready'));
  if (ended[0]!.msg === 'warmed up') return 'warm';
  const { reason = '' } = ended[0]!;
  return /aborted due to timeout/.test(reason) ? 'late' : reason;
}

/** Where each process enters itself and how far the server has come, whatever it does. */
const OF_PROCESSES = ['public.database_lineage', 'public.service_process'];
async function contents(): Promise<Record<string, string>> {
  const all = await contentsOf(database.owner);
  return Object.fromEntries(Object.entries(all).filter(([table]) => !OF_PROCESSES.includes(table)));
}

async function issue(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/invoices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(aSimplifiedInvoice()),
  });
  await response.body?.cancel();
  return response.status;
}

test('a process has warmed up before it is ready, on an empty database, and leaves nothing there', async () => {
  await (await startService()).program.end('SIGTERM');
  const before = await contents();
  const { program } = await startService();
  await program.end('SIGTERM');
  expect(warmUpOf(program)).toMatch(/^(warm|late)$/);
  expect((await database.owner.query('select from rehearsal')).rows).toEqual([]);
  expect(await contents()).toEqual(before);
});

const disk = smallDisk(8);
afterAll(() => disk?.remove());

const issues = (url: string, key: string) =>
  eventually(
    () => issue(url, key),
    (status) => status === 201,
  );

test.skipIf(disk === null)(
  'a process whose database has a full disk is ready, and issues with room',
  async () => {
    const { path, fill, free } = disk as SmallDisk;
    const { owner, db } = database;
    const { test } = await createCompany(db);
    const place = join(path, 'tables');
    mkdirSync(place, { mode: 0o700 });
    const { rows } = await owner.query<{ file: string }>(`select current_setting('data_directory') as file`);
    const { uid, gid } = statSync(rows[0]!.file);
    chownSync(place, uid, gid);
    await owner.query(`create tablespace warm_start location '${place}'`);
    try {
      await owner.query('alter table invoice set tablespace warm_start');
      await (await startService()).program.end('SIGTERM');
      // The pages of what was rolled back would have room.
      await owner.query('vacuum full invoice');
      fill(0);
      const before = await contents();
      const { program, url } = await startService();
      expect(warmUpOf(program)).toMatch(/accepts no writes at present|^late$/);
      expect(await contents()).toEqual(before);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(await issue(url, test.key)).toBe(503);
      free();
      await issues(url, test.key);
      await program.end('SIGTERM');
    } finally {
      free();
      await owner.query('alter table invoice set tablespace pg_default');
      await owner.query('drop tablespace warm_start');
    }
  },
);

test('a process that is started on a read-only database says so, and starts when it accepts writes', async () => {
  const { owner, db } = database;
  const { test } = await createCompany(db);
  const name = new URL(database.url).pathname.slice(1);
  await owner.query(`alter database ${name} set default_transaction_read_only = on`);
  const program = runService();
  await program.untilPrinted(/THE DATABASE ACCEPTS NO WRITES: starting waits/);
  await owner.query(`alter database ${name} reset default_transaction_read_only`);
  const url = await readyAt(program);
  await issues(url, test.key);
  expect(linesOf(program).filter(({ msg }) => /starting waits/.test(msg))).toHaveLength(1);
  await program.end('SIGTERM');
});
