import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { closeDb, type Db, openDb } from '../../../src/ground/db/client.ts';
import { startEmbeddedPostgres } from '../../../src/ground/db/embedded/postgres.ts';
import { statementsOf } from '../../../src/ground/db/statement-time.ts';
import { diskSpace } from '../../../src/ground/lib/disk-space.ts';
import { verifyEnvironment } from '../../../src/subjects/chain/verify.ts';
import { computeDayTotals } from '../../../src/subjects/invoices/compute-day-totals.ts';
import { companyNif } from '../../support/agency/registration.ts';
import { createCompany, type TestCompany } from '../../support/invoices/company.ts';
import { issueOne } from '../invoice.ts';
import { startService } from '../workspace.ts';
import { makeInvoices, type Variety, type Wanted } from './make-invoices.ts';

/** A database with few invoices and one with many, in one server, kept in a directory until somebody removes it. */
export type Databases = {
  readonly directory: string;
  readonly few: Filled;
  readonly many: Filled;
  close(): Promise<void>;
};

export type Filled = {
  readonly url: string;
  readonly db: Db;
  readonly invoices: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Half of all invoices are the first one's; the second one has as many in both databases. */
  readonly companies: readonly TestCompany[];
};

type Made = Pick<Filled, 'invoices' | 'seconds' | 'companies'>;

/** Whose invoices they are, and what is done to them; a verification finds nothing unless they are varied. */
export type Contents = {
  readonly companies: number;
  readonly varied?: {
    readonly variety: Variety;
    /** Adds to the invoices of an environment, without triggers and foreign keys. */
    complete(client: pg.ClientBase, environmentId: number): Promise<void>;
  };
};

const SOUND: Contents = { companies: 20 };
/** Rows and indexes, with the write-ahead log of its making and what an index takes while it is built. */
const BYTES_OF_INVOICE = 12_000;
/** Where the disk has no room for what was asked. */
const LESS = 3_000_000;

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

/**
 * Opens the databases of a directory, and fills them first unless that was done before. With too little room on the disk
 * there are fewer invoices than `many`, and `print` reports it.
 */
export async function openDatabases(
  directory: string,
  wanted: { readonly few: number; readonly many: number },
  print: (line: string) => void,
  contents: Contents = SOUND,
): Promise<Databases> {
  mkdirSync(directory, { recursive: true });
  // Started by root, Postgres runs as nobody, who must get in.
  chmodSync(directory, 0o755);
  if (!isComplete(directory, 'many_invoices')) {
    const many = await withinDisk(directory, wanted.many, print);
    const loading = await startEmbeddedPostgres({ dataDir: directory, log, settings: LOADING });
    const place = { directory, server: loading.url, contents, print };
    await fill(place, 'few_invoices', wanted.few, wanted.few);
    await fill(place, 'many_invoices', many, wanted.few);
    await loading.stop();
  }
  const postgres = await startEmbeddedPostgres({ dataDir: directory, log });
  const [few, many] = [
    await opened(directory, postgres.url, 'few_invoices'),
    await opened(directory, postgres.url, 'many_invoices'),
  ];
  return {
    ...{ directory, few, many },
    async close() {
      for (const { db } of [few, many]) await closeDb(db);
      await postgres.stop();
    },
  };
}

const completionFile = (directory: string, name: string) => join(directory, `${name}.json`);
const isComplete = (directory: string, name: string) => existsSync(completionFile(directory, name));
const urlOf = (server: string, name: string) => server.replace(/\/postgres$/, `/${name}`);

async function withinDisk(directory: string, many: number, print: (line: string) => void): Promise<number> {
  const space = await diskSpace(directory);
  if (space === null || space.freeBytes > many * BYTES_OF_INVOICE || many <= LESS) return many;
  const free = (space.freeBytes / 1e9).toFixed(0);
  print(`${many} invoices need ${(many * BYTES_OF_INVOICE) / 1e9} GB, ${free} are free: ${LESS} instead`);
  return LESS;
}

async function opened(directory: string, server: string, name: string): Promise<Filled> {
  const made = JSON.parse(readFileSync(completionFile(directory, name), 'utf8')) as Made;
  const url = urlOf(server, name);
  const db = openDb(url, { max: 4, log });
  const { rows } = await db.pool.query<{ bytes: number }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return { ...made, url, db, bytes: rows[0]!.bytes };
}

type Place = {
  readonly directory: string;
  readonly server: string;
  readonly contents: Contents;
  readonly print: (line: string) => void;
};

async function fill(
  { directory, server, contents: { companies: number, varied }, print }: Place,
  name: string,
  count: number,
  few: number,
): Promise<void> {
  if (isComplete(directory, name)) return;
  const owner = await connected(server);
  await owner.query(`drop database if exists ${name} with (force)`);
  await owner.query(`create database ${name}`);
  await owner.end();
  const url = urlOf(server, name);
  const db = openDb(url, { max: 2, log });
  // Migrates it.
  const service = await startService({ directory }, url, { jobs: 'outside', profile: null });
  const model = await createCompany(db);
  const { id: invoiceId } = await issueOne(service.baseUrl, model.live.key);
  await service.stop();
  const companies: TestCompany[] = [];
  for (let n = 1; n <= number; n++) companies.push(await createCompany(db, { nif: companyNif(n) }));
  await closeDb(db);

  const begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1_000;
  const made = [0, 0];
  const progress = (lane: number) => (done: number) => {
    made[lane] = done;
    print(`${name}: ${made[0]! + made[1]!} of ${count} invoices made after ${seconds().toFixed(0)} s`);
  };
  const source = { environmentId: model.live.environmentId, invoiceId };
  const [first, ...others] = shares(companies, count, few);
  const lane = async (wanted: readonly Wanted[], index: number) => {
    const client = await connected(url);
    await makeInvoices(client, {
      ...{ model: source, wanted, onProgress: progress(index) },
      ...(varied && { variety: varied.variety }),
    });
    await client.end();
  };
  await Promise.all([lane([first!], 0), lane(others, 1)]);
  const last = await connected(url);
  if (varied) await completed(last, companies, varied.complete);
  // Without the numbers of its rows, adding up their days is planned for empty tables.
  await last.query('analyze');
  await addUpDays(url);
  // As the database's own housekeeping would have done by and by.
  await last.query('vacuum (analyze, freeze)');
  await last.query('checkpoint');
  await last.end();
  if (!varied) await mustBeSound(url, companies[1]!);
  const facts: Made = { invoices: count, seconds: seconds(), companies };
  writeFileSync(completionFile(directory, name), JSON.stringify(facts));
}

async function completed(
  client: pg.Client,
  companies: readonly TestCompany[],
  complete: NonNullable<Contents['varied']>['complete'],
): Promise<void> {
  await client.query('set session_replication_role = replica');
  for (const { live } of companies) await complete(client, live.environmentId);
  await client.query('reset session_replication_role');
}

/** As the nightly job would have done by and by: totals of days that are over are kept. */
async function addUpDays(url: string): Promise<void> {
  const db = openDb(url, { max: 2, log });
  await statementsOf('maintenance', () => computeDayTotals(db));
  await closeDb(db);
}

/** Throws when a verification finds anything in what was made for a company. */
async function mustBeSound(url: string, { live }: TestCompany): Promise<void> {
  const db = openDb(url, { max: 2, log });
  const found = await statementsOf('maintenance', () => verifyEnvironment(db.pool, live.environmentId));
  await closeDb(db);
  if (found?.findingCount !== 0)
    throw new Error(`what was made is not sound: ${JSON.stringify(found?.findings[0])}`);
}

/** Half for the first company, for the second half of the few, and the rest for the others alike; all for the only one. */
function shares(companies: readonly TestCompany[], count: number, few: number): Wanted[] {
  if (companies.length === 1) return [{ company: companies[0]!, count }];
  const [first, second] = [Math.ceil(count / 2), Math.min(Math.ceil(few / 2), Math.floor(count / 4))];
  const rest = count - first - second;
  const each = Math.floor(rest / (companies.length - 2));
  return companies.map((company, index) => {
    const others = index === 2 ? rest - each * (companies.length - 3) : each;
    return { company, count: [first, second][index] ?? others };
  });
}

/** Amounts as numbers, as the service reads them: the texts that are hashed have them without quotes. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  return client;
}
