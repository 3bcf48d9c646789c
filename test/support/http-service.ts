import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildServer } from '../../rest/server.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/client.ts';
import type { Services } from '../../src/services.ts';
import { assemble } from '../../src/startup/assemble.ts';
import { testSimulator } from './agency-simulator.ts';
import { createCompany, type TestCompany } from './company.ts';
import { testDatabase } from './database.ts';

/** An answer of the service: status, headers and the body as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
export type Answer = { status: number; headers: Headers; body: any };

export type TestService = {
  readonly url: string;
  readonly db: Db;
  readonly services: Services;
  readonly company: TestCompany;
  /** A request to REST; `key` is the test environment's unless said otherwise, null for none. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A GraphQL request with the same defaults. */
  graphql(query: string, variables?: object, options?: { key?: string | null }): Promise<Answer>;
  close(): Promise<void>;
};

type CallOptions = { key?: string | null; body?: unknown; headers?: Record<string, string> };

/** The whole service over HTTP, on a database and with a simulator of its own. Jobs do not run by themselves. */
export async function testService(variables: Record<string, string> = {}): Promise<TestService> {
  const database = await testDatabase({ connections: 12 });
  const simulator = await testSimulator();
  const dataDir = mkdtempSync(join(tmpdir(), 'lacre-service-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    BASE_URL: 'http://lacre.test',
    ...variables,
  });
  const log = pino({ level: variables['LOG_LEVEL'] ?? 'silent' });
  const { services, close } = assemble({ config, db: database.db, log, simulator });
  const server = await buildServer(services);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const company = await createCompany(database.db);

  const call: TestService['call'] = async (
    method,
    path,
    { key = company.test.key, body, headers = {} } = {},
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };

  return {
    url,
    db: database.db,
    services,
    company,
    call,
    graphql: (query, variables = {}, { key } = {}) =>
      call('POST', '/graphql', { ...(key === undefined ? {} : { key }), body: { query, variables } }),
    async close() {
      await server.close();
      await close();
      await simulator.stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
