import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
const logged: string[] = [];
beforeAll(async () => {
  service = await testService({}, { logged });
});
beforeEach(() => {
  logged.length = 0;
});
afterAll(() => service?.close());

type Line = Record<string, unknown>;
const lines = (): Line[] => logged.map((line) => JSON.parse(line) as Line);

/** The one line that tells of the request; written when its answer has gone, so perhaps a moment after it came. */
async function answeredLine(requestId: string | null): Promise<Line> {
  const own = () => lines().find((line) => line['requestId'] === requestId && line['msg'] === 'answered');
  await expect.poll(own).toBeDefined();
  return own()!;
}

const caller = () => ({
  environment: 'test',
  environmentId: service.company.test.environmentId,
  keyPrefix: service.company.test.key.slice(0, 14),
});

test('a request has one line: which, whose, when, and what became of it', async () => {
  const { headers } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  const line = await answeredLine(headers.get('x-request-id'));
  expect(line).toMatchObject({ ...caller(), level: 30, method: 'POST', route: '/v1/invoices', status: 201 });
  expect(line['milliseconds']).toBeGreaterThan(0);
  expect(line).not.toHaveProperty('code');
});

test('a refused one reports its code, over REST and GraphQL', async () => {
  const refused = await service.call('POST', '/v1/invoices', {
    body: aSimplifiedInvoice({ line_items: [] }),
  });
  expect(await answeredLine(refused.headers.get('x-request-id'))).toMatchObject({
    ...caller(),
    status: refused.status,
    code: refused.body.code,
  });
  const unknown = await service.graphql('query Gone { invoice(id: "inv_gone") { id } }');
  expect(await answeredLine(unknown.headers.get('x-request-id'))).toMatchObject({
    ...caller(),
    route: '/graphql',
    operation: 'Gone',
    code: 'invoice_not_found',
  });
});

test('the name of an operation is logged, shortened, also without a key', async () => {
  const { headers } = await service.graphql(`query ${'N'.repeat(3_000)} { __typename }`, {}, { key: null });
  expect((await answeredLine(headers.get('x-request-id')))['operation']).toBe('N'.repeat(100));
});

test('one without a key in force names no caller, an operator is named by the key', async () => {
  const stranger = await service.call('GET', '/v1/invoices', { key: null });
  const line = await answeredLine(stranger.headers.get('x-request-id'));
  expect(line).toMatchObject({ status: 401, code: 'unauthorized' });
  expect(line).not.toHaveProperty('keyPrefix');
  const { key, id, prefix } = await createOperatorKey(service.db.pool, 'Grace');
  const operator = await service.graphql('{ operations { queue { task } } }', {}, { key });
  expect(await answeredLine(operator.headers.get('x-request-id'))).toMatchObject({
    operator: id,
    keyPrefix: prefix,
  });
});

test('only the route of a path is logged, for any request', async () => {
  const paths = [
    ['/portal/some-long-secret-of-a-visit', '/portal/:token'],
    ['/v1/invoices/inv_1/file?token=a-long-secret-of-a-link', '/v1/invoices/:id/file'],
    ['/nowhere/a-long-secret?of=somebody', 'unknown'],
  ] as const;
  for (const [path, route] of paths) {
    const { headers } = await service.call('GET', path, { key: null });
    expect(await answeredLine(headers.get('x-request-id'))).toMatchObject({ route });
  }
  expect(logged.join('')).not.toMatch(/long-secret|somebody/);
});

test('every line logged during a request names it', async () => {
  const { headers, status } = await service.call('POST', '/v1/invoices', {
    body: {
      type: 'complete',
      recipient: {
        name: 'CENSO CAIDO SL',
        tax_id: 'B72877814',
        address: { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' },
      },
      line_items: [aLine()],
    },
  });
  expect(status).toBe(503);
  const warning = lines().find((line) => line['msg'] === 'a register does not answer');
  expect(warning).toMatchObject({
    ...caller(),
    requestId: headers.get('x-request-id'),
    register: 'aeat_census',
  });
});

test('requests that arrive together keep their lines apart', async () => {
  const answers = await Promise.all(
    ['test', 'live', 'test', 'live'].map(async (environment) => {
      const { key } = service.company[environment as 'test' | 'live'];
      const { headers } = await service.call('POST', '/v1/invoices', { key, body: aSimplifiedInvoice() });
      return { environment, line: await answeredLine(headers.get('x-request-id')) };
    }),
  );
  for (const { environment, line } of answers) expect(line['environment']).toBe(environment);
});

test('health checks are logged at debug level', async () => {
  const { headers } = await service.call('GET', '/healthz', { key: null });
  expect(await answeredLine(headers.get('x-request-id'))).toMatchObject({ level: 20 });
});

test.each([
  ['of a known length', { 'content-length': '1000' }],
  ['of an unknown length', { 'transfer-encoding': 'chunked' }],
])('a caller who leaves while a body arrives, %s, is no failure', async (_what, length) => {
  const requestId = `left.${Object.keys(length)}`;
  const headers = {
    authorization: `Bearer ${service.company.test.key}`,
    'content-type': 'application/json',
    'x-request-id': requestId,
    ...length,
  };
  const connection = await rawConnection(service.url);
  const arriving = once(service.server.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  connection.send(rawRequest('POST', '/v1/invoices', headers));
  const [request, response] = await arriving;
  await vi.waitFor(() => expect(request.listenerCount('data')).toBe(1));
  connection.close();
  await vi.waitFor(() => expect(response.writableEnded).toBe(true));
  expect(response.statusCode).toBe(400);
  expect(lines().filter((line) => line['requestId'] === requestId)).toEqual([]);
});
