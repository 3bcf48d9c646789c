import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { readConfig } from '../../src/config.ts';
import { enqueue } from '../../src/queue/enqueue.ts';
import { assemble } from '../../src/startup/assemble.ts';
import { testSimulator } from '../support/agency-simulator.ts';
import { createCompany } from '../support/company.ts';
import { testDatabase } from '../support/database.ts';
import { issuedInvoice } from '../support/issued-invoice.ts';
import { issueRecords, ordinary } from '../support/records.ts';
import { newChain } from '../support/registration.ts';
import { testLog } from '../support/run-log.ts';

/** More chains than any process sends for at once. */
const HANGING = 40;

test('an agency that hangs, for however many companies, keeps no document from being rendered', async () => {
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
    await expect.poll(sending, { timeout: 5_000 }).toBe(20);
    const { test: home } = await createCompany(db);
    const invoiceId = await issuedInvoice(db, home);
    const { environmentId } = home;
    await enqueue(db.pool, [{ task: 'render_pdf', payload: { environmentId, invoiceId } }]);
    const rendered = () =>
      count("select count(*)::int as count from invoice_document where state = 'stored'");
    await expect.poll(rendered, { timeout: 10_000 }).toBe(1);
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
