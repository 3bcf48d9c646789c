import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverCredentials } from '../../src/agency-simulator/tls.ts';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/ground/db/embedded/postgres.ts';
import { derivedUrl } from '../../src/ground/db/roles/credentials.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms, runProgram } from '../support/processes/running-program.ts';

/** A Postgres that admits encrypted connections alone, as managed ones do and deploy/patroni does. */

const folder = mkdtempSync(join(tmpdir(), 'lacre-database-tls-'));
const LINK_SECRETS = 'x'.repeat(32);
const CHECKPOINT_KEY = 'y'.repeat(32);
let postgres: EmbeddedPostgres;
let ownerUrl: string;
let owner: pg.Client;

const encrypted = (url: string, ca: string) => `${url}?sslmode=verify-full&sslrootcert=${ca}`;

beforeAll(async () => {
  // Postgres runs as another user when root starts it.
  chmodSync(folder, 0o755);
  const tls = join(folder, 'tls');
  await serverCredentials(tls);
  await serverCredentials(join(folder, 'other'));
  postgres = await startEmbeddedPostgres({ dataDir: folder, log: testLog(), settings: { fsync: 'off' } });
  const cluster = join(folder, 'postgres');
  const { uid, gid } = statSync(cluster);
  for (const [from, to] of [
    ['server.pem', 'server.crt'],
    ['server-key.pem', 'server.key'],
  ] as const) {
    copyFileSync(join(tls, from), join(cluster, to));
    chownSync(join(cluster, to), uid, gid);
    chmodSync(join(cluster, to), 0o600);
  }
  owner = new pg.Client(postgres.url);
  await owner.connect();
  await owner.query('create database encrypted');
  const rules = join(cluster, 'pg_hba.conf');
  writeFileSync(rules, readFileSync(rules, 'utf8').replaceAll(/^host /gm, 'hostssl '));
  await owner.query(`alter system set ssl = on`);
  await owner.query('select pg_reload_conf()');
  ownerUrl = postgres.url.replace(/\/[^/]+$/, '/encrypted');
});
afterAll(async () => {
  endPrograms();
  await owner?.end();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (DATABASE_URL: string) =>
  runProgram('src/main.ts', {
    ...{
      DATABASE_URL,
      LINK_SECRETS,
      CHECKPOINT_KEY,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      HOST: '127.0.0.1',
    },
  });

test('a process works over encrypted connections alone', async () => {
  const way = encrypted(ownerUrl, join(folder, 'tls/ca.pem'));
  const program = start(way);
  const [, port] = await program.untilPrinted(/"port":(\d+).*"msg":"ready"/);
  const secret = createHash('sha256').update(CHECKPOINT_KEY).digest();
  const db = openDb(derivedUrl(way, { ownerUrl: way, database: 'encrypted', secret }), {
    max: 1,
    log: testLog(),
  });
  const { test } = await createCompany(db);
  const response = await fetch(`http://127.0.0.1:${port}/v1/invoices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${test.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(aSimplifiedInvoice()),
  });
  expect(response.status).toBe(201);
  const { rows } = await owner.query<{ name: string; encrypted: boolean }>(
    `select distinct application_name as name, ssl as encrypted from pg_stat_ssl join pg_stat_activity using (pid)
      where datname = 'encrypted' and backend_type = 'client backend'`,
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.filter((row) => !row.encrypted)).toEqual([]);
  await closeDb(db);
  expect(await program.end('SIGTERM')).toBe(0);
});

test.each([
  ['no encryption', () => ownerUrl, /no encryption/],
  ['the certificate of another', () => encrypted(ownerUrl, join(folder, 'other/ca.pem')), /certificate/],
])('a process that is given %s ends at once and says why', async (_, url, reason) => {
  const program = start(url());
  await program.untilPrinted(reason);
  expect(await program.end('SIGTERM')).toBe(1);
});
