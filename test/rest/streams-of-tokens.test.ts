import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { createApiKey, revokeKey } from '../../src/subjects/accounts/keys.ts';
import { type ReadStream, subscribe } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
afterEach(() => clock.reset());

const QUERY = 'subscription { event(types: ["invoice.issued"]) { id } }';

async function tokenOf(key: string): Promise<string> {
  const body = { scopes: ['read'], ttl_seconds: 60 };
  return (await service.call('POST', '/v1/access_tokens', { key, body })).body.token;
}

function open(key: string): Promise<ReadStream> {
  return subscribe(service, { key, query: QUERY, variables: {}, headers: {} });
}

function finalMessage({ messages }: ReadStream) {
  const [last, complete] = messages.slice(-2);
  expect(complete).toMatchObject({ event: 'complete', data: '' });
  const { message, extensions } = JSON.parse(last!.data).errors[0];
  return { message, code: extensions.code };
}

test('a stream ends when its access token expires, by GET too, with what to do; and none begins with such a token', async () => {
  const key = await tokenOf(service.company.test.key);
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const [stream, byGet] = [
    await open(key),
    await fetch(`${service.url}/graphql?query=${encodeURIComponent(QUERY)}`, { headers }),
  ];
  expect(byGet.status).toBe(200);
  clock.freeze(new Date(Date.now() + 61_000));
  await stream.ended();
  expect(finalMessage(stream)).toEqual({
    code: 'token_expired',
    message: 'The access token has expired: request another one, and continue with `Last-Event-ID`.',
  });
  expect(await byGet.text()).toMatch(/event: next\ndata: .*"token_expired".*\n\nevent: complete/);
  const late = await open(key);
  await late.ended();
  expect([late.status, JSON.parse(late.text()).errors[0].extensions.code]).toEqual([401, 'token_expired']);
});

test('whatever else an expired access token asks is unauthorized', async () => {
  const key = await tokenOf(service.company.test.key);
  clock.freeze(new Date(Date.now() + 61_000));
  const headers = { accept: 'application/graphql-response+json, text/event-stream' };
  const { body } = await service.graphql('{ viewer { kind } }', {}, { key, headers });
  expect(body.errors[0].extensions.code).toBe('unauthorized');
});

test('a stream ends as unauthorized when the key of its access token is revoked', async () => {
  const owner = { environmentId: service.company.test.environmentId, environment: 'test' as const };
  const { id, key } = await createApiKey(service.db.pool, { ...owner, name: 'x', scopes: ['read'] });
  const stream = await open(await tokenOf(key));
  await revokeKey(service.db.pool, id);
  await stream.ended();
  expect(finalMessage(stream).code).toBe('unauthorized');
});
