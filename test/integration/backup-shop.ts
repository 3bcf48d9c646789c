import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeDb, type Db, openDb } from '../../src/ground/db/client.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import type { TestSimulator } from '../support/agency/simulator.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { testLog } from '../support/processes/run-log.ts';
import { eventually, type RunningProgram, runProgram } from '../support/processes/running-program.ts';

type Given = {
  readonly simulator: TestSimulator;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly nif: string;
  /** Further settings of the service. */
  readonly variables: Record<string, string>;
};

export async function openShop(given: Given): Promise<Shop> {
  const shop = new Shop(given);
  await shop.start();
  await shop.createCompany(given.nif);
  return shop;
}

/** The service as a process of its own, its jobs inside, with one company that issues live. */
export class Shop {
  databaseUrl: string;
  readonly #given: Given;
  #program: RunningProgram | undefined;
  #db: Db | undefined;
  #base = '';
  #live: TestEnvironment | undefined;

  constructor(given: Given) {
    this.#given = given;
    this.databaseUrl = given.databaseUrl;
  }

  get environmentId(): number {
    return this.#live!.environmentId;
  }

  /** Starts the service, again on another database if one is given. */
  async start(databaseUrl = this.databaseUrl): Promise<void> {
    this.databaseUrl = databaseUrl;
    this.#program = runProgram('src/main.ts', this.#variables());
    const [, port] = await this.#program.untilPrinted(/"port":(\d+).*"ready"/);
    this.#base = `http://127.0.0.1:${port}`;
    this.#db = openDb(databaseUrl, { max: 2, log: testLog() });
  }

  async stop(): Promise<void> {
    await closeDb(this.#db!);
    await this.#program!.end('SIGTERM');
  }

  async createCompany(nif: string): Promise<void> {
    this.#live = (await createCompany(this.#db!, { nif })).live;
  }

  /** All that the service has written since it was started last. */
  output(): string {
    return this.#program!.output();
  }

  async issue(): Promise<{
    status: number;
    retryAfter: string | null;
    body: { number: string; code: string };
  }> {
    const response = await this.#call('/v1/invoices', aSimplifiedInvoice());
    const body = (await response.json()) as { number: string; code: string };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
  }

  /** Issues an invoice and gives its number. */
  async issued(): Promise<string> {
    const { status, body } = await this.issue();
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.number;
  }

  /** Waits until the agency holds everything that was issued. */
  async registered(): Promise<void> {
    const others =
      'select count(*)::int as count from record_state where environment_id = $1 and status <> $2';
    const values = [this.environmentId, 'registered'];
    await eventually(
      async () => (await this.#db!.pool.query<{ count: number }>(others, values)).rows[0]!.count,
      (count) => count === 0,
    );
  }

  /** An invoice's PDF, as it is downloaded. */
  async document(number: string): Promise<{ number: string; id: string; sha256: string }> {
    const found = await this.#call(`/v1/invoices?number=${number}`);
    const [{ id, pdf_url }] = ((await found.json()) as { data: [{ id: string; pdf_url: string }] }).data;
    const { pathname, search } = new URL(pdf_url);
    const file = await fetch(this.#base + pathname + search);
    if (file.status !== 200) throw new Error(`the document answers ${file.status}`);
    const bytes = Buffer.from(await file.arrayBuffer());
    return { number, id, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  /** The chain that takes records. */
  async chain(): Promise<{ hold: string | null }> {
    const chain = 'select hold from chain where environment_id = $1 and closed_at is null';
    const { rows } = await this.#db!.pool.query<{ hold: string | null }>(chain, [this.environmentId]);
    return rows[0]!;
  }

  /** What a verification of its records finds wrong. */
  async findings(): Promise<readonly unknown[]> {
    const found = await verifyEnvironment(this.#db!.pool, this.environmentId);
    if (found === null) throw new Error('the environment is gone');
    return found.findings;
  }

  /** Calls the command line, on the same database. */
  async cli(...args: string[]): Promise<{ code: number | null; output: string }> {
    const called = runProgram('src/faces/cli/main.ts', this.#variables(), args);
    await once(called.process, 'close');
    return { code: called.process.exitCode, output: called.output() };
  }

  #variables(): Record<string, string> {
    const { simulator, dataDir, variables } = this.#given;
    return {
      ...{ DATABASE_URL: this.databaseUrl, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' },
      ...{ SIMULATOR_URL: simulator.url, SIMULATOR_TLS_URL: simulator.tlsUrl },
      ...{ SIMULATOR_TLS_DIR: simulator.tlsDir, NODE_COMPILE_CACHE: `${dataDir}/compiled` },
      ...variables,
    };
  }

  #call(path: string, body?: object): Promise<Response> {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${this.#live!.key}`, 'content-type': 'application/json' };
    return fetch(this.#base + path, { ...sent, headers });
  }
}
