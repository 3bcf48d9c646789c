import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { Visitor } from '../support/http/visitor.ts';
import { ANA } from '../support/invoices/corrections.ts';
import { aLine } from '../support/invoices/invoices.ts';
import { aLink, aSale, aShop } from '../support/pages/portal.ts';

/** What a customer finds of a ticket that was exchanged and of which something was returned. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const address = { line1: 'Calle Mayor 1', postal_code: '28001', city: 'Madrid', country: 'ES' };
const ana = { name: ANA.name, tax_id: ANA.taxId, address };

async function call(path: string, body: object) {
  const answer = await service.call('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

test('a return after an exchange: both papers are the customer’s, and each page leads to the others', async () => {
  const shop = await aShop(service);
  const sale = await aSale(service, shop, 'ada');
  const exchange = await call('/v1/exchanges', { ticket_ids: [sale.id], recipient: ana });
  const body = { line_items: [aLine({ quantity: 1, unit_amount: -300 })], reason: 'Devuelto' };
  const { rectification, exchanges } = await call(`/v1/exchanges/${exchange.id}/returns`, body);
  const [ofReturn] = exchanges;

  const ada = await new Visitor(service.url).enter(await aLink(service, shop, 'ada'));
  const { text: list } = await ada.get('/portal');
  for (const { number } of [sale, exchange, rectification, ofReturn]) expect(list).toContain(`>${number}<`);
  const leads: [from: { id: string }, words: string, to: { id: string; number: string }][] = [
    [sale, 'Corregida por la factura', rectification],
    [sale, 'Sustituida por la factura completa', exchange],
    [exchange, 'Sustituye al tique', sale],
    [rectification, 'Corrige la factura', sale],
    [rectification, 'Sustituida por la factura completa', ofReturn],
    [ofReturn, 'Sustituye al tique', rectification],
  ];
  for (const [from, words, to] of leads) {
    const { status, text } = await ada.get(`/portal/invoices/${from.id}`);
    expect(status).toBe(200);
    const link = `<dt>${words}</dt><dd><a href="/portal/invoices/${to.id}">${to.number}</a></dd>`;
    expect(text, `${words} ${to.number}`).toContain(link);
  }
  for (const { id } of [rectification, ofReturn]) {
    const { status, bytes } = await ada.get(`/portal/invoices/${id}/pdf`);
    expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
  }
  const stranger = await new Visitor(service.url).enter(await aLink(service, shop, await other(shop)));
  expect((await stranger.get(`/portal/invoices/${ofReturn.id}`)).status).toBe(404);
});

/** A customer who bought something else. */
async function other(shop: Awaited<ReturnType<typeof aShop>>): Promise<string> {
  await aSale(service, shop, 'bea');
  return 'bea';
}
