import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { closeDb, type Db, openDb } from '../../../src/ground/db/client.ts';
import { startEmbeddedPostgres } from '../../../src/ground/db/embedded/postgres.ts';
import { statementsOf } from '../../../src/ground/db/statement-time.ts';
import { computeDayTotals } from '../../../src/subjects/invoices/compute-day-totals.ts';
import { createCompany, type TestCompany } from '../../support/invoices/company.ts';
import { issueMany } from '../../support/invoices/many-invoices.ts';
import { issueOne } from '../invoice.ts';
import { startService } from '../workspace.ts';
import { vary } from './varied.ts';

/** A server with one company and its many invoices, kept in a directory until somebody removes it. */
export type Filled = {
  readonly directory: string;
  readonly url: string;
  readonly db: Db;
  readonly company: TestCompany;
  close(): Promise<void>;
};

type Wanted = { readonly invoices: number; readonly recipients: number };

/** Nothing is lost with a crash but time, so nothing waits for the disk. */
const LOADING = {
  ...{
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
  },
  ...{ max_wal_size: '4GB', shared_buffers: '2GB', maintenance_work_mem: '1GB', autovacuum: 'off' },
};

const log = pino({ level: 'warn' });

/** Opens the database of a directory, and fills it first unless that was done before. */
export async function openFilled(
  directory: string,
  wanted: Wanted,
  print: (line: string) => void,
): Promise<Filled> {
  mkdirSync(directory, { recursive: true });
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(directory, 0o755);
  const completion = join(directory, 'company.json');
  if (!existsSync(completion)) {
    const loading = await startEmbeddedPostgres({ dataDir: directory, log, settings: LOADING });
    writeFileSync(completion, JSON.stringify(await fill(directory, loading.url, wanted, print)));
    await loading.stop();
  }
  const postgres = await startEmbeddedPostgres({ dataDir: directory, log });
  const db = openDb(postgres.url, { max: 4, log });
  return {
    ...{ directory, url: postgres.url, db },
    company: JSON.parse(readFileSync(completion, 'utf8')) as TestCompany,
    async close() {
      await closeDb(db);
      await postgres.stop();
    },
  };
}

async function fill(
  directory: string,
  url: string,
  { invoices, recipients }: Wanted,
  print: (line: string) => void,
): Promise<TestCompany> {
  // Migrates it.
  const service = await startService({ directory }, url, { jobs: 'outside', profile: null });
  const db = openDb(url, { max: 2, log });
  const model = await createCompany(db);
  const { id: invoiceId } = await issueOne(service.baseUrl, model.live.key);
  await service.stop();
  const company = await createCompany(db);
  await issueMany(db.pool, {
    model: { environmentId: model.live.environmentId, invoiceId },
    companies: [company],
    count: invoices,
    nameOf: (index) => `Cooperativa ${(index + 1) % recipients} del Duero SL`,
    onProgress: (done) => {
      if (done % 50_000 === 0) print(`${done} of ${invoices} invoices made`);
    },
  });
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await vary(owner, company.live.environmentId, recipients);
  // Without the numbers of its rows, adding up their days is planned for empty tables.
  await owner.query('analyze');
  // As the nightly job would have done by and by: totals of days that are over are kept.
  await statementsOf('maintenance', () => computeDayTotals(db));
  // As the database's own housekeeping would have done.
  await owner.query('vacuum (full, analyze)');
  await owner.query('vacuum (freeze)');
  await owner.query('checkpoint');
  await owner.end();
  await closeDb(db);
  return company;
}
