import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { serverCredentials } from '../../../src/agency-simulator/tls.ts';
import { startEmbeddedPostgres } from '../../../src/ground/db/embedded/postgres.ts';
import { derivedUrl } from '../../../src/ground/db/roles/credentials.ts';
import { prepareDatabase } from '../../../src/ground/db/roles/prepare.ts';
import { SIMULATOR_TLS } from '../agency/simulator.ts';
import { faultsOfRun } from '../database/run-statements.ts';
import { findLeaks, report } from './log-leaks.ts';
import { RUN_LOG } from './run-log.ts';
import { COMPILED } from './running-program.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the database `postgres` on the server that all tests share. */
    postgresUrl: string;
    /** Of the template, as the role that services run as: it has its rights in every copy. */
    runtimeUrl: string;
  }
}

/** Where tests are run, and where a path goes that names no folder. */
const CHECKOUT = join(import.meta.dirname, '../../..');

/** The database that every test's own one is a copy of. */
export const TEMPLATE = 'tmpl';

/** One Postgres for the whole run, with one migrated database as the template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const inCheckout = readdirSync(CHECKOUT);
  const directory = mkdtempSync(join(tmpdir(), 'lacre-test-'));
  // When started by root, Postgres runs as the user `nobody`, which needs access.
  chmodSync(directory, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir: directory,
    log: pino({ level: 'warn' }),
    // These databases need not survive a power cut.
    settings: { fsync: 'off', full_page_writes: 'off' },
    directory: process.env['TEST_POSTGRES'],
  });
  const runtimeUrl = await createTemplate(postgres.url);
  project.provide('runtimeUrl', runtimeUrl);
  project.provide('postgresUrl', postgres.url);
  // Every test's simulator works with these certificates: making them costs more than starting one.
  const certificates = mkdtempSync(join(tmpdir(), 'lacre-test-tls-'));
  await serverCredentials(certificates);
  process.env[SIMULATOR_TLS] = certificates;
  const logs = mkdtempSync(join(tmpdir(), 'lacre-test-logs-'));
  process.env[RUN_LOG] = logs;
  // For modules that workers load in threads repeatedly.
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  const passwords = [
    new URL(postgres.url).password,
    new URL(runtimeUrl).password,
    readFileSync(join(certificates, 'client-passphrase.txt'), 'utf8').trim(),
  ];
  const values = passwords.map((password) => `${JSON.stringify(['password', password])}\n`);
  writeFileSync(join(logs, 'values-setup'), values.join(''));
  return async () => {
    const faults = await faultsOfRun(postgres.url, TEMPLATE, logs);
    await postgres.stop();
    for (const made of [directory, certificates]) rmSync(made, { recursive: true, force: true });
    searchLogs(logs);
    if (faults.length > 0)
      reportFaults(
        faults,
        process.argv.some((argument) => argument.endsWith('.test.ts') || argument === 'long'),
      );
    const left = readdirSync(CHECKOUT).filter((name) => !inCheckout.includes(name));
    if (left.length === 0) return;
    process.exitCode = 1;
    throw new Error(`a test has left behind in the checkout: ${left.join(', ')}`);
  };
}

/** Fails the run when anything personal or secret was logged in it; the logs are then kept to be looked at. */
function searchLogs(folder: string): void {
  const found = findLeaks(folder);
  if (found.leaks.length === 0) {
    console.log(
      `\n${found.lines} lines of logs hold none of ${found.values} values that are personal or secret.`,
    );
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  process.exitCode = 1;
  throw new Error(`${report(found)}\nThe logs are in ${folder}.`);
}

/** Fails a run of all files when the service sent a statement that is not of one environment; one of some, or of the long form, says so. */
function reportFaults(faults: readonly string[], isOfSome: boolean): void {
  const report = `statements that no server alone could run:\n  ${faults.join('\n  ')}`;
  if (!isOfSome) {
    process.exitCode = 1;
    throw new Error(report);
  }
  console.log(report);
}

async function createTemplate(url: string): Promise<string> {
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const ownerUrl = url.replace(/\/postgres$/, `/${TEMPLATE}`);
  const runtimeUrl = derivedUrl(ownerUrl, { ownerUrl, database: TEMPLATE, secret: Buffer.alloc(0) });
  await prepareDatabase(ownerUrl, runtimeUrl);
  return runtimeUrl;
}
