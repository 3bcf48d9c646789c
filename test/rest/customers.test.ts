import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let keys: Record<'REST' | 'GraphQL' | 'saved', string>;
beforeAll(async () => {
  service = await testService();
  const key = async () => (await createCompany(service.db)).test.key;
  keys = { REST: await key(), GraphQL: await key(), saved: service.company.test.key };
});
afterAll(() => service.close());

const customers = '/v1/customers';
const read = (id: string, key?: string) =>
  service.call('GET', `${customers}/${encodeURIComponent(id)}`, key === undefined ? {} : { key });
const save = (id: string, body: object, query = '') =>
  service.call('PUT', `${customers}/${encodeURIComponent(id)}${query}`, { body });

describe.each(PROTOCOLS)('an invoice over %s that names a customer', (protocol) => {
  test('makes the customer of its recipient, and updates what later invoices say', async () => {
    const key = keys[protocol];
    const operations = operationsOf(service, protocol);
    const issue = (body: object) => operations.issue({ external_customer_id: 'c-1', ...body }, { key });
    const ticket = await issue(aSimplifiedInvoice());
    expect(ticket.status).toBe(201);
    const { body: blank } = await read('c-1', key);
    expect(blank).toMatchObject({ name: null, tax_id: null, address: null });
    const { status } = await issue(aCompleteInvoice());
    expect(status).toBe(201);
    const { body: known } = await read('c-1', key);
    expect(known).toMatchObject({
      ...{ id: blank.id, external_customer_id: 'c-1', name: 'García Pérez Ana', company_name: null },
      ...{ tax_id: '12345678Z', tax_id_type: 'es_nif', tax_id_country: 'ES', email: 'ana@example.com' },
      address: { line1: 'Calle Mayor 1', line2: null, postal_code: '28001', city: 'Madrid', country: 'ES' },
    });
    await issue(aSimplifiedInvoice({ recipient: { email: 'other@example.com' } }));
    expect((await read('c-1', key)).body).toEqual({ ...known, email: 'other@example.com' });
    const { body: listed } = await operations.invoices({ external_customer_id: 'c-1' }, { key });
    expect(JSON.stringify(listed)).toContain(ticket.body.id);
  });

  test('is checked with it, and nothing is kept of one that is only validated or refused', async () => {
    const key = keys[protocol];
    const operations = operationsOf(service, protocol);
    const named = { external_customer_id: 'c-2' };
    expect((await operations.validate(aSimplifiedInvoice(named), { key })).status).toBe(200);
    const alone = aSimplifiedInvoice({ integration_id: `int_${'0'.repeat(32)}` });
    expect(await operations.issue(alone, { key })).toMatchObject({
      faults: ['external_customer_id required'],
    });
    const unknown = aSimplifiedInvoice({ ...named, integration_id: `int_${'0'.repeat(32)}` });
    expect(await operations.issue(unknown, { key })).toMatchObject({
      ...{ status: 404, code: 'integration_not_found', faults: ['integration_id integration_not_found'] },
    });
    expect((await read('c-2', key)).body.code).toBe('customer_not_found');
  });
});

test('a rectificativa inherits the customer, may name it, and takes its series freely', async () => {
  const call = (body: object) => service.call('POST', '/v1/invoices', { body });
  const { body: original } = await call(aCompleteInvoice({ external_customer_id: 'r-1' }));
  const { body: series } = await service.call('POST', '/v1/number_series', {
    body: { prefix: 'RR', type: 'rectifying' },
  });
  const lines = { line_items: [aLine({ quantity: 1, unit_amount: -100 })], type: 'complete' };
  const rectifies = { invoice_id: original.id, method: 'differences' };
  const other = await call({ ...lines, rectifies, external_customer_id: 'r-2' });
  expect(other.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'external_customer_id' }] });
  const correction = await call({
    ...{ ...lines, rectifies, external_customer_id: 'r-1', number_series_id: series.id },
  });
  expect(correction.status).toBe(201);
  expect(correction.body).toMatchObject({ external_customer_id: 'r-1', number_series_id: series.id });
});

test('drafts, schedules and batches name customers as well', async () => {
  const named = (id: string) => aSimplifiedInvoice({ external_customer_id: id });
  const { body: draft } = await service.call('POST', '/v1/invoice_drafts', {
    body: { invoice: named('d-1') },
  });
  expect(draft.errors).toEqual([]);
  const issued = await service.call('POST', `/v1/invoice_drafts/${draft.id}/issue`);
  expect(issued.body.external_customer_id).toBe('d-1');
  expect((await read('d-1')).status).toBe(200);
  const schedule = { invoice: named('d-2'), frequency: 'monthly', starts_on: '2099-01-01' };
  expect((await service.call('POST', '/v1/invoice_schedules', { body: schedule })).status).toBe(201);
  const invoices = ['b-1', 'b-2'].map((external_id) => ({ ...named('d-3'), external_id }));
  expect((await service.call('POST', '/v1/invoice_batches', { body: { invoices } })).status).toBe(202);
});

test('customers are saved whole, found by words, listed in pages and deleted', async () => {
  const address = { line1: 'Rúa 1', postal_code: '15001', city: 'A Coruña', country: 'es' };
  const saved = await save('a/b c', { name: 'Col·legi Núñez', tax_id: 'b-1234 5674', address });
  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({
    ...{ external_customer_id: 'a/b c', tax_id: 'B12345674', tax_id_type: 'es_nif', tax_id_country: 'ES' },
    address: { ...address, line2: null, country: 'ES' },
  });
  expect((await read('a/b c')).body).toEqual(saved.body);
  const replaced = await save('a/b c', { name: 'Núñez', email: 'n@example.com' });
  expect(replaced.body).toMatchObject({ id: saved.body.id, tax_id: null, address: null, name: 'Núñez' });
  await save('z', { name: 'Zapata', company_name: 'Núñez e hijos SL' });
  const found = async (query: string) =>
    (await service.call('GET', `${customers}?${query}`)).body.data?.map(
      (one: { external_customer_id: string }) => one.external_customer_id,
    );
  expect(await found('text=NUNEZ')).toEqual(['a/b c', 'z']);
  expect(await found('text=nu%20hij')).toEqual(['z']);
  expect(await found('text=n%40exam')).toEqual(['a/b c']);
  expect(await found('text=nobody')).toEqual([]);
  const first = await service.call('GET', `${customers}?text=nunez&limit=1`);
  expect(first.body).toMatchObject({ has_more: true });
  expect((await service.call('GET', first.body.next_url)).body.data).toMatchObject([{ name: 'Zapata' }]);
  expect((await service.call('DELETE', `${customers}/z`)).status).toBe(204);
  expect((await read('z')).body).toMatchObject({ code: 'customer_not_found' });
  expect((await service.call('DELETE', `${customers}/z`)).status).toBe(404);
});

test.each([
  ['an unknown field', { nif: 'B12345674' }, 400, 'nif'],
  ['a wrong tax id', { tax_id: 'B12345670', address: { country: 'ES' } }, 422, 'tax_id'],
  ['a type without an id', { tax_id_type: 'es_nif' }, 400, 'tax_id'],
  [
    'a contradiction',
    { tax_id: '12345678Z', tax_id_type: 'es_nif', tax_id_country: 'FR' },
    422,
    'tax_id_country',
  ],
  ['an unknown country', { address: { country: 'ZZ' } }, 422, 'address.country'],
])('%s of a customer is refused at its field', async (_what, body, status, field) => {
  const refused = await save('x', body);
  expect({
    status: refused.status,
    fields: refused.body.errors.map((one: { field: string }) => one.field),
  }).toEqual({
    ...{ status, fields: [field] },
  });
});

test('GraphQL shows the invoices and totals of a customer, saves and deletes with a merchant’s key', async () => {
  const key = keys.GraphQL;
  const { body } = await service.graphql(
    `{ customer(externalCustomerId: "c-1") { taxId companyName address { city }
         invoices(first: 2) { totalCount edges { node { number customer { externalCustomerId } } } }
         totals { count total amountDue } }
       customers(text: "ana") { edges { node { externalCustomerId } } totalCount } }`,
    {},
    { key },
  );
  expect(body.errors).toBeUndefined();
  expect(body.data).toMatchObject({
    customer: { taxId: '12345678Z', invoices: { totalCount: 3 }, totals: { count: 3, total: 72_600 } },
    customers: { totalCount: 1 },
  });
  const done = await service.graphql(
    `mutation { saveCustomer(input: { externalCustomerId: "g", name: "Gil", taxId: "12345678Z" }) { name taxIdType }
       changed: saveCustomer(input: { externalCustomerId: "g", name: null }) { name taxId }
       deleteCustomer(externalCustomerId: "g") { externalCustomerId } }`,
    {},
    { key },
  );
  expect(done.body).toEqual({
    data: {
      saveCustomer: { name: 'Gil', taxIdType: 'es_nif' },
      changed: { name: null, taxId: '12345678Z' },
      deleteCustomer: { externalCustomerId: 'g' },
    },
  });
  const { body: log } = await service.graphql(
    '{ environmentAuditLog: auditLog { edges { node { action } } } }',
    {},
    { key },
  );
  expect(JSON.stringify(log)).toContain('delete_customer');
});
