import { type InvoiceRequest, LacreClient, type LacreError } from '@lacre/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';

/** What the client does beside issuing: voiding, exchanges, customers and the register book. */

let service: TestService;
let lacre: LacreClient;
beforeAll(async () => {
  service = await testService();
  lacre = new LacreClient({ baseUrl: service.url, key: service.company.test.key, firstRetryMs: 1 });
});
afterAll(() => service.close());

const shirts = (quantity: number, unit_amount = 1_000): InvoiceRequest['line_items'] => [
  { description: 'Camisa', quantity, unit_amount, tax_items: [{ type: 'vat', rate: 21 }] },
];
const ticket: InvoiceRequest = { type: 'simplified', line_items: shirts(3) };
const { recipient } = aCompleteInvoice() as InvoiceRequest & { readonly recipient: object };
const codeOf = (error: unknown) => (error as LacreError).code;

test('an invoice that should not have been issued is voided, once', async () => {
  const { id } = await lacre.invoices.create(ticket);
  const body = { reason: 'Emitida dos veces' };
  expect(await lacre.invoices.void(id, body, { idempotencyKey: 'void-1' })).toMatchObject({
    id,
    status: 'voided',
  });
  expect(await lacre.invoices.void(id, body, { idempotencyKey: 'void-1' })).toMatchObject({
    status: 'voided',
  });
});

test('a ticket is exchanged, taken back in part, and issued anew for another recipient', async () => {
  const sold = await lacre.invoices.create(ticket);
  const exchange = await lacre.exchanges.create({ ticket_ids: [sold.id], recipient });
  expect(exchange).toMatchObject({ type: 'complete', total: sold.total });
  const returned = await lacre.exchanges.return(exchange.id, {
    line_items: shirts(1, -1_000),
    reason: 'Devolución',
  });
  expect(returned.rectification.total).toBe(-1_210);
  expect(returned.exchanges).toHaveLength(1);
  const other = { ...recipient, name: 'Pérez Gómez Luis', tax_id: '00000001R' };
  const { exchanges } = await lacre.exchanges.replace(exchange.id, {
    recipient: other,
    reason: 'Otro destinatario',
  });
  expect(exchanges.length).toBeGreaterThan(0);
});

test('customers are saved, listed, read and deleted by the ids of the shop', async () => {
  const saved = await lacre.customers.save('c/1', { name: 'García Pérez Ana', email: 'ana@example.com' });
  expect(saved).toMatchObject({ external_customer_id: 'c/1', email: 'ana@example.com' });
  expect(await lacre.customers.retrieve('c/1')).toEqual(saved);
  const listed = [];
  for await (const { external_customer_id } of lacre.customers.list({ text: 'garcia' }))
    listed.push(external_customer_id);
  expect(listed).toEqual(['c/1']);
  await lacre.customers.delete('c/1');
  expect(codeOf(await lacre.customers.retrieve('c/1').catch((error: unknown) => error))).toBe(
    'customer_not_found',
  );
});

test('a register book is downloaded by its link alone', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const { url } = await lacre.createRegisterBook({ from: day, to: day, format: 'csv' });
  expect(url).toContain('/v1/register_books/file?token=');
});
