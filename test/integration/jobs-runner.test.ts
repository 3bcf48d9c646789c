import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { statementsOf } from '../../src/ground/db/statement-time.ts';
import { enqueue } from '../../src/ground/queue/enqueue.ts';
import { assemble } from '../../src/startup/assemble.ts';
import { issueRecords, ordinary } from '../support/agency/records.ts';
import { newChain } from '../support/agency/registration.ts';
import { testSimulator } from '../support/agency/simulator.ts';
import { testDatabase } from '../support/database/database.ts';
import { databaseProxy } from '../support/database/database-proxy.ts';
import { issuedInvoice } from '../support/documents/issued-invoice.ts';
import { createCompany } from '../support/invoices/company.ts';
import { testLog } from '../support/processes/run-log.ts';

/** More chains than any process sends for at once. */
const HANGING = 40;

test('an agency that hangs, for any number of companies, does not block rendering', async () => {
  const [database, simulator] = await Promise.all([testDatabase({ connections: 12 }), testSimulator()]);
  const { db } = database;
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-jobs-'));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const warned: string[] = [];
  const log = testLog((line) => warned.push(line), 'warn');
  const { services, close } = assemble({ config, db, log, simulator });
  await simulator.control({ mode: 'hang' });
  for (let chains = 0; chains < HANGING; chains += 1) {
    const { environmentId, chainId, standardSeriesId } = await newChain(db);
    await issueRecords(db, { environmentId, chainId, standardSeriesId }, ordinary(1));
    await enqueue(db.pool, [{ task: 'register', payload: { environmentId, chainId } }]);
  }
  const count = async (query: string) => (await db.pool.query<{ count: number }>(query)).rows[0]?.count;
  const jobs = await startJobs(services, () => warned.push('it ended'));
  try {
    const sending = () => count('select count(*)::int as count from submission where finished_at is null');
    await expect.poll(sending).toBe(20);
    const { test: home } = await createCompany(db);
    const invoiceId = await issuedInvoice(db, home);
    const { environmentId } = home;
    await enqueue(db.pool, [{ task: 'render_pdf', payload: { environmentId, invoiceId } }]);
    const rendered = () =>
      count("select count(*)::int as count from invoice_document where state = 'stored'");
    await expect.poll(rendered).toBe(1);
    expect(await sending()).toBe(20);
    expect(warned).toEqual([]);
  } finally {
    await simulator.control({ mode: 'down' });
    await jobs.stop();
    await close();
    await Promise.all([database.close(), simulator.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** Services whose way to the database can be broken. */
async function behindProxy() {
  const [database, simulator] = await Promise.all([testDatabase({ connections: 4 }), testSimulator()]);
  const proxy = await databaseProxy(database.url);
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-jobs-'));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const log = testLog();
  const db = openDb(proxy.through(database.url), { max: 12, log });
  const { services, close: closeServices } = assemble({ config, db, log, simulator });
  const close = async () => {
    await closeServices();
    await closeDb(db);
    await proxy.close();
    await Promise.all([database.close(), simulator.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { database, simulator, proxy, services, close };
}

test('jobs that lose their database run again when it is back, in the same process', async () => {
  const { database, simulator, proxy, services, close } = await behindProxy();
  await simulator.control({ mode: 'hang' });
  const { environmentId, chainId, standardSeriesId } = await newChain(database.db);
  await issueRecords(database.db, { environmentId, chainId, standardSeriesId }, ordinary(1));
  await enqueue(database.db.pool, [{ task: 'register', payload: { environmentId, chainId } }]);
  let ended = 0;
  const jobs = await startJobs(services, () => {
    ended += 1;
  });
  const count = async (query: string) =>
    (await database.db.pool.query<{ count: number }>(query)).rows[0]?.count;
  try {
    const sending = () => count('select count(*)::int as count from submission where finished_at is null');
    await expect.poll(sending).toBe(1);
    proxy.cut();
    // The job now fails and cannot be noted as failed. Jobs of the clock may be cut off beside it.
    await simulator.control({ mode: 'down' });
    const locked = () =>
      count(
        `select count(*)::int as count from graphile_worker.jobs
          where locked_at is not null and task_identifier = 'register'`,
      );
    await expect.poll(locked).toBe(1);
    proxy.resume();
    await expect.poll(locked).toBe(0);
    const { test: home } = await createCompany(database.db);
    const invoiceId = await issuedInvoice(database.db, home);
    await enqueue(database.db.pool, [
      { task: 'render_pdf', payload: { environmentId: home.environmentId, invoiceId } },
    ]);
    const rendered = () =>
      count("select count(*)::int as count from invoice_document where state = 'stored'");
    await expect.poll(rendered).toBe(1);
    expect(ended).toBe(0);
  } finally {
    await jobs.stop();
    await close();
  }
});

test('runners whose first statement is lost with its connection are restarted, and work', async () => {
  const { database, proxy, services, close } = await behindProxy();
  const { test: home } = await createCompany(database.db);
  const invoiceId = await issuedInvoice(database.db, home);
  const { environmentId } = home;
  await enqueue(database.db.pool, [{ task: 'render_pdf', payload: { environmentId, invoiceId } }]);
  // One for each runner, and as many again for those that come after them.
  proxy.cutAt('_private_tasks', 4);
  let ended = 0;
  const jobs = await startJobs(services, () => {
    ended += 1;
  });
  try {
    const rendered = async () =>
      (await database.db.pool.query("select from invoice_document where state = 'stored'")).rowCount;
    await expect.poll(rendered).toBe(1);
    expect(ended).toBe(0);
  } finally {
    await jobs.stop();
    await close();
  }
});

test('however many jobs hold a connection, requests get half of them', async () => {
  const database = await testDatabase({ connections: 4 });
  const { pool } = database.db;
  const held: pg.PoolClient[] = [];
  const job = async () => {
    held.push(await statementsOf('job', () => pool.connect()));
  };
  try {
    const jobs = [job(), job(), job()];
    await expect.poll(() => held.length).toBeGreaterThan(1);
    const request = await pool.connect();
    await request.query('select 1');
    expect(held).toHaveLength(2);
    request.release();
    held[0]!.release();
    await Promise.all(jobs);
    for (const client of held.slice(1)) client.release();
  } finally {
    await database.close();
  }
});
