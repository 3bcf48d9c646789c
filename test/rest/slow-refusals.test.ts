import { afterAll, beforeAll, expect, test } from 'vitest';
import { knownOwner } from '../../rest/known-owner.ts';
import { RefusalPace } from '../../rest/slow-refusals.ts';
import { signDownload } from '../../src/subjects/documents/links.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { bounds: { refusalsPerSecond: 2 } });
});
afterAll(() => service.close());

const missing = (key?: string | null) =>
  service.call('GET', '/v1/invoices/inv_00000000000000000000000000', key === undefined ? {} : { key });

test('whoever is refused again and again is refused later, others and what is right are not', async () => {
  const list = () => service.call('GET', '/v1/invoices?limit=1');
  await list();
  const began = performance.now();
  const refused = Promise.all(Array.from({ length: 8 }, () => missing())).then((answers) => ({
    statuses: new Set(answers.map(({ status }) => status)),
    elapsedMs: performance.now() - began,
  }));
  const right = list().then(() => 'right');
  const other = missing(service.company.live.key).then(() => 'another');
  expect(await Promise.race([refused, right])).toBe('right');
  expect(await Promise.race([refused, other])).toBe('another');
  const { statuses, elapsedMs } = await refused;
  expect(statuses).toEqual(new Set([404]));
  expect(elapsedMs).toBeGreaterThan(1_900);
});

test('a refusal of GraphQL counts with any HTTP status', async () => {
  await Promise.all(Array.from({ length: 8 }, () => service.graphql('{ nothing }')));
  const began = performance.now();
  expect((await service.graphql('{ nothing }')).body.errors).toHaveLength(1);
  expect(performance.now() - began).toBeGreaterThan(400);
});

test('so many refusals a second, half a second of them at once, and none later than two seconds', () => {
  const pace = new RefusalPace(100);
  const now = 1_000_000;
  const delays = Array.from({ length: 400 }, () => pace.delayOf('one', now));
  expect(delays.slice(0, 50).every((delay) => delay === 0)).toBe(true);
  expect(delays[50]).toBeCloseTo(10);
  expect(delays[149]).toBeCloseTo(1_000);
  expect(Math.max(...delays)).toBe(2_000);
  expect(pace.delayOf('another', now)).toBe(0);
  expect(pace.delayOf('one', now + 60_000)).toBe(0);
});

test('a request with a link to a document takes a turn of the environment that the link opens', () => {
  const invoiceId = 'inv_1';
  const expiresAt = new Date('2100-01-01T00:00:00Z');
  const { current: secret } = service.services.linkSecrets;
  const token = signDownload({ secret, environmentId: 7, invoiceId, expiresAt });
  const ownerOf = (url: string, sent: string) =>
    knownOwner(service.services, {
      headers: {},
      routeOptions: { url },
      params: { id: invoiceId },
      query: { token: sent },
    });
  expect(ownerOf('/v1/invoices/:id/file', token)).toBe(7);
  expect(ownerOf('/v1/invoices/:id/file', token.replace(/.$/, 'x'))).toBeNull();
  expect(ownerOf('/v1/invoices/:id', token)).toBeNull();
});
