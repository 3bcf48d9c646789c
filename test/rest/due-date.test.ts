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

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const issue = async (due_date: unknown = undefined) => {
  const { status, body } = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice({ due_date }),
  });
  expect(status).toBe(201);
  return body;
};

async function documentOf(invoiceId: string): Promise<Buffer> {
  const file = await documentFor(service.services, service.company.test.environmentId, invoiceId);
  if (isRefusal(file)) throw new Error(file.detail);
  return file.bytes;
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('is answered as it was sent, now and later', async () => {
    const operations = operationsOf(service, protocol);
    const { status, body } = await operations.issue(aCompleteInvoice({ due_date: '2027-02-28' }));
    expect({ status, due_date: body.due_date }).toEqual({ status: 201, due_date: '2027-02-28' });
    expect((await operations.invoice(body.id)).body.due_date).toBe('2027-02-28');
    const { body: list } = await operations.invoices({ number: body.number });
    expect(JSON.stringify(list)).toContain('"due_date":"2027-02-28"');
  });

  test.each([
    ['no day', { due_date: '2027-02-29' }, 'invalid_format'],
    ['an instant', { due_date: '2027-02-28T00:00:00Z' }, 'invalid_format'],
    ['before the first day of the contract', { due_date: '2024-12-31' }, 'too_small'],
    ['before the operation', { due_date: '2025-03-03', operation_date: '2025-03-04' }, 'too_small'],
  ])('%s is refused', async (_what, fields, reason) => {
    const operations = operationsOf(service, protocol);
    const refused = { status: 400, code: 'invalid_request', faults: [`due_date ${reason}`] };
    expect(await operations.issue(aSimplifiedInvoice(fields))).toMatchObject(refused);
    expect(await operations.validate(aSimplifiedInvoice(fields))).toMatchObject(refused);
  });

  test('the day of the operation itself is taken, and null is none', async () => {
    const operations = operationsOf(service, protocol);
    const day = { due_date: '2025-03-04', operation_date: '2025-03-04' };
    expect((await operations.issue(aSimplifiedInvoice(day))).status).toBe(201);
    const none = await operations.issue(aSimplifiedInvoice({ due_date: null }));
    expect(none.status).toBe(201);
    expect((await operations.invoice(none.body.id)).body.due_date ?? null).toBeNull();
  });

  test('is compared when a key is repeated', async () => {
    const operations = operationsOf(service, protocol);
    const idempotencyKey = `due-${protocol}`;
    const body = aSimplifiedInvoice({ due_date: '2027-01-31' });
    const first = await operations.issue(body, { idempotencyKey });
    const again = await operations.issue(body, { idempotencyKey });
    expect(again.body).toEqual(first.body);
    const other = await operations.issue({ ...body, due_date: '2027-02-01' }, { idempotencyKey });
    expect(other).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  });
});

test('an invoice without one has no such field in REST, and null in GraphQL', async () => {
  const { id, ...issued } = await issue();
  expect(Object.keys(issued)).not.toContain('due_date');
  expect(Object.keys((await service.call('GET', `/v1/invoices/${id}`)).body)).not.toContain('due_date');
  const { body: event } = await service.call('GET', '/v1/events?order=desc&limit=1');
  expect(event.data[0].data.object.id).toBe(id);
  expect(Object.keys(event.data[0].data.object)).not.toContain('due_date');
  const { body } = await service.graphql(`{ invoice(id: "${id}") { dueDate } }`);
  expect(body.data.invoice).toEqual({ dueDate: null });
});

test('an event reports it, the record at the agency does not', async () => {
  const { id } = await issue('2027-01-15');
  const { body: event } = await service.call('GET', '/v1/events?order=desc&limit=1');
  expect(event.data[0].data.object).toMatchObject({ id, due_date: '2027-01-15' });
  const { body } = await service.graphql(`{ invoice(id: "${id}") { records { xml } } }`);
  expect(body.data.invoice.records[0].xml).not.toMatch(/2027-01-15|15-01-2027/);
});

test.skipIf(!tools.haveTools('pdftotext'))('stands beside the dates of the document', async () => {
  const due = await issue('2027-01-15');
  const none = await issue();
  expect(tools.textOf(await documentOf(due.id))).toMatch(
    /Fecha de expedición +Fecha de vencimiento\n.* 15\/01\/2027\n/,
  );
  expect(tools.textOf(await documentOf(none.id))).not.toContain('vencimiento');
});

test('is shown to the customer and to operators, and an order may bring it', async () => {
  const shop = await aShop(service);
  const sale = await aSale(service, shop, 'customer-1', { dueDate: '2027-01-15' });
  const other = await aSale(service, shop, 'customer-1');
  const link = await aLink(service, shop, 'customer-1');
  const customer = new Visitor(service.url);
  const { location } = await customer.get(new URL(link).pathname);
  const operator = await operatorIn(service);
  const pageOf = async ({ id }: { readonly id: string }) => {
    const [own, console] = [
      await customer.get(`${location}/invoices/${id}`),
      await operator.get(`/console/invoices/${id}`),
    ];
    return [own.text.replace(/<[^>]+>/g, ' '), console.text.replace(/<[^>]+>/g, ' ')];
  };
  const [own, console] = await pageOf(sale);
  expect(own).toMatch(/Fecha de vencimiento +15 ene 2027/);
  expect(console).toMatch(/Due date +15 Jan 2027/);
  expect((await pageOf(other)).join()).not.toMatch(/vencimiento|Due /);
});
