import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdRequest } from '../support/database/held-requests.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type RawConnection, rawConnection, rawRequest } from '../support/http/raw-http.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeEach(async () => {
  service = await testService();
});
afterEach(() => service.close());

const post = (path: string, body: object) =>
  rawRequest(
    'POST',
    path,
    { authorization: `Bearer ${service.company.test.key}`, 'content-type': 'application/json' },
    JSON.stringify(body),
  );

test('a service that stops answers requests in progress, refuses later ones, and accepts no connection', async () => {
  const { environmentId } = service.company.test;
  const hold = await holdRequest(service, 'insert on invoice', environmentId);
  const connections = [1, 2, 3].map(() => rawConnection(service.url));
  const [rest, graphql, browser] = (await Promise.all(connections)) as [
    RawConnection,
    RawConnection,
    RawConnection,
  ];
  for (const connection of [rest, graphql, browser])
    connection.send(post('/v1/invoices', aSimplifiedInvoice()));
  await hold.reached();
  const stopped = service.server.close();
  // On connections that are busy another request can still arrive.
  rest.send(post('/v1/invoices', aSimplifiedInvoice()));
  graphql.send(post('/graphql', { query: '{ invoices { edges { cursor } } }' }));
  browser.send(rawRequest('GET', '/portal/'));
  await expect(fetch(service.url)).rejects.toThrow();
  await hold.release();

  for (const connection of [rest, graphql, browser]) expect((await connection.answer()).status).toBe(201);
  const refusals = [await rest.answer(), await graphql.answer(), await browser.answer()];
  for (const { status, headers } of refusals) {
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  }
  expect(JSON.parse(refusals[0]!.body)).toEqual({
    code: 'service_unavailable',
    detail: 'The service is shutting down.',
    errors: [],
    doc_url: 'http://lacre.test/docs/errors#service_unavailable',
  });
  expect(JSON.parse(refusals[1]!.body).errors[0].extensions).toMatchObject({
    code: 'service_unavailable',
    status: 503,
    retryAfter: 5,
  });
  expect(refusals[2]!.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(refusals[2]!.body).toContain('Algo ha fallado');
  await stopped;
  await Promise.all([rest.ended(), graphql.ended(), browser.ended()]);
});

test('before it stops it announces this, and still serves requests', async () => {
  service.server.draining = true;
  const ready = await service.call('GET', '/readyz', { key: null });
  expect(ready).toMatchObject({ status: 503, body: { status: 'not_ready' } });
  expect((await service.call('GET', '/healthz', { key: null })).status).toBe(200);
  const connection = await rawConnection(service.url);
  connection.send(post('/v1/invoices', aSimplifiedInvoice()));
  const issued = await connection.answer();
  expect([issued.status, issued.headers.get('connection')]).toEqual([201, 'close']);
  await connection.ended();
});

test('idle connections do not delay it', async () => {
  const idle = await rawConnection(service.url);
  idle.send(rawRequest('GET', '/healthz'));
  expect((await idle.answer()).status).toBe(200);
  const begun = performance.now();
  await service.server.close();
  await idle.ended();
  // Left to themselves they would be kept for more than a minute.
  expect(performance.now() - begun).toBeLessThan(30_000);
});
