import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ReadStream, readStream } from '../support/http/event-stream.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anonymousVisitor, operatorIn } from '../support/pages/console.ts';
import { aLink, aSale, aShop, type Shop } from '../support/pages/portal.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await testService();
  shop = await aShop(service);
  for (const name of ['ana', 'eva']) await aSale(service, shop, name);
});
afterAll(() => service.close());

const open: ReadStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function listen(visitor: Visitor, path: string): Promise<ReadStream> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stream = await readStream(`${service.url}${path}`, { headers: { cookie } });
  open.push(stream);
  return stream;
}

const customer = async (name: string) =>
  new Visitor(service.url).enter(new URL(await aLink(service, shop, name)).pathname);

const signals = async (stream: ReadStream) => {
  await expect.poll(() => stream.messages.length, { timeout: 60_000 }).toBeGreaterThan(0);
  return stream.messages[0];
};

/** What the page says it listens to. */
const placeOf = (text: string): string | undefined => /data-live="([^"]+)"/.exec(text)?.[1];

test('a customer’s pages are notified of the customer’s own invoices, without any content', async () => {
  const [ana, eva] = [await customer('ana'), await customer('eva')];
  const sale = await aSale(service, shop, 'ana');
  for (const path of ['/portal', `/portal/invoices/${sale.id}`])
    expect(placeOf((await ana.get(path)).text)).toBe('/portal/live');
  const [own, foreign] = [await listen(ana, '/portal/live'), await listen(eva, '/portal/live')];
  expect(own.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await aSale(service, shop, 'ana');
  expect(await signals(own)).toEqual({ id: '0', event: 'changed', data: '' });
  // Its own sale comes after that of the other: had it been told of both, it would have been told before.
  expect(foreign.messages).toEqual([]);
  await aSale(service, shop, 'eva');
  await signals(foreign);
  expect(foreign.text()).not.toContain('inv_');
});

test('an operator’s pages are notified of the environment that they show', async () => {
  const ada = await operatorIn(service);
  const { companyId } = service.company;
  const { text } = await ada.get(`/console/companies/${companyId}/invoices?environment=test`);
  const place = placeOf(text)!;
  expect(place).toBe(`/console/live/${companyId}/test`);
  const [test, live] = [await listen(ada, place), await listen(ada, `/console/live/${companyId}/live`)];
  await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  expect(await signals(test)).toMatchObject({ event: 'changed' });
  expect(live.messages).toEqual([]);
  expect((await listen(ada, '/console/live/nobody/test')).status).toBe(404);
});

test('no other subscriber is notified, nor one that has left', async () => {
  const { companyId } = service.company;
  expect((await listen(anonymousVisitor(service), `/console/live/${companyId}/test`)).status).toBe(401);
  expect((await listen(new Visitor(service.url), '/portal/live')).status).toBe(403);
  const [ada, ana] = [await operatorIn(service), await customer('ana')];
  const streams = [await listen(ada, `/console/live/${companyId}/test`), await listen(ana, '/portal/live')];
  await ada.post('/console/leave', {});
  await ana.post('/portal/leave', {});
  service.services.streams.checkAuthorities();
  for (const stream of streams) await stream.ended();
});

test('pages with forms are not updated', async () => {
  const ada = await operatorIn(service);
  const sale = await aSale(service, shop, 'ana');
  const shown = await ada.get(`/console/invoices/${sale.id}`);
  expect(placeOf(shown.text)).toBeDefined();
  for (const path of [`/console/invoices/${sale.id}/void`, '/console', '/console/login']) {
    const { text, headers } = await ada.get(path);
    expect([path, placeOf(text)]).toEqual([path, undefined]);
    expect(headers.get('content-security-policy')).not.toContain('script');
  }
});
