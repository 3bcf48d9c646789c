import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { TrafficBounds } from '../../../rest/traffic.ts';
import { schema } from '../../../src/faces/graphql/schema.ts';
import { type Config, readConfig } from '../../../src/ground/config/config.ts';
import { closeDb, type Db, openDb } from '../../../src/ground/db/client.ts';
import type { Standby } from '../../../src/ground/db/standby/standby.ts';
import type { Services } from '../../../src/services.ts';
import { assemble } from '../../../src/startup/assemble.ts';
import { openHttpServer } from '../../../src/startup/http-server.ts';
import type { Shares } from '../../../src/subjects/accounts/entry/shares.ts';
import { createRenderer, type Renderer } from '../../../src/subjects/documents/render.ts';
import { type TestSimulator, testSimulator } from '../agency/simulator.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { createCompany, type TestCompany } from '../invoices/company.ts';
import { mustNotBeLogged, noteBody, testLog } from '../processes/run-log.ts';
import { conforms } from './conformity.ts';
import { refuseToWaitForNonNull } from './waiting-fields.ts';

/** An answer of the service: status, headers and the body as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
export type Answer = { status: number; headers: Headers; body: any };

export type TestService = {
  readonly url: string;
  readonly server: FastifyInstance;
  readonly databaseUrl: string;
  readonly db: Db;
  /** As the role that everything in the database belongs to. */
  readonly owner: pg.Pool;
  readonly ownerUrl: string;
  readonly services: Services;
  readonly simulator: TestSimulator;
  readonly company: TestCompany;
  /** A request to REST; `key` is the test environment's unless said otherwise, null for none. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A GraphQL request with the same defaults. */
  graphql(query: string, variables?: object, options?: Omit<CallOptions, 'body'>): Promise<Answer>;
  close(): Promise<void>;
};

type CallOptions = { key?: string | null; body?: unknown; headers?: Record<string, string> };

type Surroundings = {
  /** A second process of the same service: on its database, for its company. */
  beside?: TestService;
  /** A database of another kind than a copy of the template; its maker closes it. */
  database?: TestDatabase;
  /** Reach the database by this way, given the one to it. */
  reachDatabase?: (url: string) => string;
  /** A pooler in transaction mode before the same database; what needs a session goes past it. */
  pooler?: string;
  /** Answers reads. */
  standby?: Standby;
  /** Replaces the default simulator with its generated certificates. Stopped with the service. */
  simulator?: TestSimulator;
  /** Where everything goes that is logged. */
  logged?: string[];
  /** Other bounds on connections and waiting answers than the service's own. */
  bounds?: Partial<TrafficBounds>;
  /** Other shares of an environment than the service's own. */
  shares?: Shares;
};

const CONNECTIONS = 12;

/**
 * Starting a rendering thread takes more processor time than rendering all documents of a test file, so all services of a
 * worker process share the threads. They do not keep the process alive.
 */
const renderer: Renderer = {
  ...createRenderer({ threads: 1, forShort: 1 }),
  stop: async () => {},
};

refuseToWaitForNonNull(schema);

async function databaseFor({ beside, database, pooler, reachDatabase = (url) => url }: Surroundings) {
  const own = beside === undefined ? (database ?? (await testDatabase({ connections: 2 }))) : null;
  const databaseUrl = own?.url ?? beside!.databaseUrl;
  const directUrl = pooler === undefined ? {} : { directUrl: databaseUrl };
  const db = openDb(pooler ?? reachDatabase(databaseUrl), { max: CONNECTIONS, log: testLog(), ...directUrl });
  const company = beside?.company ?? (await createCompany(own!.db));
  const { owner, ownerUrl } = own ?? beside!;
  const close = async () => {
    await closeDb(db);
    if (database === undefined) await own?.close();
  };
  return { databaseUrl, db, owner, ownerUrl, company, close };
}

function noteSecretsOf({ linkSecrets, certificateKeys, agency }: Config): void {
  const keys = [...linkSecrets, ...certificateKeys.map(({ key }) => key)];
  for (const encoding of ['hex', 'base64'] as const) {
    mustNotBeLogged('key', ...keys.map((key) => key.toString(encoding)));
  }
  mustNotBeLogged('password', agency.certificate?.passphrase);
}

/** Whatever is still open after this time is closed; `main.ts` does so, too, after its own limit. */
const CLOSING_MS = 5_000;

/**
 * Connections that come to rest only now would be waited for until they have been idle for a minute. One that a client opened and
 * never used is not idle: Node waits a minute for the head of its first request.
 */
async function ended(server: FastifyInstance): Promise<void> {
  const idle = setInterval(() => server.server.closeIdleConnections(), 20);
  const left = setTimeout(() => server.server.closeAllConnections(), CLOSING_MS);
  await server.close();
  clearInterval(idle);
  clearTimeout(left);
}

/**
 * The whole service over HTTP, on a database and with a simulator of its own. Jobs do not run by themselves. Every
 * answer to `call` and `graphql` is held to the documents.
 */
export async function testService(
  variables: Record<string, string> = {},
  surroundings: Surroundings = {},
): Promise<TestService> {
  const { db, company, close: closeDatabase, ...database } = await databaseFor(surroundings);
  const simulator = surroundings.simulator ?? (await testSimulator());
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-service-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    BASE_URL: 'http://lacre.test',
    ...variables,
  });
  noteSecretsOf(config);
  const log = testLog(surroundings.logged && ((line) => surroundings.logged?.push(line)));
  const { services, close } = assemble({
    ...{ config, db, log, simulator, renderer },
    standby: surroundings.standby ?? null,
    shares: surroundings.shares,
  });
  const server = await openHttpServer(services, surroundings.bounds);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

  const call = callerOf(url, company);
  return {
    url,
    server,
    ...database,
    db,
    services,
    simulator,
    company,
    call,
    graphql: (query, variables = {}, options = {}) =>
      call('POST', '/graphql', { ...options, body: { query, variables } }),
    async close() {
      await ended(server);
      await close();
      await simulator.stop();
      await closeDatabase();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function callerOf(url: string, company: TestCompany): TestService['call'] {
  return async (method, path, { key = company.test.key, body: sent, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body = isJson && text !== '' ? JSON.parse(text) : text;
    const answer = { status: response.status, headers: response.headers, body };
    for (const content of [sent, body]) noteBody(content);
    conforms(method, path, answer);
    return answer;
  };
}
