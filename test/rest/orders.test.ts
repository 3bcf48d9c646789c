import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { issueFromOrder, type OrderRequest } from '../../src/subjects/issuing/issue-from-order.ts';
import { createIssueQueue } from '../../src/subjects/issuing/issue-invoice.ts';
import { createSeries } from '../../src/subjects/number-series/manage-series.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let operator: string;
beforeAll(async () => {
  service = await testService();
  operator = (await createOperatorKey(service.db.pool, 'Ada')).key;
});
afterAll(() => service.close());

const CREATE = `mutation ($input: CreateIntegrationInput!) {
  createIntegration(input: $input) { id name standardSeriesId rectifyingSeriesId }
}`;
const FROM_ORDER = `mutation ($input: IssueInvoiceFromOrderInput!) {
  issueInvoiceFromOrder(input: $input) {
    id number total externalId externalCustomerId integrationId orderId pdfUrl verifactu { status hash } lineItems { id total }
  }
}`;

let names = 0;
/** An integration of the test environment, made by an operator. */
async function integration(input: object = {}): Promise<{ id: string }> {
  names += 1;
  const { companyId } = service.company;
  const variables = { input: { companyId, environment: 'test', name: `shop ${names}`, ...input } };
  const { body } = await service.graphql(CREATE, variables, { key: operator });
  expect(body.errors).toBeUndefined();
  return body.data.createIntegration;
}

async function series(prefix: string, type: 'standard' | 'rectifying'): Promise<string> {
  const { outcome } = await createSeries(
    service.db,
    service.company.test.environmentId,
    { prefix, type, yearly: false },
    { key: null, sent: null },
  );
  if (isRefusal(outcome)) throw new Error(outcome.detail);
  return outcome.id;
}

const line = {
  description: 'Camiseta',
  quantity: 1,
  unitAmount: 1_000,
  taxItems: [{ type: 'vat', rate: 21 }],
};
const anOrder = (integrationId: string, orderId: string, parts: object = {}) => ({
  integrationId,
  orderId,
  customer: { externalCustomerId: 'c-1' },
  type: 'simplified',
  lineItems: [line],
  ...parts,
});

const send = (input: object, key?: string) =>
  service.graphql(FROM_ORDER, { input }, key === undefined ? {} : { key });

async function issued(input: object) {
  const { body } = await send(input);
  expect(body.errors).toBeUndefined();
  return body.data.issueInvoiceFromOrder;
}

async function refusal(input: object) {
  const { body } = await send(input);
  return body.errors[0].extensions as { code: string; errors: { field: string; code: string }[] };
}

async function counts(): Promise<{ invoices: number; customers: number; numbers: number }> {
  const { rows } = await service.db.pool.query(`
    select (select count(*) from invoice)::int as invoices, (select count(*) from customer)::int as customers,
      (select coalesce(sum(last_number), 0) from series_counter)::int as numbers`);
  return rows[0];
}

describe('integrations', () => {
  test('are made by operators and seen by the merchant', async () => {
    const standardSeriesId = await series('WEB', 'standard');
    const rectifyingSeriesId = await series('WEBR', 'rectifying');
    const made = await integration({ name: 'web shop', standardSeriesId, rectifyingSeriesId });
    expect(made).toMatchObject({ name: 'web shop', standardSeriesId, rectifyingSeriesId });
    const list = `query ($companyId: ID, $environment: Environment) {
      integrations(companyId: $companyId, environment: $environment) { edges { node { id name } } }
    }`;
    const mine = await service.graphql(list);
    expect(mine.body.data.integrations.edges).toContainEqual({ node: { id: made.id, name: 'web shop' } });
    const live = await service.graphql(list, {}, { key: service.company.live.key });
    expect(live.body.data.integrations.edges).toEqual([]);
    const named = { companyId: service.company.companyId, environment: 'test' };
    const operators = await service.graphql(list, named, { key: operator });
    expect(operators.body.data).toEqual(mine.body.data);
    const foreign = await service.graphql(list, named);
    expect(foreign.body.errors[0].extensions.code).toBe('forbidden');
  });

  test('a merchant cannot make any', async () => {
    const input = { companyId: service.company.companyId, environment: 'test', name: 'own' };
    const { body } = await service.graphql(CREATE, { input });
    expect(body.errors[0].extensions.code).toBe('forbidden');
  });

  test.each([
    ['a name twice', { name: 'twice' }, 'invalid_request'],
    ['a name with a control character', { name: 'a\u0007b' }, 'invalid_request'],
    ['an unknown company', { companyId: 'co_1' }, 'invalid_request'],
    ['an unknown series', { standardSeriesId: `ns_${'0'.repeat(32)}` }, 'invalid_number_series'],
    ['a rectifying series as standard', { standardSeriesId: 'rectifying' }, 'invalid_number_series'],
    ['a standard series as rectifying', { rectifyingSeriesId: 'standard' }, 'rectifying_series_invalid'],
    ['a series of the other environment', { standardSeriesId: 'live' }, 'invalid_number_series'],
  ])('%s is refused', async (_name, parts, code) => {
    const { test: home, live, companyId } = service.company;
    const ids: Record<string, string> = {
      rectifying: home.rectifyingSeriesId,
      standard: home.standardSeriesId,
      live: live.standardSeriesId,
    };
    const input = { companyId, environment: 'test', name: 'unique', ...parts } as Record<string, string>;
    for (const [field, value] of Object.entries(input)) input[field] = ids[value] ?? value;
    if (input['name'] === 'twice') await integration({ name: 'twice' });
    const { body } = await service.graphql(CREATE, { input }, { key: operator });
    expect(body.errors[0].extensions.code).toBe(code);
  });

  test('a series that an integration uses cannot be deleted', async () => {
    for (const type of ['standard', 'rectifying'] as const) {
      const id = await series(`IN-USE-${type}`, type);
      await integration({ [`${type}SeriesId`]: id });
      const { status, body } = await service.call('DELETE', `/v1/number_series/${id}`);
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'number_series_in_use' });
    }
  });
});

describe('an order', () => {
  test('gives an invoice on the series of its integration, with its customer', async () => {
    const { id } = await integration({ standardSeriesId: await series('SHOP', 'standard') });
    const customer = { externalCustomerId: 'c-77', name: 'Ana', email: 'ana@example.com' };
    const invoice = await issued(anOrder(id, 'o-1', { customer, externalId: 'mine-1' }));
    expect(invoice).toMatchObject({
      number: 'SHOP-1',
      total: 1_210,
      externalId: 'mine-1',
      externalCustomerId: 'c-77',
      integrationId: id,
      orderId: 'o-1',
      verifactu: { status: 'registered' },
    });
    const read = await service.call('GET', '/v1/invoices?external_customer_id=c-77');
    expect(read.body.data.map((found: { id: string }) => found.id)).toEqual([invoice.id]);
    const { body } = await service.graphql(
      `query ($id: ID!) { customers(integrationId: $id) { edges { node { externalCustomerId name email } } } }`,
      { id },
    );
    expect(body.data.customers.edges).toEqual([{ node: customer }]);
  });

  test('uses the default series when its integration has none', async () => {
    const { id } = await integration();
    const { number } = await issued(anOrder(id, 'o-1'));
    expect(number).toMatch(/^F-\d{4}-\d+$/);
  });

  test('has one invoice, with any later content of the order', async () => {
    const { id } = await integration();
    const first = await issued(anOrder(id, 'again'));
    const before = await counts();
    for (const parts of [{}, { lineItems: [{ ...line, quantity: 2 }] }, { externalId: 'x-9' }]) {
      const { body } = await send(anOrder(id, 'again', parts));
      expect(body.extensions).toEqual({ idempotentReplayed: true });
      expect(body.data.issueInvoiceFromOrder).toEqual({ ...first, pdfUrl: expect.any(String) });
    }
    expect(await counts()).toEqual(before);
  });

  test('of the same id in another integration is another order', async () => {
    const [one, other] = [await integration(), await integration()];
    const invoices = [await issued(anOrder(one.id, 'same')), await issued(anOrder(other.id, 'same'))];
    expect(new Set(invoices.map(({ id }) => id)).size).toBe(2);
  });

  test('requested many times at once, in two processes, has one invoice and its numbers no gap', async () => {
    const { id } = await integration({ standardSeriesId: await series('RACE', 'standard') });
    const caller = await service.services.authenticator.merchant(`Bearer ${service.company.test.key}`);
    const other = { ...service.services, issueQueue: createIssueQueue(service.services) };
    // With an external_id the losers are refused for that before the database sees the order.
    for (const [orderId, externalId] of [
      ['race-1', undefined],
      ['race-2', 'race-2'],
    ] as const) {
      const order = anOrder(id, orderId, { externalId, recargoEquivalencia: false }) as OrderRequest;
      const winners = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          if (index % 2 === 0) return (await issued(anOrder(id, orderId, { externalId }))).id as string;
          const outcome = await issueFromOrder(other, caller!, order, () => 'token');
          if (isRefusal(outcome)) throw new Error(outcome.detail);
          return 'invoiceId' in outcome ? outcome.invoiceId : outcome.stored.invoice.id;
        }),
      );
      expect(new Set(winners).size).toBe(1);
    }
    expect((await issued(anOrder(id, 'after'))).number).toBe('RACE-3');
    const { rows } = await service.db.pool.query(
      'select count(*)::int as n from customer where integration_id = $1',
      [id],
    );
    expect(rows[0].n).toBe(1);
  });

  test('shares its transaction with others, and a twin among them harms none', async () => {
    const { id } = await integration({ standardSeriesId: await series('MANY', 'standard') });
    const orders = Array.from({ length: 40 }, (_, index) => anOrder(id, `many-${index % 32}`));
    const invoices = await Promise.all(orders.map(issued));
    const byOrder = new Map(invoices.map((invoice) => [invoice.orderId, invoice.id]));
    expect(invoices.map(({ id: found, orderId }) => [orderId, found])).toEqual(
      orders.map(({ orderId }) => [orderId, byOrder.get(orderId)]),
    );
    const numbers = new Set(invoices.map(({ number }) => number));
    expect(numbers).toEqual(new Set(Array.from({ length: 32 }, (_, index) => `MANY-${index + 1}`)));
  });

  test('keeps the stored data of a customer where the request has nothing new', async () => {
    const { id } = await integration();
    const customer = { externalCustomerId: 'kept', name: 'Old', email: 'old@example.com' };
    await issued(anOrder(id, '1', { customer }));
    await issued(anOrder(id, '2', { customer: { externalCustomerId: 'kept', name: 'New' } }));
    const { body } = await service.graphql(
      `query ($id: ID!) { customer(externalCustomerId: "kept", integrationId: $id) { name email } }`,
      { id },
    );
    expect(body.data.customer).toEqual({ name: 'New', email: 'old@example.com' });
  });
});

describe('an order that is refused leaves nothing behind', () => {
  test.each<[string, object, string, string?]>([
    ['an unknown integration', { integrationId: `int_${'0'.repeat(32)}` }, 'integration_not_found'],
    ['a malformed integration', { integrationId: 'x' }, 'integration_not_found'],
    ['no order', { orderId: '' }, 'invalid_request', 'orderId'],
    ['a long order', { orderId: 'x'.repeat(256) }, 'invalid_request', 'orderId'],
    ['a control character', { orderId: 'a\u0007' }, 'invalid_request', 'orderId'],
    [
      'a nameless customer',
      { customer: { externalCustomerId: ' ' } },
      'invalid_request',
      'customer.externalCustomerId',
    ],
    [
      'a customer without mailbox',
      { customer: { externalCustomerId: 'c', email: 'x' } },
      'invalid_request',
      'customer.email',
    ],
    [
      'a line without tax',
      { lineItems: [{ ...line, taxItems: [] }] },
      'invalid_request',
      'lineItems[0].taxItems',
    ],
    ['a complete invoice without recipient', { type: 'complete' }, 'invalid_request', 'recipient'],
    [
      'a rate that is not in force',
      { lineItems: [{ ...line, taxItems: [{ type: 'vat', rate: 18 }] }] },
      'invalid_tax_rate',
    ],
    ['a dear ticket', { lineItems: [{ ...line, unitAmount: 300_000 }] }, 'simplified_amount_exceeded'],
    ['an external_id that is taken', { externalId: 'taken' }, 'external_id_already_used'],
  ])('%s', async (_name, parts, code, field) => {
    const { id } = await integration();
    if (code === 'external_id_already_used') {
      await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ external_id: 'taken' }) });
    }
    const before = await counts();
    const { errors, ...answer } = await refusal(anOrder(id, 'refused', parts));
    expect(answer.code).toBe(code);
    if (field !== undefined) expect(errors.map((error) => error.field)).toContain(`input.${field}`);
    expect(await counts()).toEqual(before);
    expect((await send(anOrder(id, 'refused'))).body.errors).toBeUndefined();
  });

  test('an integration of the other environment', async () => {
    const { id } = await integration({ environment: 'live' });
    expect((await refusal(anOrder(id, '1'))).code).toBe('integration_not_found');
  });

  test("a live key's gates", async () => {
    const { id } = await integration({ environment: 'live' });
    const flag = (column: string) =>
      service.db.pool.query(`update account set subscription_active = ${column} where id = $1`, [
        service.company.accountId,
      ]);
    const first = await send(anOrder(id, '1'), service.company.live.key);
    expect(first.body.data.issueInvoiceFromOrder.verifactu.status).toBe('pending');
    await flag('false');
    const refused = await send(anOrder(id, '2'), service.company.live.key);
    expect(refused.body.errors[0].extensions.code).toBe('no_active_subscription');
    const again = await send(anOrder(id, '1'), service.company.live.key);
    expect(again.body.data.issueInvoiceFromOrder.id).toBe(first.body.data.issueInvoiceFromOrder.id);
    await flag('true');
  });
});

describe('a rectificativa of an order-linked invoice', () => {
  const credit = (invoice_id: string, parts: object = {}) => ({
    type: 'simplified',
    line_items: [aLine({ quantity: 1, unit_amount: -100 })],
    rectifies: { invoice_id, method: 'differences' },
    ...parts,
  });

  test('takes the rectifying series of the integration, and belongs to its customer', async () => {
    const { id } = await integration({ rectifyingSeriesId: await series('CRED', 'rectifying') });
    const original = await issued(anOrder(id, 'o-1'));
    const { status, body } = await service.call('POST', '/v1/invoices', { body: credit(original.id) });
    expect(status).toBe(201);
    expect(body).toMatchObject({ number: 'CRED-1', external_customer_id: 'c-1' });
    const second = await service.call('POST', '/v1/invoices', { body: credit(body.id) });
    expect(second.body.number).toBe('CRED-2');
    expect((await issued(anOrder(id, 'o-1'))).id).toBe(original.id);
  });

  test('takes the default when the integration has none', async () => {
    const { id } = await integration();
    const original = await issued(anOrder(id, 'o-1'));
    const { body } = await service.call('POST', '/v1/invoices', { body: credit(original.id) });
    expect(body.number).toMatch(/^R-\d{4}-\d+$/);
  });

  test('may not name a series, not even the correct one', async () => {
    const rectifyingSeriesId = await series('CRED2', 'rectifying');
    const { id } = await integration({ rectifyingSeriesId });
    const original = await issued(anOrder(id, 'o-1'));
    for (const number_series_id of [rectifyingSeriesId, service.company.test.rectifyingSeriesId]) {
      const body = credit(original.id, { number_series_id });
      const { status, body: answer } = await service.call('POST', '/v1/invoices', { body });
      expect({ status, code: answer.code }).toEqual({
        status: 422,
        code: 'num_series_not_applicable_for_order_invoice',
      });
    }
    const ordinary = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice() });
    const free = credit(ordinary.body.id, { type: 'complete', number_series_id: rectifyingSeriesId });
    expect((await service.call('POST', '/v1/invoices', { body: free })).body.number).toBe('CRED2-1');
  });
});
