import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATABASE_LIMITS } from '../../src/ground/db/limits.ts';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { type SmallDisk, smallDisk } from '../support/database/small-disk.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import {
  endPrograms,
  eventually,
  type RunningProgram,
  runProgram,
  startDemo,
} from '../support/processes/running-program.ts';

/**
 * The service with its own Postgres on a disk of 260 MB, which is filled while invoices are issued: only ever 201 or 503,
 * reading goes on, and with room it goes on by itself. One story, told by one service.
 */
const disk = smallDisk(260);
afterAll(() => {
  endPrograms();
  disk?.remove();
});

const RESERVE_MIB = DATABASE_LIMITS.diskReserve.value / 1024 / 1024;
const AT_ONCE = 8;

type PostResult = { readonly status: number; readonly code?: string; readonly id?: string };

describe.skipIf(disk === null)('a disk of 260 MB that is full', () => {
  const { path, fill, free } = disk as SmallDisk;
  const dataDir = join(path, 'data');
  let program: RunningProgram;
  let at: DemoCredentials;
  const issued: string[] = [];
  beforeAll(async () => {
    ({ program, credentials: at } = await startDemo(dataDir));
  });

  async function issue(): Promise<PostResult> {
    const response = await fetch(`${at.base_url}/v1/invoices`, {
      method: 'POST',
      headers: { authorization: `Bearer ${at.test}`, 'content-type': 'application/json' },
      body: JSON.stringify(aSimplifiedInvoice()),
    }).catch((error: Error) => {
      throw new Error(`the service is gone, and said: ${program.output().slice(-4_000)}`, { cause: error });
    });
    const { id, code } = (await response.json()) as { id?: string; code?: string };
    if (response.status === 201) issued.push(id!);
    else {
      expect({ status: response.status, code }).toEqual({ status: 503, code: 'service_unavailable' });
      expect(response.headers.get('retry-after')).toBe('5');
    }
    return { status: response.status };
  }

  /** Several at a time, until one comes back with that status. */
  async function issueUntil(status: number): Promise<void> {
    const round = () => Promise.all(Array.from({ length: AT_ONCE }, issue));
    await eventually(round, (answers) => answers.some((one) => one.status === status));
  }

  const get = async (route: string, key = at.test) => {
    const response = await fetch(`${at.base_url}${route}`, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    return { status: response.status, text };
  };

  /** What the doctor says of taking writes, who is told nothing but where the data are. */
  async function doctor(): Promise<string[]> {
    const command = runProgram('src/faces/cli/main.ts', { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }, [
      'doctor',
      '--json',
    ]);
    await once(command.process, 'close');
    const { findings } = JSON.parse(command.output()) as { findings: { check: string; summary: string }[] };
    return findings.filter(({ check }) => check === 'database writes').map(({ summary }) => summary);
  }

  const READY = { status: 200, text: '{"status":"ready"}' };
  const FULL = { status: 200, text: '{"status":"read_only","reason":"disk_full"}' };

  const countOf = (words: string) => program.output().split(words).length - 1;

  test('is not filled by the log or the temporary files of Postgres: each may take a quarter of it', async () => {
    const { url } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { url: string };
    const client = new pg.Client(url);
    await client.connect();
    const limits =
      "select pg_size_bytes(current_setting('max_wal_size'))::int as log, pg_size_bytes(current_setting('temp_file_limit'))::int as temporary";
    const [row] = (await client.query<{ log: number; temporary: number }>(limits)).rows;
    await client.end();
    const quarter = 65 * 1024 * 1024;
    expect(row!.log).toBeLessThanOrEqual(quarter);
    expect(row!.temporary).toBeLessThanOrEqual(quarter);
  });

  test('is detected before Postgres would panic, and reading continues', async () => {
    await issueUntil(201);
    expect(await get('/readyz')).toEqual(READY);
    fill(RESERVE_MIB + 4);
    await issueUntil(503);
    await eventually(
      () => get('/readyz'),
      ({ text }) => text === FULL.text,
    );
    expect((await get(`/v1/invoices/${issued[0]}`)).status).toBe(200);
    expect((await get('/v1/invoices?limit=50')).status).toBe(200);
    expect((await get('/metrics')).text).toContain('lacre_writes_refused{reason="disk_full"} 1');
    for (let more = 0; more < 5; more += 1) expect((await issue()).status).toBe(503);
    expect(await doctor()).toEqual([
      expect.stringMatching(
        /^The database accepts no writes: its disk is full \(.*\/postgres\): \d+ MiB are free of the 80 MiB that/,
      ),
    ]);
    expect(countOf('THE DATABASE ACCEPTS NO WRITES')).toBe(1);
    expect(countOf('Postgres ended unexpectedly')).toBe(0);
  });

  test('ends when there is room again, without a restart', async () => {
    free();
    await issueUntil(201);
    expect(await get('/readyz')).toEqual(READY);
    expect((await get('/metrics')).text).toContain('lacre_writes_refused{reason="disk_full"} 0');
    await expect.poll(() => countOf('the database accepts writes again')).toBe(1);
  });

  test('may be filled completely by others, also while Postgres is killed', async () => {
    let going = true;
    const load = Array.from({ length: AT_ONCE }, async () => {
      while (going) await issue();
    });
    fill(0);
    await issueUntil(503);
    const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0];
    process.kill(Number(postmaster), 'SIGKILL');
    await program.untilPrinted(/Postgres ended unexpectedly/);
    expect((await get('/healthz')).status).toBe(200);
    going = false;
    await Promise.all(load);
    free();
    await issueUntil(201);
    await eventually(
      () => get('/readyz'),
      ({ text }) => text === READY.text,
    );
  });

  test('has lost nothing that was acknowledged, and no job has lost an attempt', async () => {
    const { url } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')) as { url: string };
    const client = new pg.Client(url);
    await client.connect();
    const query = async (sql: string) => (await client.query(sql)).rows as { id: string; attempts: number }[];
    const there = new Set((await query('select id from invoice')).map(({ id }) => id));
    expect(issued.filter((id) => !there.has(id))).toEqual([]);
    await eventually(
      // One that was replaced while its worker was cut off has lost its key, and all of its attempts without a try.
      () =>
        query(`select id, attempts from graphile_worker.jobs
              where attempts > 1 and not (attempts = max_attempts and key is null)`),
      // Those of a worker that was cut off are taken for abandoned after 15 s.
      (tried) => tried.length === 0,
    );
    await client.end();
    const environments =
      '{ companies(first: 1) { edges { node { environments { edges { node { id: number kind } } } } } } }';
    const operator = async (query: string) => {
      const headers = { authorization: `Bearer ${at.operator}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ query });
      const response = await fetch(`${at.base_url}/graphql`, { method: 'POST', headers, body });
      // biome-ignore lint/suspicious/noExplicitAny: an answer of GraphQL
      return (await response.json()) as any;
    };
    const { data } = await operator(environments);
    const { id } = data.companies.edges[0].node.environments.edges.find(
      ({ node }: { node: { kind: string } }) => node.kind === 'test',
    ).node;
    const verified = await operator(`{ verifyChain(environmentId: ${id}) { complete findingCount } }`);
    expect(verified).toEqual({ data: { verifyChain: { complete: true, findingCount: 0 } } });
    expect(await program.end('SIGTERM')).toBe(0);
  });

  test('is reported when the service is to start on it', async () => {
    fill(10);
    await expect(startDemo(dataDir)).rejects.toThrow(/the disk of .* is full: \d+ MiB are free/);
    free();
    const again = await startDemo(dataDir);
    expect(await again.program.end('SIGTERM')).toBe(0);
  });
});
