import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pdfLinkEnd } from '../../src/faces/graphql/shown-invoice.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';

/** What mutations answer over GraphQL: once for a key, and everything that they changed. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const LINE = { description: 'Café', quantity: 1, unitAmount: 100, taxItems: [{ type: 'vat', rate: 21 }] };
const TICKET = { type: 'simplified', lineItems: [LINE] };
const ISSUE = `mutation ($input: IssueInvoiceInput!, $key: String) {
  issueInvoice(input: $input, idempotencyKey: $key) { id number total } }`;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
const issuing = async (input: object, headers: Record<string, string> = {}, key?: string): Promise<any> =>
  service.graphql(ISSUE, { input, key }, { headers });

describe('the header Idempotency-Key', () => {
  test('issues once, whether it or the argument is sent again', async () => {
    const key = randomUUID();
    const first = await issuing(TICKET, { 'Idempotency-Key': key });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    for (const again of [
      await issuing(TICKET, { 'Idempotency-Key': key }),
      await issuing(TICKET, {}, key),
      await issuing(TICKET, { 'Idempotency-Key': key }, key),
    ]) {
      expect(again.body.data).toEqual(first.body.data);
      expect(again.body.extensions).toEqual({ idempotentReplayed: true });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    const rest = await service.call('POST', '/v1/invoices', {
      headers: { 'Idempotency-Key': key },
      body: {
        type: 'simplified',
        line_items: [
          { description: 'Café', quantity: 1, unit_amount: 100, tax_items: [{ type: 'vat', rate: 21 }] },
        ],
      },
    });
    expect(rest.body.id).toBe(first.body.data.issueInvoice.id);
  });

  test('makes a series once', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const create = async () =>
      (
        await service.graphql(
          'mutation { createNumberSeries(input: { prefix: "WEB", type: standard }) { id } }',
          {},
          { headers },
        )
      ).body.data.createNumberSeries.id;
    expect(await create()).toBe(await create());
  });

  test('with another request is a conflict that names it', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    await issuing(TICKET, headers);
    const { body } = await issuing({ ...TICKET, notes: 'another' }, headers);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'idempotency_conflict',
      errors: [{ field: 'Idempotency-Key' }],
    });
  });

  test.each([
    ['two mutations', 'mutation { a: issueInvoice(input: $I) { id } b: issueInvoice(input: $I) { id } }'],
    [
      'two mutations in fragments',
      'mutation { ...f a: issueInvoice(input: $I) { id } } fragment f on Mutation { b: issueInvoice(input: $I) { id } }',
    ],
  ])('is not for %s', async (_what, query) => {
    const input =
      '{ type: simplified, lineItems: [{ description: "x", quantity: 1, unitAmount: 100, taxItems: [{ type: vat, rate: 21 }] }] }';
    const count = async () =>
      (await service.graphql('{ invoices { totalCount } }')).body.data.invoices.totalCount;
    const before = await count();
    const { body } = await service.graphql(
      query.replaceAll('$I', input),
      {},
      { headers: { 'Idempotency-Key': 'k' } },
    );
    expect(body.errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'Idempotency-Key' }],
    });
    expect(await count()).toBe(before);
  });

  test.each([
    [{ 'Idempotency-Key': 'x'.repeat(256) }, undefined],
    [{ 'Idempotency-Key': 'one' }, 'another'],
  ])('that is none, or differs from the argument, is refused: %#', async (headers, key) => {
    const { body } = await issuing(TICKET, headers, key);
    expect(body.errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'Idempotency-Key' }],
    });
  });

  test.each([
    'mutation { createNumberSeries(input: { prefix: "X", type: standard }, idempotencyKey: 5) { id } }',
    'mutation ($key: String) { createNumberSeries(input: { prefix: "X", type: standard }, idempotencyKey: $key) { id } }',
  ])('is not what a faulty argument is named after: %s', async (query) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const { body } = await service.graphql(query, { key: 5 }, { headers });
    expect(body.errors[0].extensions.errors).toMatchObject([
      { field: 'idempotencyKey', code: 'invalid_type' },
    ]);
  });

  test('has no effect on a query', async () => {
    const { body } = await service.graphql(
      '{ viewer { kind } }',
      {},
      { headers: { 'Idempotency-Key': 'k' } },
    );
    expect(body.data.viewer.kind).toBe('merchant');
  });
});

describe('a mutation answers everything that it changed, so that caches are right', () => {
  const BESIDE =
    'id status updatedAt rectifiedBy { id } exchangedBy { id } family { head { id } inForceTotal }';
  const answerTo = async (query: string, variables: object, key?: string) => {
    const { body } = await service.graphql(query, variables, key === undefined ? {} : { key });
    expect(body.errors).toBeUndefined();
    return body.data.done;
  };
  const ISSUING = `mutation ($input: IssueInvoiceInput!) {
    done: issueInvoice(input: $input) { id pdfUrl rectifies { invoice { ${BESIDE} } } ${BESIDE} } }`;
  const VOIDING = `mutation ($id: ID!) {
    done: voidInvoice(invoiceId: $id, reason: "mistake") { rectifies { invoice { ${BESIDE} } } exchanges { ${BESIDE} } ${BESIDE} } }`;
  const readAgain = (id: string) =>
    answerTo(`query ($id: ID!) { done: invoice(id: $id) { ${BESIDE} } }`, { id });

  test('rectifying gives the original with what corrects it, voiding that gives it back', async () => {
    const original = await answerTo(ISSUING, { input: TICKET });
    const credit = { ...LINE, unitAmount: -50 };
    const rectifies = { invoiceId: original.id, method: 'differences' };
    const correction = await answerTo(ISSUING, { input: { ...TICKET, lineItems: [credit], rectifies } });
    const [corrected] = correction.rectifies.map(({ invoice }: { invoice: object }) => invoice);
    expect(corrected).toMatchObject({
      id: original.id,
      rectifiedBy: [{ id: correction.id }],
      family: { head: { id: correction.id } },
    });
    expect(corrected).toEqual(await readAgain(original.id));
    const voided = await answerTo(VOIDING, { id: correction.id });
    expect(voided).toMatchObject({ id: correction.id, status: 'voided' });
    const [restored] = voided.rectifies.map(({ invoice }: { invoice: object }) => invoice);
    expect(restored).toMatchObject({ rectifiedBy: [], family: { head: { id: original.id } } });
    expect(restored).toEqual(await readAgain(original.id));
  });

  test('exchanging returns the tickets with the invoice that replaces them', async () => {
    const tickets = [await answerTo(ISSUING, { input: TICKET }), await answerTo(ISSUING, { input: TICKET })];
    const recipient = {
      name: 'Ana García',
      taxId: '12345678Z',
      address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
    };
    const exchange = await answerTo(
      `mutation ($input: ExchangeInvoicesInput!) { done: exchangeInvoices(input: $input) { id exchanges { ${BESIDE} } } }`,
      { input: { ticketIds: tickets.map(({ id }) => id), recipient } },
    );
    expect(exchange.exchanges.map((ticket: { exchangedBy: object }) => ticket.exchangedBy)).toEqual([
      { id: exchange.id },
      { id: exchange.id },
    ]);
    expect(exchange.exchanges[0]).toEqual(await readAgain(tickets[0].id));
  });

  const READ_NODE = (type: string, field: string) =>
    `query ($id: ID!) { done: node(id: $id) { __typename id ... on ${type} { ${field} } } }`;

  test.each([
    ['setAllowedOrigins(origins: ["https://app.example.com"])', 'origins'],
    ['setEmailSettings(input: { senderName: "Ana" })', 'senderName'],
    ['publishDocuments(documents: ["{ viewer { kind } }"])', 'count'],
    ['requireTrustedDocuments(only: false)', 'only'],
    ['removeTestClock', 'status'],
  ])('%s: what the environment has one of, under an id that only it finds', async (mutation, field) => {
    const changed = await answerTo(`mutation { done: ${mutation} { __typename id ${field} } }`, {});
    const read = READ_NODE(changed.__typename, field);
    expect(await answerTo(read, { id: changed.id })).toEqual(changed);
    const { key: operator } = await createOperatorKey(service.db.pool, 'Ada');
    expect(await answerTo(read, { id: changed.id }, operator)).toEqual(changed);
    const { key } = service.company.live;
    const unknown = { data: { done: null }, errors: [{ extensions: { code: 'not_found' } }] };
    expect((await service.graphql(read, { id: changed.id }, { key })).body).toMatchObject(unknown);
    const none = changed.id.replace(/\d+$/, '999999999');
    expect((await service.graphql(read, { id: none }, { key: operator })).body).toMatchObject(unknown);
  });

  test('the branding of an environment and the tax catalog of a company, under ids that only they and operators find', async () => {
    const { companyId } = service.company;
    const branding = await answerTo(
      'mutation { done: setCompanyBranding(input: { accentColour: "#102030", reason: "r" }) { __typename id accentColour } }',
      {},
    );
    const ofBranding = READ_NODE(branding.__typename, 'accentColour');
    expect(await answerTo(ofBranding, { id: branding.id })).toEqual(branding);
    const unknown = { data: { done: null }, errors: [{ extensions: { code: 'not_found' } }] };
    const other = await createCompany(service.db, { nif: companyNif(700) });
    const foreign = { id: `brd_${other.test.environmentId}` };
    expect((await service.graphql(ofBranding, foreign)).body).toMatchObject(unknown);
    const { key: operator } = await createOperatorKey(service.db.pool, 'Ada');
    expect(await answerTo(ofBranding, foreign, operator)).toMatchObject(foreign);

    const row = await answerTo(
      `mutation ($input: TaxCatalogRowInput!) { done: setTaxCatalogRow(input: $input) { __typename id label } }`,
      {
        input: {
          ...{ companyId, taxType: 'vat', agencyTax: 'vat', regimeKey: '01', operationClass: 'S1' },
          ...{ label: 'IVA general', reason: 'r' },
        },
      },
      operator,
    );
    const ofRow = READ_NODE(row.__typename, 'label');
    expect(await answerTo(ofRow, { id: row.id }, operator)).toEqual(row);
    const { taxCatalog } = (
      await service.graphql(`{ taxCatalog(companyId: "${companyId}") { id label } }`, {}, { key: operator })
    ).body.data;
    expect(taxCatalog).toContainEqual({ id: row.id, label: 'IVA general' });
    expect(await answerTo(ofRow, { id: row.id })).toEqual(row);
    expect((await service.graphql(ofRow, { id: row.id }, { key: other.test.key })).body).toMatchObject(
      unknown,
    );
    for (const id of [`${row.id}x`, 'tcr_', 'tcr_x_vat'])
      expect((await service.graphql(ofRow, { id }, { key: operator })).body).toMatchObject(unknown);
  });

  test('a draft that is issued, with its invoice', async () => {
    const FIELDS = 'id status invoiceId issuedInvoice { id number draft { id } }';
    const draft = await answerTo(
      `mutation ($input: CreateInvoiceDraftInput!) { done: createInvoiceDraft(input: $input) { ${FIELDS} } }`,
      { input: { invoice: TICKET } },
    );
    expect(draft).toMatchObject({ status: 'open', issuedInvoice: null });
    const invoice = await answerTo(
      `mutation ($id: ID!) { done: issueInvoiceDraft(id: $id) { id number draft { ${FIELDS} } } }`,
      { id: draft.id },
    );
    const { id, number } = invoice;
    const issued = { id, number, draft: { id: draft.id } };
    expect(invoice.draft).toEqual({ id: draft.id, status: 'issued', invoiceId: id, issuedInvoice: issued });
    expect(await answerTo(READ_NODE('InvoiceDraft', FIELDS), { id: draft.id })).toMatchObject(invoice.draft);
    const plain = await answerTo(ISSUING, { input: TICKET });
    expect(
      await answerTo('query ($id: ID!) { done: invoice(id: $id) { draft { id } } }', { id: plain.id }),
    ).toEqual({
      draft: null,
    });
  });

  test('a series that is deleted, and a key that is made', async () => {
    const series = await answerTo(
      'mutation { done: createNumberSeries(input: { prefix: "GONE", type: standard }) { id prefix } }',
      {},
    );
    const deleted = await answerTo(
      'mutation ($id: ID!) { done: deleteNumberSeries(id: $id) { id prefix } }',
      {
        id: series.id,
      },
    );
    expect(deleted).toEqual(series);
    const { key } = await createOperatorKey(service.db.pool, 'Ada');
    const made = await answerTo(
      `mutation ($id: ID!) { done: createKey(companyId: $id, environment: test, name: "n", reason: "r") {
        id apiKey { id name environment } } }`,
      { id: service.company.companyId },
      key,
    );
    expect(made.apiKey).toEqual({ id: made.id, name: 'n', environment: 'test' });
  });
});

test('a link to a document stays the same until it has an hour left', () => {
  const HOUR = 60 * 60 * 1_000;
  const PERIOD = 47 * HOUR;
  const start = 1_000 * PERIOD;
  const ends = [0, 1, 46 * HOUR, PERIOD - 1].map((later) => pdfLinkEnd(start + later, true).getTime());
  expect(new Set(ends)).toEqual(new Set([start + 48 * HOUR]));
  expect(pdfLinkEnd(start + PERIOD, true).getTime()).toBe(start + PERIOD + 48 * HOUR);
  // REST's is good for the contract's 48 hours from now on.
  expect(pdfLinkEnd(start + 5, false).getTime()).toBe(start + 5 + 48 * HOUR);
});
