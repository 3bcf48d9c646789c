import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/ground/db/embedded/postgres.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { type TestObjectStore, testObjectStore } from '../support/documents/object-store.ts';
import { testLog } from '../support/processes/run-log.ts';
import { endPrograms, eventually } from '../support/processes/running-program.ts';
import { openShop, type Shop } from './backup-shop.ts';
import { POSTGRES_TOOLS, POSTGRES_USER, runTool, startPostgresWithTools } from './postgres-tools.ts';

if (POSTGRES_TOOLS === null) {
  console.warn('SKIPPED: there is no Postgres with pg_dump (Debian: apt-get install postgresql)');
}

let folder: string;
let simulator: TestSimulator;
let store: TestObjectStore;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-backup-'));
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(folder, 0o755);
  [simulator, store] = await Promise.all([testSimulator(), testObjectStore()]);
});
afterAll(async () => {
  endPrograms();
  await Promise.all([simulator?.stop(), store?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const openAnother = (name: string, url: string, variables: Record<string, string>): Promise<Shop> =>
  openShop({
    ...{ simulator, databaseUrl: url, dataDir: join(folder, name, 'data'), variables },
    // The agency takes a number of an issuer once.
    nif: companyNif(++shops),
  });
let shops = 700;

async function query<T extends object>(url: string, ...statements: string[]): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: T[] = [];
    for (const statement of statements) ({ rows } = await client.query<T>(statement));
    return rows[0] as T;
  } finally {
    await client.end();
  }
}

/** A folder that the server may write to. */
function serversFolder(...names: string[]): string {
  const path = join(folder, ...names);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o777);
  return path;
}

/**
 * What stands in the guide under "After a restore", on a database that lacks the last two invoices that the agency holds:
 * nothing is issued until somebody has decided, then no number is given twice, and what is sealed is sound.
 */
async function continues(shop: Shop, lost: readonly string[]): Promise<void> {
  // A recovery to a moment looks like a promotion.
  expect(shop.output()).toMatch(/THE DATABASE WAS RESTORED|A STANDBY TOOK OVER THAT MAY LACK RECORDS/);
  const refused = await shop.issue();
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  expect(refused.retryAfter).toBe('60');
  expect(await shop.findings()).toEqual([]);
  // Nothing that is lost can be opened over before it is known.
  await eventually(
    () => shop.chain(),
    ({ hold }) => hold === 'forked',
  );
  const { records } = await query<{ records: { number: string }[] }>(
    shop.databaseUrl,
    'select records from chain_fork',
  );
  expect(records.map(({ number }) => number).sort()).toEqual([...lost].sort());
  const report = await shop.cli('restore', 'report');
  expect(report.code, report.output).toBe(0);
  for (const number of lost)
    expect(report.output).toMatch(new RegExp(`^ {2}${number} {2}\\d{2}-\\d{2}-\\d{4}$`, 'm'));
  expect(report.output).toMatch(/2 lost, found .*NOT DECIDED: issuing is held[\s\S]*^2 lost invoices$/m);
  const opened = await shop.cli(
    ...['chains', 'open-installation', String(shop.environmentId)],
    ...['--reason', 'two invoices were lost', '--live', '--json'],
  );
  expect(opened.code, opened.output).toBe(0);
  const next = await shop.issued();
  expect(Number(next.split('-')[2])).toBe(Number(lost.at(-1)!.split('-')[2]) + 1);
  await shop.registered();
  expect(await shop.findings()).toEqual([]);
}

/** A dump is young and restorable, as two commands find out; the scratch database is used once, and only if it is empty. */
async function rehearsed(shop: Shop, server: string, dump: string): Promise<void> {
  const checked = await shop.cli('backup', 'check', '--dump', dump);
  expect(checked.code, checked.output).toBe(8);
  expect(checked.output).toMatch(/^OK +dump: .* 0\.0 hours old$/m);
  expect(checked.output).toMatch(/^WARNING archive: archive_mode is off/m);
  utimesSync(dump, new Date(0), new Date(0));
  expect((await shop.cli('backup', 'check', '--dump', dump)).output).toMatch(/^FAILURE dump: .*too old/m);
  expect((await shop.cli('backup', 'check')).code).toBe(6);
  await query(server, 'create database rehearsal');
  const into = ['--into', server.replace(/postgres$/, 'rehearsal'), '--tools', POSTGRES_TOOLS!];
  const other = join(folder, 'no.dump');
  writeFileSync(other, 'not a dump');
  const broken = await shop.cli('backup', 'rehearse', '--dump', other, ...into);
  expect(broken.code, broken.output).toBe(6);
  const done = await shop.cli('backup', 'rehearse', '--dump', dump, ...into, '--json');
  expect(done.code, done.output).toBe(0);
  expect(JSON.parse(done.output)).toMatchObject({ sound: true, records: 2, findings: 0 });
  const again = await shop.cli('backup', 'rehearse', '--dump', dump, ...into);
  expect(again, again.output).toMatchObject({ code: 3, output: expect.stringContaining('not empty') });
}

// Much of both is waiting, so they run side by side.

test.concurrent('a dumped database is restored by pg_restore, with the documents of its bucket, and issues again', {
  skip: POSTGRES_TOOLS === null,
}, async ({ onTestFinished }) => {
  const server = await startPostgresWithTools(serversFolder('dumped'));
  onTestFinished(() => server.stop());
  await query(server.url, 'create database lacre');
  const url = server.url.replace(/postgres$/, 'lacre');
  const shop = await openAnother('dumped', url, store.variables());
  await shop.issued();
  const kept = await shop.document(await shop.issued());
  await shop.registered();
  const dump = join(folder, 'lacre.dump');
  await runTool('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${url}`);
  await rehearsed(shop, server.url, dump);
  const lost = [await shop.issued(), await shop.issued()];
  await shop.registered();

  await shop.stop();
  await query(server.url, 'drop database lacre with (force)', 'create database lacre');
  await runTool('pg_restore', '--exit-on-error', `--dbname=${url}`, dump);
  await shop.start();
  await continues(shop, lost);

  expect(await shop.document(kept.number)).toEqual(kept);
  // The bucket came back without it.
  for (const key of await store.keys()) if (key.includes(kept.id)) await store.remove(key);
  expect(await shop.document(kept.number)).toEqual(kept);
  expect((await store.keys()).some((key) => key.includes(kept.id))).toBe(true);
  await shop.stop();
});

test.concurrent('a server that archives its log is restored to an instant, and issuing continues', async ({
  onTestFinished,
}) => {
  const archive = serversFolder('archive');
  const before = serversFolder('before');
  const after = serversFolder('after');
  const log = testLog();
  const server = await startEmbeddedPostgres({
    dataDir: before,
    log,
    settings: {
      ...{ wal_level: 'replica', archive_mode: 'on', fsync: 'off' },
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    },
  });
  const shop = await openAnother('archived', server.url, {});
  const kept = await shop.document(await shop.issued());
  await shop.registered();
  await baseBackup(server.url, before, after);
  // In no backup but in the log.
  await shop.issued();
  await shop.registered();
  const { moment } = await query<{ moment: string }>(server.url, 'select now()::text as moment');
  const lost = [await shop.issued(), await shop.issued()];
  await shop.registered();
  await shop.stop();
  await archived(server.url);
  const checked = await shop.cli('backup', 'check');
  expect(checked.code, checked.output).toBe(0);
  expect(checked.output).toMatch(
    /^OK +archive: .*restored up to about .*; 0 MiB of complete log are not archived$/m,
  );
  await server.stop();
  rmSync(before, { recursive: true });

  recoverUntil(join(after, 'postgres'), moment, archive);
  const recovered = await startEmbeddedPostgres({ dataDir: after, log, settings: { fsync: 'off' } });
  onTestFinished(() => recovered.stop());
  await shop.start(recovered.url);
  await continues(shop, lost);
  expect(await shop.document(kept.number)).toEqual(kept);
  await shop.stop();
});

/** What pg_basebackup does, which our Postgres does not bring: the files of a running server, and where its log begins. */
async function baseBackup(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`select pg_backup_start('lacre', fast => true)`);
  const cluster = join(to, 'postgres');
  execFileSync('cp', ['-a', join(from, 'postgres'), cluster]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await client.end();
  writeFileSync(join(cluster, 'backup_label'), rows[0]!.labelfile);
  rmSync(join(cluster, 'postmaster.pid'));
  for (const name of readdirSync(join(cluster, 'pg_wal'), { withFileTypes: true })) {
    if (name.isFile()) rmSync(join(cluster, 'pg_wal', name.name));
  }
  copyFileSync(join(from, 'postgres-password'), join(to, 'postgres-password'));
}

/** Waits until everything that has been written is in the archive. */
async function archived(url: string): Promise<void> {
  const { segment } = await query<{ segment: string }>(
    url,
    'select pg_walfile_name(pg_switch_wal()) as segment',
  );
  await eventually(
    () => query<{ last: string }>(url, 'select last_archived_wal as last from pg_stat_archiver'),
    ({ last }) => last >= segment,
  );
}

function recoverUntil(cluster: string, moment: string, archive: string): void {
  const settings = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${moment}'`,
    `recovery_target_action = 'promote'`,
  ];
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  writeFileSync(join(cluster, 'recovery.signal'), '');
  const { uid, gid } = POSTGRES_USER;
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, cluster]);
}
