import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openApiDocument } from '../../rest/openapi.ts';
import { readStream } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** An access token of an environment that takes published documents alone may run these, and nothing else by any way. */

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await testService();
  const made = await service.call('POST', '/v1/access_tokens', { body: { scopes: ['read'] } });
  token = made.body.token;
  await service.graphql('mutation ($of: [String!]!) { publishDocuments(documents: $of) { count } }', {
    of: [WHO],
  });
});
afterAll(() => service.close());
beforeEach(() => only(false));

const WHO = 'query Who { viewer { kind } }';
const hash = createHash('sha256').update(WHO).digest('hex');

async function only(is: boolean): Promise<void> {
  const query = 'mutation ($is: Boolean!) { requireTrustedDocuments(only: $is) { only } }';
  expect((await service.graphql(query, { is })).body.errors).toBeUndefined();
}

/** Every route of the contract that needs a key, with an id in place of each parameter. */
function keyedRoutes(): [method: string, path: string][] {
  const { paths } = openApiDocument(service.url) as {
    paths: Record<string, Record<string, { security?: unknown[] }>>;
  };
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method]): [string, string] => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'x_1')]),
  );
  expect(routes.length).toBeGreaterThan(50);
  return routes;
}

test('REST is closed to access tokens, whatever the operation, and says why; keys and signed links remain', async () => {
  const all = { body: { scopes: ['read', 'issue', 'correct', 'manage'] } };
  const { token: able } = (await service.call('POST', '/v1/access_tokens', all)).body;
  const issued = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  const download = `/v1/invoices/${issued.body.id}/download`;
  const { download_url: url } = (await service.call('GET', download, { key: able })).body;
  await only(true);
  const allowed: string[] = [];
  for (const [method, path] of keyedRoutes()) {
    const { status, body } = await service.call(method, path, { key: able });
    if (status !== 403 || !body.detail.includes('published documents')) allowed.push(`${method} ${path}`);
  }
  expect(allowed).toEqual([]);
  const { pathname, search } = new URL(url);
  expect((await service.call('GET', pathname + search, { key: null })).status).toBe(200);
  expect((await service.call('GET', '/v1/invoices', {})).status).toBe(200);
  await only(false);
  expect((await service.call('GET', '/v1/invoices', { key: able })).status).toBe(200);
});

test('nothing else runs by another way: in a batch, by GET, as another content type', async () => {
  await only(true);
  const query = '{ viewer { scopes } }';
  const batch = await service.call('POST', '/graphql', {
    key: token,
    body: [{ query }, { documentId: hash }],
  });
  expect(batch.body.errors[0].extensions.code).toBe('invalid_request');
  const get = await service.call('GET', `/graphql?${new URLSearchParams({ query })}`, { key: token });
  expect(get.body.errors[0].extensions.code).toBe('forbidden');
  // The text decides, wherever a hash stands beside it.
  const beside = `/graphql?${new URLSearchParams({ documentId: hash })}`;
  const { body } = await service.call('POST', beside, { key: token, body: { query } });
  expect(body.errors[0].extensions.code).toBe('forbidden');
  for (const type of ['application/graphql', 'application/x-www-form-urlencoded']) {
    const sent = type === 'application/graphql' ? query : `${new URLSearchParams({ query })}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const answer = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: sent });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }
});

test('a stream of another document ends with the next look at its token, and does not come back', async () => {
  await only(false);
  const request = {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, accept: 'text/event-stream' },
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: 'subscription { event { id type } }' }),
  };
  const stream = await readStream(`${service.url}/graphql`, request);
  onTestFinished(() => stream.close());
  expect(stream.status).toBe(200);
  await only(true);
  service.services.streams.checkAuthorities();
  await vi.waitFor(() => expect(stream.isOver()).toBe(true), { timeout: 10_000 });
  expect((await fetch(`${service.url}/graphql`, request)).status).toBe(403);
});
