import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import type { TestSimulator } from '../support/agency/simulator.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually, type RunningProgram, runProgram } from '../support/processes/running-program.ts';

/** The service as a process of its own, its jobs inside, with one company that issues live. */
export type Shop = {
  readonly environmentId: number;
  readonly databaseUrl: string;
  /** All that the service has written since it was started last. */
  output(): string;
  issue(): Promise<{ status: number; retryAfter: string | null; body: { number: string; code: string } }>;
  /** Issues an invoice and gives its number. */
  issued(): Promise<string>;
  /** Waits until the agency holds everything that was issued. */
  registered(): Promise<void>;
  /** An invoice's PDF, as it is downloaded. */
  document(number: string): Promise<{ number: string; id: string; sha256: string }>;
  /** The chain that takes records. */
  chain(): Promise<{ hold: string | null }>;
  /** What a verification of its records finds wrong. */
  findings(): Promise<readonly unknown[]>;
  /** Calls the command line, on the same database. */
  cli(...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Starts the service again, on another database if one is given. */
  start(databaseUrl?: string): Promise<void>;
  stop(): Promise<void>;
};

type Given = {
  readonly simulator: TestSimulator;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly nif: string;
  /** Further settings of the service. */
  readonly variables: Record<string, string>;
};

export async function openShop({ simulator, dataDir, nif, ...given }: Given): Promise<Shop> {
  let { databaseUrl } = given;
  let program: RunningProgram;
  let base = '';
  let db: Db;
  const variables = () => ({
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' },
    ...{ SIMULATOR_URL: simulator.url, SIMULATOR_TLS_URL: simulator.tlsUrl },
    ...{ SIMULATOR_TLS_DIR: simulator.tlsDir, NODE_COMPILE_CACHE: `${dataDir}/compiled` },
    ...given.variables,
  });
  const start = async () => {
    program = runProgram('src/main.ts', variables());
    const [, port] = await program.untilPrinted(/"port":(\d+).*"ready"/);
    base = `http://127.0.0.1:${port}`;
    db = openDb(databaseUrl, { max: 2, log: testLog() });
  };
  await start();
  const company: TestCompany = await createCompany(db!, { nif });
  const { key, environmentId } = company.live;
  const authorization = `Bearer ${key}`;

  const call = async (path: string, body?: object) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization, 'content-type': 'application/json' };
    return fetch(base + path, { ...sent, headers });
  };
  const issue: Shop['issue'] = async () => {
    const response = await call('/v1/invoices', aSimplifiedInvoice());
    const body = (await response.json()) as { number: string; code: string };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  };

  return {
    environmentId,
    get databaseUrl() {
      return databaseUrl;
    },
    output: () => program.output(),
    issue,
    async issued() {
      const { status, body } = await issue();
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.number;
    },
    async registered() {
      const others =
        'select count(*)::int as count from record_state where environment_id = $1 and status <> $2';
      await eventually(
        async () =>
          (await db.pool.query<{ count: number }>(others, [environmentId, 'registered'])).rows[0]!.count,
        (count) => count === 0,
      );
    },
    async document(number) {
      const found = await call(`/v1/invoices?number=${number}`);
      const [{ id, pdf_url }] = ((await found.json()) as { data: [{ id: string; pdf_url: string }] }).data;
      const { pathname, search } = new URL(pdf_url);
      const file = await fetch(base + pathname + search);
      if (file.status !== 200) throw new Error(`the document answers ${file.status}`);
      const bytes = Buffer.from(await file.arrayBuffer());
      return { number, id, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    async chain() {
      const chain = 'select hold from chain where environment_id = $1 and closed_at is null';
      return (await db.pool.query<{ hold: string | null }>(chain, [environmentId])).rows[0]!;
    },
    async findings() {
      const found = await verifyEnvironment(db.pool, environmentId);
      if (found === null) throw new Error('the environment is gone');
      return found.findings;
    },
    async cli(...args) {
      const called = runProgram('src/faces/cli/main.ts', variables(), args);
      await once(called.process, 'close');
      return { code: called.process.exitCode, output: called.output() };
    },
    async start(url = databaseUrl) {
      databaseUrl = url;
      await start();
    },
    async stop() {
      await closeDb(db);
      await program.end('SIGTERM');
    },
  };
}
