import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { initdb } from '../../src/ground/db/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../../src/ground/db/embedded/postgres.ts';
import { inspect, serversIn } from '../../src/ground/db/embedded/processes.ts';
import type { Server } from '../../src/ground/db/embedded/server.ts';
import { supervise } from '../../src/ground/db/embedded/supervise.ts';
import { Closing } from '../../src/startup/closing.ts';
import { monitorDatabase } from '../../src/startup/lineage.ts';
import { SERVICE_WAITS_MS } from '../../src/startup/wait-for-database.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { databaseProxy } from '../support/database/database-proxy.ts';
import { silentServer } from '../support/database/silent-server.ts';
import { SECRETS } from '../support/processes/command-line.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms, eventually, runProgram } from '../support/processes/running-program.ts';
import { outcomeOf } from '../support/processes/waits.ts';

/** A start that hangs: it ends by itself, or on request. */

const log = testLog();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  endPrograms();
  await database.close();
});

/** A directory that the user of Postgres can enter, until the test ends. */
function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-start-'));
  chmodSync(directory, 0o755);
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function startService(variables: Record<string, string>) {
  const program = runProgram('src/main.ts', { ...SECRETS, PORT: '0', DATA_DIR: aDirectory(), ...variables });
  onTestFinished(() => void program.process.kill('SIGKILL'));
  return program;
}

describe('a process that is asked to stop while it starts', () => {
  test('ends although its database accepts connections and answers nothing', async () => {
    const silent = await silentServer();
    const program = startService({ DATABASE_URL: silent.url });
    await program.untilPrinted(/timeout expired.*THE DATABASE IS UNAVAILABLE: starting waits/);
    const before = silent.accepted();
    await eventually(
      async () => silent.accepted(),
      (count) => count > before,
    );
    expect(await outcomeOf(program.end('SIGTERM'))).toBe(0);
    await silent.close();
  });

  test('does not wait for the migration of another process', async () => {
    const migrating = await database.owner.connect();
    onTestFinished(() => migrating.release(true));
    await migrating.query('select pg_advisory_lock(7270015)');
    const program = startService({ DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl });
    await eventually(
      () => database.owner.query(`select from pg_locks where locktype = 'advisory' and not granted`),
      ({ rowCount }) => rowCount === 1,
    );
    expect(await outcomeOf(program.end('SIGTERM'))).toBe(0);
    expect(program.output()).toContain('the start is abandoned');
  });

  test.runIf(process.platform === 'linux')('leaves no Postgres that was starting', async () => {
    const dataDir = aDirectory();
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    await postgres.stop();
    const cluster = realpathSync(join(dataDir, 'postgres'));
    // It waits for the archive from which it is to be recovered.
    writeFileSync(join(cluster, 'recovery.signal'), '');
    appendFileSync(join(cluster, 'postgresql.auto.conf'), "\nrestore_command = 'sleep 1000'\n");
    const program = startService({ DATA_DIR: dataDir });
    await eventually(
      async () => serversIn(cluster).length,
      (count) => count > 1,
    );
    expect(await outcomeOf(program.end('SIGTERM'))).toBe(0);
    await expect.poll(() => serversIn(cluster)).toEqual([]);
  });
});

test('the creation of the databases is ended when it takes too long', async () => {
  const directory = aDirectory();
  mkdirSync(join(directory, 'bin'));
  writeFileSync(join(directory, 'bin', 'initdb'), '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 });
  const creating = initdb({ directory, identity: null }, join(directory, 'cluster'), 'password', 100);
  expect(await outcomeOf(creating)).toMatchObject({ message: 'initdb failed: it took longer than 0.1 s' });
});

test('a process that finds no database to start on for ten minutes ends', async () => {
  const proxy = await databaseProxy(inject('postgresUrl'));
  const db = openDb(proxy.through(database.url), { max: 2, log });
  proxy.cut();
  const now = performance.now.bind(performance);
  let later = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
  onTestFinished(() => void vi.restoreAllMocks());
  const watching = new Closing();
  const starting = outcomeOf(monitorDatabase({ db, log }, { dataDir: null, issues: true }, watching));
  await eventually(
    async () => proxy.refused(),
    (count) => count >= 2,
  );
  later = SERVICE_WAITS_MS;
  expect(await starting).toMatchObject({ message: expect.stringMatching(/no database to start on/) });
  await watching.run(log);
  await closeDb(db);
  await proxy.close();
});

/** A program that is a server of Postgres by its name and arguments; its input ends it, signals only make it write. */
async function pretended(cluster: string) {
  const text = `process.on('SIGINT', () => console.log('asked')); process.stdin.on('end', () => process.exit()).resume();
    console.log('ready')`;
  const child = spawn(process.execPath, ['-e', text, cluster], { argv0: 'postgres' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test.runIf(process.platform === 'linux')(
  'a Postgres that is being restarted when the service stops is not started any more',
  async () => {
    const cluster = aDirectory();
    const [first, orphan] = [await pretended(cluster), await pretended(cluster)];
    writeFileSync(join(cluster, 'postmaster.pid'), `${orphan.pid}\n`);
    const serverOf = (child: typeof first): Server => ({
      ...{ process: child, ready: Promise.resolve(), lastLines: () => '' },
      ended: once(child, 'exit').then(() => {}),
    });
    const spawned: Server[] = [];
    const end = supervise(serverOf(first), {
      ...{ cluster, log },
      spawn: () => spawned[spawned.push(serverOf(first)) - 1]!,
    });
    first.kill('SIGKILL');
    // Before another one is started, the one that was left behind is ended.
    await once(orphan.stdout, 'data');
    const ending = outcomeOf(end());
    orphan.stdin.end();
    expect(await ending).toBeUndefined();
    expect(spawned).toEqual([]);
    expect(inspect(orphan.pid!)).toBeNull();
  },
);

test('whoever closes everything a second time waits for the first, and no step is taken before the one after it has ended', async () => {
  const closing = new Closing();
  const steps: string[] = [];
  const latest = Promise.withResolvers<void>();
  closing.add('first', () => void steps.push('first'));
  closing.add('latest', async () => {
    await latest.promise;
    steps.push('latest');
  });
  const both = [closing.run(log), closing.run(log)];
  latest.resolve();
  await Promise.all(both);
  expect(steps).toEqual(['latest', 'first']);
});
