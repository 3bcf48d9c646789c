import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LacreClient } from '@lacre/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiver } from '../../examples/express-webhooks/receiver.ts';
import { POST } from '../../examples/nextjs-webhooks/app/api/lacre/route.ts';
import { Till } from '../../examples/offline-till/till.ts';
import { newSigningSecret, signedHeaders, signingKey } from '../../src/subjects/webhooks/signature.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aDeliverer, deliverAll } from '../support/webhooks/deliver-once.ts';

let service: TestService;
let company: TestCompany;
let folder: string;
beforeAll(async () => {
  service = await testService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  company = await createCompany(service.db);
  folder = mkdtempSync(join(tmpdir(), 'lacre-examples-'));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const client = (options: Partial<ConstructorParameters<typeof LacreClient>[0]> = {}) =>
  new LacreClient({ baseUrl: service.url, key: company.test.key, maxRetries: 0, ...options });

const lines = (price: number) => [
  { description: 'Café', quantity: 1, unit_amount: price, tax_items: [{ type: 'vat' as const, rate: 10 }] },
];

async function totals(): Promise<number[]> {
  const found: number[] = [];
  for await (const { subtotal } of client().invoices.list({ type: ['simplified'] })) found.unshift(subtotal);
  return found;
}

test('the receiver processes each event once, and ignores unsigned ones', async () => {
  const received: string[] = [];
  let secret = '';
  let failing = true;
  // The endpoint's secret is known once there is an endpoint, whose address is known once it listens.
  const app = (request: Parameters<ReturnType<typeof receiver>>[0], response: never) => on(request, response);
  let on = receiver('', async () => {});
  const { createServer } = await import('node:http');
  const server = createServer(app as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lacre`;
  const endpoint = await client().webhookEndpoints.create({ url, event_types: ['invoice.issued'] });
  secret = endpoint.secret;
  on = receiver(secret, async ({ id }) => {
    // What fails comes again.
    if (failing) {
      failing = false;
      throw new Error('the shop’s database is away');
    }
    received.push(id);
  });
  on.set('env', 'test');

  await client().invoices.create({ type: 'simplified', line_items: lines(100) });
  const deliverer = aDeliverer(service.services, service.db);
  await deliverAll(deliverer, company.test.environmentId);
  expect(received).toEqual([]);
  const [delivery] = (await client().webhookEndpoints.deliveries(endpoint.id).first()).data;
  for (let time = 0; time < 2; time += 1) {
    await client().webhookEndpoints.redeliver(delivery!.id);
    await deliverAll(deliverer, company.test.environmentId);
  }
  expect(received).toEqual([delivery!.event_id]);

  const forged = await fetch(url, { method: 'POST', body: '{"id":"evt_forged"}' });
  expect({ status: forged.status, body: await forged.text() }).toEqual({
    status: 400,
    body: 'invalid_signature',
  });
  expect(received).toHaveLength(1);
  await client().webhookEndpoints.delete(endpoint.id);
  server.closeAllConnections();
  server.close();
});

test('the route of Next.js takes what is signed and nothing else', async () => {
  const secret = newSigningSecret();
  const body = JSON.stringify({ id: 'evt_1', type: 'ping' });
  const headers = signedHeaders([signingKey(secret)], { id: 'evt_1', at: new Date(), body });
  const request = (given: Record<string, string>) =>
    new Request('https://shop.example.com/api/lacre', { method: 'POST', headers: given, body });
  process.env['LACRE_WEBHOOK_SECRET'] = secret;
  expect((await POST(request(headers))).status).toBe(204);
  expect((await POST(request({ ...headers, 'webhook-id': 'evt_2' }))).status).toBe(400);
  delete process.env['LACRE_WEBHOOK_SECRET'];
});

describe('the till', () => {
  const away: typeof fetch = () => Promise.reject(new TypeError('no connection'));

  test('sells without a connection, and catches up in the order of its sales', async () => {
    const file = join(folder, 'offline.jsonl');
    const before = await totals();
    const offline = new Till(client({ fetch: away }), file);
    for (const price of [110, 120, 130]) offline.sell(lines(price));
    expect(await offline.catchUp()).toBe(3);
    expect(await totals()).toEqual(before);
    const online = new Till(client(), file);
    expect(await online.catchUp()).toBe(0);
    expect(await totals()).toEqual([...before, 110, 120, 130]);
    expect(await online.catchUp()).toBe(0);
    expect(await totals()).toHaveLength(before.length + 3);
  });

  test('invoices each sale once, although the answer and the key were lost', async () => {
    const file = join(folder, 'lost.jsonl');
    const before = await totals();
    // Issued, and never heard of; and under another key than the till will send.
    const losing: typeof fetch = async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('Idempotency-Key', 'forgotten');
      await fetch(input, { ...init, headers });
      throw new TypeError('the connection broke');
    };
    new Till(client(), file).sell(lines(140));
    expect(await new Till(client({ fetch: losing }), file).catchUp()).toBe(1);
    expect(await new Till(client(), file).catchUp()).toBe(0);
    expect(await totals()).toEqual([...before, 140]);
  });

  test('reports an error when a sale cannot be invoiced as it is', async () => {
    const till = new Till(client(), join(folder, 'wrong.jsonl'));
    till.sell([{ ...lines(1)[0]!, tax_items: [{ type: 'vat', rate: 7 }] }]);
    await expect(till.catchUp()).rejects.toMatchObject({ code: 'invalid_tax_rate' });
  });
});
