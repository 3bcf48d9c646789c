import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf } from '../support/database/contents.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { endPrograms, type RunningProgram, runProgram } from '../support/processes/running-program.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'lacre-warm-start-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  endPrograms();
  await database?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** With the role that the service runs as. */
async function startService(): Promise<RunningProgram> {
  const place = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    JOBS: 'outside',
  };
  const service = runProgram('src/main.ts', place);
  await service.untilPrinted(/"msg":"ready"/);
  return service;
}

/** Where each process enters itself and how far the server has come, whatever it does. */
const OF_PROCESSES = ['public.database_lineage', 'public.service_process'];

test('a process has warmed up before it is ready, on an empty database, and leaves nothing there', async () => {
  await (await startService()).end('SIGTERM');
  const before = await contentsOf(database.owner);
  const service = await startService();
  const { rows } = await database.owner.query('select from rehearsal');
  await service.end('SIGTERM');
  const lines = service.output().split('\n');
  const lineOf = (message: RegExp) => lines.findIndex((line) => message.test(line));
  // On a busy machine it may have ended at its limit.
  const warmed = lineOf(/"msg":"(not )?warmed up"/);
  expect(warmed).toBeGreaterThan(-1);
  expect(warmed).toBeLessThan(lineOf(/"msg":"ready"/));
  expect(rows).toEqual([]);
  const after = await contentsOf(database.owner);
  for (const table of OF_PROCESSES) after[table] = before[table]!;
  expect(after).toEqual(before);
});
