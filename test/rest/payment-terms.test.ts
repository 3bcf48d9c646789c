import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { Visitor } from '../support/http/visitor.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { operatorIn } from '../support/pages/console.ts';
import { aLink, aSale, aShop } from '../support/pages/portal.ts';

/** How an invoice is to be paid, what its recipient calls it, when it was delivered, in which language it is printed. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const IBAN = 'ES9121000418450200051332';
const TERMS = {
  payment: { means: 'transfer', iban: IBAN, reference: 'Pedido 17', terms: 'A 30 días' },
  language: 'ca',
  references: { purchase_order: 'PO-17', buyer_reference: 'Depto. 4', contract: 'C/9', project: 'Ático' },
  delivery: { from: '2026-10-01', to: '2026-10-31' },
};
const NAMES = Object.keys(TERMS);

const issue = async (fields: object) => {
  const { status, body } = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice(fields as Record<string, unknown>),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};

async function documentOf(invoiceId: string): Promise<Buffer> {
  const file = await documentFor(service.services, service.company.test.environmentId, invoiceId);
  if (isRefusal(file)) throw new Error(file.detail);
  return file.bytes;
}

test.each(PROTOCOLS)('over %s are answered as they were sent, now and later', async (protocol) => {
  const operations = operationsOf(service, protocol);
  const { status, body } = await operations.issue(aCompleteInvoice(TERMS));
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body).toMatchObject(TERMS);
  expect((await operations.invoice(body.id)).body).toMatchObject(TERMS);
  const { body: list } = await operations.invoices({ number: body.number });
  expect(list.data[0]).toMatchObject(TERMS);
});

test('REST answers the fields that were named, and omits the others', async () => {
  const part = {
    payment: { means: 'transfer', iban: 'es91 2100 0418 4502 0005 1332' },
    references: { project: 'P' },
  };
  const issued = await issue(part);
  expect(issued.payment).toEqual({ means: 'transfer', iban: IBAN });
  expect(issued.references).toEqual({ project: 'P' });
  expect(Object.keys(issued)).not.toContain('delivery');
  const plain = await issue({});
  const { body: read } = await service.call('GET', `/v1/invoices/${plain.id}`);
  for (const name of NAMES)
    for (const answer of [plain, read]) expect(Object.keys(answer)).not.toContain(name);
});

test('are compared when a key is repeated, and are replayed with it', async () => {
  const operations = operationsOf(service, 'REST');
  const idempotencyKey = 'payment-terms';
  const body = aSimplifiedInvoice(TERMS);
  const first = await operations.issue(body, { idempotencyKey });
  expect((await operations.issue(body, { idempotencyKey })).body).toEqual(first.body);
  const other = { ...body, payment: { ...TERMS.payment, reference: 'Pedido 18' } };
  const reply = await operations.issue(other, { idempotencyKey });
  expect(reply).toMatchObject({ status: 409, code: 'idempotency_conflict' });
});

test('an event reports them, the record at the agency does not', async () => {
  const { id } = await issue(TERMS);
  const { body: event } = await service.call('GET', '/v1/events?order=desc&limit=1&type=invoice.issued');
  expect(event.data[0].data.object).toMatchObject({ id, ...TERMS });
  const { body } = await service.graphql(`{ invoice(id: "${id}") { records { xml } } }`);
  expect(body.data.invoice.records[0].xml).not.toMatch(/ES9121|Pedido 17|PO-17|2026-10-31|31-10-2026/);
});

describe.skipIf(!tools.haveTools('pdftotext'))('the document', () => {
  test('prints them in its own language, in the usual places', async () => {
    const text = tools.textOf(await documentOf((await issue(TERMS)).id)).replace(/[ \u00a0]+/g, ' ');
    expect(text).toMatch(/Núm\. de comanda PO-17\s/);
    expect(text).toMatch(/Contracte C\/9\s/);
    expect(text).toContain('01/10/2026 – 31/10/2026');
    expect(text).toMatch(/Forma de pagament Transferència bancària/);
    expect(text).toContain('ES91 2100 0418 4502 0005 1332');
    expect(text.indexOf('PO-17')).toBeLessThan(text.indexOf('Total factura'));
    expect(text.indexOf('Concepte Pedido 17')).toBeGreaterThan(text.indexOf('Total factura'));
  });

  test('of an invoice without them is as it ever was', async () => {
    const text = tools.textOf(await documentOf((await issue({})).id));
    expect(text).not.toMatch(/Forma de pago|IBAN|pedido|entrega/);
  });
});

test('are shown to the customer and to operators, and an order may bring them', async () => {
  const shop = await aShop(service);
  const sale = await aSale(service, shop, 'customer-1', {
    payment: TERMS.payment,
    references: { purchaseOrder: '<b>PO</b>' },
    delivery: TERMS.delivery,
  });
  const link = await aLink(service, shop, 'customer-1');
  const customer = new Visitor(service.url);
  const { location } = await customer.get(new URL(link).pathname);
  const operator = await operatorIn(service);
  const { text: own } = await customer.get(`${location}/invoices/${sale.id}`);
  const { text: console } = await operator.get(`/console/invoices/${sale.id}`);
  const shown = own.replace(/<[^>]+>/g, ' ');
  expect(shown).toMatch(/Forma de pago +Transferencia bancaria/);
  expect(shown).toContain('ES91 2100 0418 4502 0005 1332');
  expect(shown).toMatch(/1 oct 2026 – 31 oct 2026/);
  expect(console).toContain('ES91 2100 0418 4502 0005 1332');
  for (const page of [own, console]) {
    expect(page).toContain('&lt;b&gt;PO&lt;/b&gt;');
    expect(page).not.toContain('<b>PO');
  }
});
