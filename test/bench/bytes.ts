import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { spawnSimulator } from '../../src/startup/simulator-process.ts';
import { companyNif } from '../support/agency/registration.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { eventually, runProgram } from '../support/processes/running-program.ts';
import type { Pace } from './drive.ts';
import { issueOne, issueRequest } from './invoice.ts';
import type { HttpLoad } from './programs/http-load.ts';
import { runRound } from './round.ts';
import { startService, type Workspace } from './workspace.ts';

/** What one invoice costs in bytes: of rows and of indexes by table, and of the write-ahead log. */
export type Bytes = {
  readonly invoices: number;
  readonly documents: number;
  readonly tables: readonly TableBytes[];
  /** Of the write-ahead log, for an invoice that is issued, a record that is registered and a document that is rendered. */
  readonly wal: { readonly issued: number; readonly registered: number; readonly rendered: number };
};

export type TableBytes = { readonly table: string; readonly rows: number; readonly indexes: number };

const COMPANIES = 20;
/** Rendered to learn what a document costs; rendering all would take an hour and tell the same. */
const DOCUMENTS = 1_000;
/** What the jobs do not finish within this time they never will. */
const DRAINED_WITHIN_SECONDS = 3_600;

type Reading = {
  readonly tables: ReadonlyMap<string, { readonly rows: number; readonly indexes: number }>;
  readonly wal: number;
};

/**
 * Issues at least `count` invoices over HTTP, registers them with a simulator that requests no wait, renders some of their
 * documents into Postgres, and compares sizes before and after. Bytes do not depend on what else the machine does.
 */
export async function bytesOfInvoices(
  workspace: Workspace,
  { pace, count, print }: { pace: Pace; count: number; print: (line: string) => void },
): Promise<Bytes> {
  const { url, db } = await workspace.database('bytes');
  const service = await startService(workspace, url, { jobs: 'outside', profile: null });
  const companies: TestCompany[] = [];
  for (let n = 1; n <= COMPANIES; n++) companies.push(await createCompany(db, { nif: companyNif(n) }));
  // Asks the census, which is then remembered.
  for (const { live } of companies) await issueOne(service.baseUrl, live.key);
  const before = await read(db.pool);
  const requests = companies.map(({ live }) => issueRequest(live.key));
  const load: HttpLoad = { ...pace, port: service.port, requests, expectedStatus: 201 };
  const watched = { serverPid: service.pid, postgresPid: workspace.postgresPid };
  let invoices = 0;
  while (invoices < count) {
    invoices += (await runRound('http-load', load, watched)).done;
    print(`bytes: ${invoices} invoices issued`);
  }
  await service.stop();
  const issued = await read(db.pool);
  const documents = Math.min(DOCUMENTS, invoices);
  await keepRendering(db.pool, documents);
  const dataDir = mkdtempSync(join(workspace.directory, 'worker-'));
  const simulator = await spawnSimulator({
    ...{ dataDir: join(dataDir, 's'), port: 0, tlsPort: 0, waitSeconds: 0 },
  });
  const worker = runProgram('jobs/main.ts', {
    ...{ DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'warn', SIMULATOR_URL: simulator.url },
    ...{ SIMULATOR_TLS_URL: simulator.tlsUrl, SIMULATOR_TLS_DIR: simulator.tlsDir },
  });
  await settled(db.pool, "from record_state where status <> 'registered'");
  print('bytes: all of them registered');
  const registered = await read(db.pool);
  await db.pool.query(RENDER_NOW);
  await db.pool.query("select pg_notify('jobs:insert', '{}')");
  await settled(db.pool, "from graphile_worker.jobs where task_identifier = 'render_pdf'");
  const rendered = await read(db.pool);
  await worker.end('SIGTERM');
  await simulator.stop();
  return {
    ...{ invoices, documents, tables: perInvoice(before, registered, rendered, { invoices, documents }) },
    wal: {
      issued: (issued.wal - before.wal) / invoices,
      registered: (registered.wal - issued.wal) / invoices,
      rendered: (rendered.wal - registered.wal) / documents,
    },
  };
}

/** The documents that are to be rendered wait until all is registered; no others are. */
async function keepRendering(pool: pg.Pool, most: number): Promise<void> {
  await pool.query(
    `delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
      where tasks.id = jobs.task_id and tasks.identifier = 'render_documents'`,
  );
  await pool.query(
    `select graphile_worker.add_job('render_pdf', run_at => now() + interval '1 day',
         payload => json_build_object('environmentId', environment_id, 'invoiceId', invoice_id))
       from invoice_document order by invoice_id limit $1`,
    [most],
  );
}

const RENDER_NOW = `
  update graphile_worker._private_jobs jobs set run_at = now() from graphile_worker._private_tasks tasks
   where tasks.id = jobs.task_id and tasks.identifier = 'render_pdf'`;

async function settled(pool: pg.Pool, left: string): Promise<void> {
  const count = async () =>
    (await pool.query<{ count: number }>(`select count(*)::int as count ${left}`)).rows[0]!.count;
  await eventually(count, (waiting) => waiting === 0, DRAINED_WITHIN_SECONDS);
}

/** Sizes of the service's own tables, out-of-line texts with the rows they belong to. */
async function read(pool: pg.Pool): Promise<Reading> {
  // What was deleted and not yet given back would count as what is there.
  await pool.query('vacuum');
  const { rows } = await pool.query<{ table: string; rows: string; indexes: string }>(
    `select relname as table, pg_table_size(oid) as rows, pg_indexes_size(oid) as indexes
       from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const wal = await pool.query<{ wal: string }>("select pg_current_wal_lsn() - '0/0' as wal");
  return {
    tables: new Map(
      rows.map(({ table, ...sizes }) => [
        table,
        { rows: Number(sizes.rows), indexes: Number(sizes.indexes) },
      ]),
    ),
    wal: Number(wal.rows[0]!.wal),
  };
}

/** Less than this for an invoice is told together with everything else that is so small. */
const SMALL_BYTES = 16;

function perInvoice(
  before: Reading,
  registered: Reading,
  rendered: Reading,
  { invoices, documents }: { invoices: number; documents: number },
): TableBytes[] {
  const grown = (table: string, what: 'rows' | 'indexes') => {
    const [from, middle, to] = [before, registered, rendered].map(
      (reading) => reading.tables.get(table)?.[what] ?? 0,
    ) as [number, number, number];
    return (middle - from) / invoices + (to - middle) / documents;
  };
  const all = [...rendered.tables.keys()].map((table) => ({
    ...{ table, rows: grown(table, 'rows'), indexes: grown(table, 'indexes') },
  }));
  const size = ({ rows, indexes }: TableBytes) => rows + indexes;
  const [large, small] = [
    all.filter((one) => size(one) >= SMALL_BYTES),
    all.filter((one) => size(one) < SMALL_BYTES),
  ];
  const rest = small.reduce(
    (sum, { rows, indexes }) => ({ rows: sum.rows + rows, indexes: sum.indexes + indexes }),
    { rows: 0, indexes: 0 },
  );
  return [...large.sort((one, other) => size(other) - size(one)), { table: 'all others', ...rest }];
}
