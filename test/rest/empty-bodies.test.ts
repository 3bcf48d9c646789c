import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operation, operations } from '../support/http/openapi.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const changing = [...operations].filter(([name]) => !name.startsWith('GET '));
const named = (takesBody: boolean) =>
  changing
    .filter(([, { requestBody }]: [string, Operation]) => (requestBody !== undefined) === takesBody)
    .map(([name]) => name);

/** The answer to an empty body, of nothing that is there. */
async function send(name: string, headers: Record<string, string>) {
  const [method, template = ''] = name.split(' ');
  const response = await service.server.inject({
    method: method as 'POST',
    url: template.replace(/\{\w+\}/g, 'x'),
    headers: { authorization: `Bearer ${service.company.test.key}`, ...headers },
  });
  const { code, errors } = response.payload === '' ? {} : response.json();
  return { status: response.statusCode, code, errors };
}

const JSON_TYPE = { 'content-type': 'application/json' };

test('there are such operations', () => {
  expect(named(false)).toContain('POST /v1/webhook_deliveries/{id}/redeliver');
  expect(named(false).length).toBeGreaterThan(8);
});

test.each(named(false))('%s needs no body, and may be said to be JSON', async (name) => {
  const answer = await send(name, JSON_TYPE);
  expect(answer).toEqual(await send(name, {}));
  expect([400, 415, 500]).not.toContain(answer.status);
});

test.each(named(true))('%s refuses an empty body as one that lacks its fields', async (name) => {
  const { status } = await send(name, JSON_TYPE);
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  expect(status).not.toBe(415);
});
