import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Invoice, LacreClient, LacreError } from '@lacre/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explain } from '../../examples/shop/explain.ts';
import { invoiceOf, type Order, takenBack } from '../../examples/shop/order.ts';
import { Shop } from '../../examples/shop/shop.ts';
import { webhookServer } from '../../examples/shop/webhook.ts';
import type { DemoCredentials } from '../../src/startup/demo.ts';
import { newSigningSecret, signedHeaders, signingKey } from '../../src/subjects/webhooks/signature.ts';
import { endPrograms, startDemo } from '../support/processes/running-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'lacre-shop-'));
const dataDir = join(folder, 'data');

let demo: DemoCredentials;
let lacre: LacreClient;
beforeAll(async () => {
  ({ credentials: demo } = await startDemo(dataDir));
  lacre = new LacreClient({ baseUrl: demo.base_url, key: demo.test });
}, 300_000);
afterAll(() => {
  endPrograms();
  // What was ended writes its last files meanwhile.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const SHIRT = { sku: 'CAM-M', name: 'Camisa', quantity: 2, price: 2_995, vat: 21 };
const BOOK = { sku: 'LIB-1', name: 'Libro', quantity: 1, price: 1_890, vat: 4 };
const CUSTOMER = { id: 7, name: 'Marta Ruiz', email: 'marta@example.com' };
const anOrder = (id: number, more: Partial<Order> = {}): Order => ({
  ...{ id, revision: 1, customer: CUSTOMER, items: [SHIRT, BOOK] },
  ...more,
});

test('the command of its README takes the whole walk, and each event of it arrives', async () => {
  expect(readFileSync(join(ROOT, 'examples/shop/README.md'), 'utf8')).toContain('\nnpm run shop\n');
  const env = { PATH: process.env['PATH'], HOME: folder, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'shop'], { cwd: ROOT, env });
  const numbers = (pattern: RegExp) => [...stdout.matchAll(pattern)].map(([, number]) => number!);
  const [ticket, complete, corrected, refund, exchange, returned, renewal] = [
    /^ticket: (\S+), 73\.75 EUR$/gm,
    /^complete invoice: (\S+), 78\.80 EUR$/gm,
    /^the corrected order: (\S+), 78\.80 EUR$/gm,
    /^refund: (\S+), -29\.95 EUR$/gm,
    /^complete invoice in exchange for the ticket: (\S+), 73\.75 EUR$/gm,
    /^return after the exchange: (\S+), -26\.15 EUR$/gm,
    /^invoice of the subscription: (\S+), 9\.90 EUR$/gm,
  ].map((pattern) => numbers(pattern).join());
  expect(numbers(/^the same order once more is the same ticket: (\S+),/gm)).toEqual([ticket]);
  expect(stdout).toMatch(/^what the shopkeeper reads: The NIF is not that of this name/m);
  const settled = [ticket, complete, corrected, refund, exchange, returned];
  expect(numbers(/^(\S+) is registered at the tax agency$/gm)).toEqual(settled);

  const live = new LacreClient({ baseUrl: demo.base_url, key: demo.live });
  const issued = new Map<string, Invoice>();
  for await (const invoice of live.invoices.list()) issued.set(invoice.number, invoice);
  const kinds = [...settled, renewal].map((number) => {
    const { kind, type } = issued.get(number!)!;
    return `${kind} ${type}`;
  });
  expect(kinds).toEqual([
    ...['original simplified', 'original complete', 'original complete', 'rectifying_differences complete'],
    ...['exchange complete', 'rectifying_differences simplified', 'original complete'],
  ]);
  // The further invoice of the return is for the customer who got the complete one.
  const further = [...issued.values()].filter(({ kind, total }) => kind === 'exchange' && total === -2_615);
  expect(further.map(({ recipient_tax_id }) => recipient_tax_id)).toEqual(['12345678Z']);
  const opened = await fetch(numbers(/^the customer’s page: (\S+)$/gm).join(), { redirect: 'manual' });
  const cookie = opened.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const page = await fetch(`${demo.base_url}/portal`, { headers: { cookie: cookie.join('; ') } });
  expect(await page.text()).toContain(ticket);
  const [rows = 0] = numbers(/^register book of this month: (\d+) rows$/gm).map(Number);
  expect(rows).toBeGreaterThan(settled.length);
  // It leaves no endpoint behind.
  const endpoints = await live.webhookEndpoints.list();
  expect(endpoints.map(({ description }) => description)).not.toContain('Shop');
}, 300_000);

describe('an order', () => {
  test('with a coupon and shipping comes to what was paid, at the rates of what was bought', async () => {
    const order = anOrder(1, { coupon: { code: 'HOLA10', amount: 1_000 }, shipping: 495 });
    const { total, tax_breakdown } = await new Shop(lacre).preview(order);
    expect(total).toBe(2 * 2_995 + 1_890 - 1_000 + 495);
    expect(tax_breakdown.map(({ rate }) => rate)).toEqual([21, 4]);
  });

  test('has no line whose tax would round to nothing, which the agency refuses', async () => {
    const order = anOrder(2, { coupon: { code: 'MINI', amount: 20 }, shipping: 15 });
    const lines = invoiceOf(order).line_items.map(({ description, unit_amount }) => [
      description,
      unit_amount,
    ]);
    expect(lines.slice(2)).toEqual([
      ['Cupón MINI', -20],
      ['Gastos de envío', 15],
    ]);
    expect((await new Shop(lacre).preview(order)).total).toBe(7_875);
  });

  test('is invoiced once, under another key and after it was changed too', async () => {
    const shop = new Shop(lacre);
    const { id } = await shop.checkout(anOrder(3));
    expect((await shop.checkout(anOrder(3, { revision: 2, items: [BOOK] }))).id).toBe(id);
  });

  test('is refunded several times, once for each refund, also after its exchange in the portal', async () => {
    const shop = new Shop(lacre);
    await shop.checkout(anOrder(4));
    const back = (id: number) =>
      shop.refund({ id, orderId: 4, items: [{ ...SHIRT, quantity: 1 }], reason: 'Too small' });
    const first = await back(1);
    expect((await back(1)).id).toBe(first.id);
    const address = { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' };
    const recipient = { name: 'García López Ana', tax_id: '12345678Z', address };
    await lacre.http.POST('/v1/exchanges', { body: { ticket_ids: [first.id], recipient } });
    const second = await back(2);
    const third = await shop.refund({ id: 3, orderId: 4, items: [BOOK], reason: 'Torn' });
    expect([first, second, third].map(({ total }) => total)).toEqual([-2_995, -2_995, -1_890]);
    await expect(back(5)).rejects.toMatchObject({ code: 'family_balance_below_zero' });
  });

  test('takes back what was sold, as lines below zero', () => {
    expect(takenBack([SHIRT])).toEqual([expect.objectContaining({ quantity: 2, unit_amount: -2_995 })]);
  });
});

test('a shopkeeper reads what to do of a refusal, and that the rest is tried again', () => {
  expect(explain(new LacreError('no_answer', 'There was no answer.')).retries).toBe(true);
  expect(explain(new LacreError('invoice_pending_at_aeat', 'Pending.', { status: 503 })).retries).toBe(true);
  const issue = { field: 'recipient.address', code: 'required', message: 'is required' };
  const refused = new LacreError('invalid_request', 'Not valid.', { status: 400, errors: [issue] });
  expect(explain(refused)).toEqual({
    text: 'Not valid. (recipient.address: is required) [invalid_request, request unknown]',
    retries: false,
  });
  expect(() => explain(new TypeError('a mistake of the shop'))).toThrow('a mistake of the shop');
});

test('its webhook takes what is signed, once, and asks again for what it failed to do', async () => {
  const secret = newSigningSecret();
  const handled: string[] = [];
  let isAway = true;
  const server = webhookServer(
    () => secret,
    ({ id }) => {
      if (isAway) throw new Error('the database is away');
      handled.push(id);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const post = async (body: string, headers: Record<string, string>, path = '/lacre') =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers })).status;
  const body = JSON.stringify({ id: 'evt_1', type: 'ping' });
  const signed = signedHeaders([signingKey(secret)], { id: 'evt_1', at: new Date(), body });
  expect(await post(body, signed)).toBe(500);
  isAway = false;
  expect(await post(body, signed)).toBe(204);
  expect(await post(body, signed)).toBe(204);
  expect(handled).toEqual(['evt_1']);
  expect(await post(`${body} `, signed)).toBe(400);
  expect(await post(body, {})).toBe(400);
  expect(await post('x'.repeat(3 * 1024 * 1024), signed)).toBe(413);
  expect(await post(body, signed, '/other')).toBe(404);
  server.closeAllConnections();
  server.close();
});
