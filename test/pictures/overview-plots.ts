import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type InvoiceRequest, LacreClient } from '@lacre/client';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { runningPostgresUrl } from '../../src/ground/db/embedded/postgres.ts';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { sampleOperations } from '../../src/subjects/operations/history.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import type { TestBrowser } from '../support/pages/browser.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';
import { withFewerColours } from './take.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/console');
const HALF_HOURS = 48;
/** The agency does not answer from four to six in the afternoon. */
const DOWN = { from: 32, until: 36 };

/** Most in the morning and some in the afternoon, as shops do. */
const invoicesOf = (halfHour: number): number => {
  const peak = (hour: number, width: number) => Math.exp(-(((halfHour / 2 - hour) / width) ** 2));
  return Math.round(2 + 70 * peak(11, 2) + 50 * peak(18, 1.8));
};

/**
 * What the console's overview plots of a day, into docs/console: invoices that are really issued, registered and delivered, half
 * an hour in a second or two. The samples of what was before are moved back in time.
 */
export async function drawPlots(browser: TestBrowser, demo: DemoCredentials, dataDir: string): Promise<void> {
  const { base_url: url, live, operator, simulator_url: simulator } = demo;
  const client = new LacreClient({ baseUrl: url, key: live });
  const db = openDb(runningPostgresUrl(dataDir)!, { max: 1, log: testLog() });
  const control = (mode: string) =>
    fetch(`${simulator}/_control`, {
      ...{ method: 'POST', body: JSON.stringify({ mode }) },
      headers: { 'Content-Type': 'application/json' },
    });
  await sampleOperations(db.pool);
  for (let halfHour = 0; halfHour < HALF_HOURS; halfHour++) {
    await moveBack(db);
    if (halfHour === DOWN.from) await control('down');
    if (halfHour === DOWN.until) await control('ok');
    const before = await counted(db);
    const count = invoicesOf(halfHour);
    await Promise.all(
      Array.from({ length: count }, () => client.invoices.create(aSimplifiedInvoice() as InvoiceRequest)),
    );
    // The server's statistics come a little later.
    await eventually(
      () => counted(db),
      (now) => now >= before + count,
    );
    await sampleOperations(db.pool);
  }
  await closeDb(db);
  const context = await browser.visitor({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${url}/console/login`);
  await page.getByLabel('Operator key').fill(operator);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const plots = page.locator('.plots').first();
  writeFileSync(join(FOLDER, 'plots-desktop-light.png'), withFewerColours(await plots.screenshot()));
  await context.close();
}

async function counted({ pool }: Db): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    "select n_tup_ins::int as n from pg_stat_user_tables where schemaname = 'public' and relname = 'invoice'",
  );
  return rows[0]!.n;
}

/** By half an hour. The service's role may add and delete samples, and change none. */
async function moveBack({ pool }: Db): Promise<void> {
  const columns = 'invoices, records, deliveries, unsent, oldest_unsent_seconds, database_bytes';
  await pool.query(
    `with before as (delete from operations_sample returning *)
     insert into operations_sample (taken_at, ${columns}) select taken_at - interval '30 minutes', ${columns} from before`,
  );
}
