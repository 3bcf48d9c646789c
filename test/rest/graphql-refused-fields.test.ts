import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { Shares } from '../../src/subjects/accounts/entry/shares.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** The fields that refusals name over GraphQL, for a page that shows each beside its input, and what is answered beside them. */

let service: TestService;
let invoice: { readonly id: string };
beforeAll(async () => {
  service = await testService();
  invoice = (await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() })).body;
});
afterAll(() => service.close());

const LINE = { description: 'Café', quantity: 1, unitAmount: 100, taxItems: [{ type: 'vat', rate: 21 }] };
const TICKET = { type: 'simplified', lineItems: [LINE] };
const ISSUE = 'mutation ($input: IssueInvoiceInput!) { issueInvoice(input: $input) { id } }';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
const issuing = (input: object): Promise<any> => service.graphql(ISSUE, { input });

describe('a refusal names its fields from the arguments on', () => {
  const withTax = (tax: object) => ({ ...TICKET, lineItems: [LINE, { ...LINE, taxItems: [tax] }] });
  const BELOW_MINIMUM = { name: 'X', taxId: 'B72877814', address: {} };

  test.each([
    [{ ...TICKET, lineItems: [] }, 'invalid_request', 'input.lineItems'],
    [{ ...TICKET, lineItems: [{ ...LINE, quantity: 0 }] }, 'invalid_request', 'input.lineItems[0].quantity'],
    [withTax({ type: 'vat', rate: 7 }), 'invalid_tax_rate', 'input.lineItems[1].taxItems[0].rate'],
    [{ ...TICKET, numberSeriesId: 'ns_none' }, 'invalid_number_series', 'input.numberSeriesId'],
    [
      { ...TICKET, rectifies: { method: 'differences', invoiceId: 'inv_none' } },
      'rectified_invoice_not_found',
      'input.rectifies.invoiceId',
    ],
    [
      { ...TICKET, type: 'complete', recipient: BELOW_MINIMUM },
      'invalid_request',
      'input.recipient.address.line1',
    ],
  ])('%#: %j', async (input, code, field) => {
    const { body } = await issuing(input);
    const { message, extensions } = body.errors[0];
    expect({ code: extensions.code, field: extensions.errors[0].field }).toEqual({ code, field });
    if (code === 'invalid_request') expect(message).toBe(`${field} ${extensions.errors[0].message}.`);
  });

  test('of a query, and of single arguments', async () => {
    const fieldOf = async (query: string) =>
      (await service.graphql(query)).body.errors[0].extensions.errors[0].field;
    expect(await fieldOf('{ validateInvoice(input: { type: simplified, lineItems: [] }) { total } }')).toBe(
      'input.lineItems',
    );
    expect(await fieldOf('mutation { voidInvoice(invoiceId: "inv_x", reason: "") { id } }')).toBe('reason');
    expect(await fieldOf('{ other: invoices(filter: { number: "" }) { totalCount } }')).toBe('filter.number');
  });

  const LINES = JSON.stringify([LINE])
    .replace(/"(\w+)":/g, '$1:')
    .replace('"vat"', 'vat');
  const ADDRESS = '{ line1: "a", postalCode: "28001", city: "b" }';

  /** Of inputs that contain others, and of arguments beside them; `ID` is an invoice, `NAMED` a company's environment. */
  const REFUSED: [call: string, field: string][] = [
    ['recordPayment(input: { invoiceId: ID, amount: 0, paidOn: "2026-01-01" })', 'input.amount'],
    ['recordPayment(input: { invoiceId: ID, amount: 1, paidOn: "2099-01-01" })', 'input.paidOn'],
    [
      'recordRecipientStatus(input: { invoiceId: ID, status: rejected, on: "2026-01-01" })',
      'input.statusReason',
    ],
    ['sendInvoice(input: { invoiceId: ID, to: ["ana@example.com", "nobody"] })', 'input.to[1]'],
    ['updateInvoiceMetadata(id: ID, metadata: { shelf: 3 })', 'metadata'],
    [
      'createInvoiceDraft(input: { invoice: { recipient: { address: { country: "" } } }, dueInDays: 400 })',
      'input.dueInDays',
    ],
    [
      `createInvoiceSchedule(input: { invoice: { type: simplified, lineItems: ${LINES} }, frequency: monthly, startsOn: "2020-01-01" })`,
      'input.startsOn',
    ],
    [`createInvoiceBatch(invoices: [{ type: simplified, lineItems: ${LINES} }])`, 'invoices[0].externalId'],
    [
      `createInvoiceBatch(invoices: [{ type: simplified, externalId: "b", lineItems: ${LINES} }, { type: simplified, externalId: "b", lineItems: [] }])`,
      'invoices[1].externalId',
    ],
    ['createNumberSeries(input: { prefix: "", type: standard })', 'input.prefix'],
    ['createWebhookEndpoint(input: { url: "ftp://example.com", eventTypes: ["*"] })', 'input.url'],
    [
      'createWebhookEndpoint(input: { url: "https://example.com", eventTypes: ["*", "none"] })',
      'input.eventTypes[1]',
    ],
    ['replayWebhookEvents(id: "whe_1", fromSequence: 0)', 'fromSequence'],
    ['setEmailSettings(input: { reminderDays: [3, 0] })', 'input.reminderDays[1]'],
    ['setAllowedOrigins(origins: ["https://app.example.com", "nowhere"])', 'origins[1]'],
    ['publishDocuments(documents: ["{ viewer { kind } }", "{ nobody }"])', 'documents[1]'],
    ['setCompanyBranding(input: { accentColour: "red", reason: "r" })', 'input.accentColour'],
    ['createAccessToken(scopes: [read], ttlSeconds: 0)', 'ttlSeconds'],
    ['advanceTestClock(advance: "tomorrow")', 'advance'],
    [
      'createCustomerPortalSession(input: { externalCustomerId: "c", returnUrl: "ftp://x" })',
      'input.returnUrl',
    ],
    [
      `issueInvoiceFromOrder(input: { integrationId: "int_1", orderId: "o", customer: { externalCustomerId: "" }, type: simplified, lineItems: ${LINES} })`,
      'input.customer.externalCustomerId',
    ],
    ['exchangeInvoices(input: { ticketIds: [], recipient: {} })', 'input.ticketIds'],
    ['amendRecord(input: { invoiceId: ID, reason: "" })', 'input.reason'],
    [
      'saveCustomer(input: { NAMED, integrationId: "int_1", externalCustomerId: "c", email: "nobody", reason: "r" })',
      'input.email',
    ],
    ['createIntegration(input: { NAMED, name: "" })', 'input.name'],
    [
      `createCompany(input: { nif: "A58818501", legalName: "Otra", reason: "r", address: ${ADDRESS.replace('"a"', '""')} })`,
      'input.address.line1',
    ],
    [
      `createCompany(input: { nif: "B72877814", legalName: "Otra", reason: "r", address: ${ADDRESS} })`,
      'input.nif',
    ],
    ['createKey(NAMED, name: "n", expiresAt: "2020-01-01T00:00:00Z", reason: "r")', 'expiresAt'],
    ['uploadCertificate(input: { pkcs12Base64: "?", reason: "r" })', 'input.pkcs12Base64'],
  ];

  test.each(REFUSED)('of %s', async (call, field) => {
    const { companyId } = service.company;
    const { id } = (await issuing(TICKET)).body.data.issueInvoice;
    const named = `companyId: "${companyId}", environment: test`;
    const text = call.replace('ID', `"${id}"`).replace('NAMED', named);
    const isOfOperators = /^(saveCustomer|createIntegration|createCompany|createKey|uploadCertificate)/.test(
      call,
    );
    const { key } = isOfOperators ? await createOperatorKey(service.db.pool, 'Ada') : service.company.test;
    const { body } = await service.graphql(`mutation { ${text} { __typename } }`, {}, { key });
    expect(body.errors[0].extensions.errors.map((issue: { field: string }) => issue.field)).toContain(field);
  });

  test('and REST its own in snake_case', async () => {
    const line = { description: 'x', quantity: 1, unit_amount: 100, tax_items: [{ type: 'vat', rate: 7 }] };
    const { body } = await service.call('POST', '/v1/invoices', {
      body: { type: 'simplified', line_items: [line] },
    });
    expect(body.errors[0].field).toBe('line_items[0].tax_items[0].rate');
  });
});

describe('what GraphQL itself refuses names its field, and not its value', () => {
  const SECRET = 4_815_162_342;
  const REFUSED: [input: object, field: string, code: string][] = [
    [
      { ...TICKET, lineItems: [{ ...LINE, quantity: 'SECRET' }] },
      'input.lineItems[0].quantity',
      'invalid_type',
    ],
    [
      { ...TICKET, lineItems: [LINE, { ...LINE, taxItems: [{ type: 'SECRET', rate: 21 }] }] },
      'input.lineItems[1].taxItems[0].type',
      'invalid_value',
    ],
    [
      { ...TICKET, lineItems: { ...LINE, taxItems: { type: 'vat', rate: 'SECRET' } } },
      'input.lineItems.taxItems.rate',
      'invalid_type',
    ],
    [{ ...TICKET, externalId: SECRET }, 'input.externalId', 'invalid_type'],
    [{ ...TICKET, recipient: 'SECRET' }, 'input.recipient', 'invalid_type'],
    [{ ...TICKET, dueDate: SECRET }, 'input.dueDate', 'invalid_type'],
    [
      { ...TICKET, lineItems: [{ ...LINE, unitAmount: 0.5 }] },
      'input.lineItems[0].unitAmount',
      'invalid_type',
    ],
    [
      { ...TICKET, lineItems: [{ ...LINE, description: null }] },
      'input.lineItems[0].description',
      'required',
    ],
    [{ ...TICKET, lineItems: [{ quantity: 1, taxItems: [] }] }, 'input.lineItems[0].description', 'required'],
    [
      { ...TICKET, lineItems: [{ ...LINE, colour: SECRET }] },
      'input.lineItems[0].colour',
      'unrecognized_field',
    ],
    [{ lineItems: [LINE] }, 'input.type', 'required'],
  ];
  /** As it is written in a document. */
  const literal = (input: object) =>
    JSON.stringify(input)
      .replace(/"(\w+)":/g, '$1:')
      .replace(/type:"(\w+)"/g, 'type:$1');

  test.each(REFUSED)('%j', async (input, field, code) => {
    const written = `mutation { other: issueInvoice(input: ${literal(input)}) { id } }`;
    const refusals = [
      await issuing(input),
      // The second time the document has a plan.
      await issuing(input),
      await service.graphql(written),
      // And what was found of it is remembered.
      await service.graphql(written),
    ];
    for (const { body } of refusals) {
      expect(body.errors).toHaveLength(1);
      const [{ message, extensions }] = body.errors;
      expect(extensions).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
      expect(message).toBe(`${field}: ${extensions.errors[0].message}`);
      expect(JSON.stringify(body)).not.toMatch(/SECRET|4815162342/);
    }
  });

  test.each([
    ['query ($id: ID!) { invoice(id: $id) { id } }', {}, 'id'],
    [
      'query ($name: [String!]!) { viewer { kind } ...page } fragment page on Query { invoices(filter: { recipientTaxIds: $name, number: "1" }) { totalCount } }',
      { name: [1] },
      'filter.recipientTaxIds[0]',
    ],
    ['query ($all: Boolean!) { viewer { kind @include(if: $all) } }', { all: 'yes' }, '@include.if'],
    ['{ viewer { kind @include(if: "yes") } }', {}, '@include.if'],
    ['query ($first: Int = "x") { invoices(first: $first) { totalCount } }', {}, '$first'],
    ['{ invoices(filter: { issuedOn: { from: 2026 } }) { totalCount } }', {}, 'filter.issuedOn.from'],
    ['{ invoice { id } }', {}, 'id'],
  ])('wherever it stands: %s', async (query, variables, field) => {
    const { body } = await service.graphql(query, variables);
    expect(body.errors.map((error: Answered) => error.extensions.errors[0].field)).toEqual([field]);
  });
});

type Answered = { readonly extensions: { readonly errors: readonly [{ readonly field: string }] } };

describe('a refusal is null at its own path', () => {
  const pathsOf = ({ errors }: { errors: { path: string[] }[] }) => errors.map(({ path }) => path.join('.'));

  test.each([
    ['query', 'none: invoice(id: "inv_none") { id }', { none: null }, ['none']],
    ['page', 'wrong: invoices(after: "x") { totalCount }', { wrong: null }, ['wrong']],
    ['permission', 'operations { documents { waiting } }', { operations: null }, ['operations']],
    [
      'page below an object',
      'viewer { kind } invoices(first: 1) { edges { node { status emails(after: "x,") { totalCount } } } }',
      {
        viewer: { kind: 'merchant' },
        invoices: { edges: [{ node: { status: 'issued', emails: null } }] },
      },
      ['invoices.edges.0.node.emails'],
    ],
    [
      'list below an object',
      'viewer { kind company { legalName environments { totalCount } } }',
      { viewer: { kind: 'merchant', company: { legalName: expect.any(String), environments: null } } },
      ['viewer.company.environments'],
    ],
  ])('of a %s, and its siblings are answered', async (_what, field, data, paths) => {
    const { body } = await service.graphql(`{ ${field} one: invoice(id: "${invoice.id}") { id } }`);
    expect(body.data).toEqual({ ...data, one: { id: invoice.id } });
    expect(pathsOf(body)).toEqual(paths);
  });

  test('of a count, and the page is answered', async () => {
    // One search is left, and none is added while the clock stands.
    const shares = new Shares({ searching: { perSecond: 1, saved: 1 } });
    clock.freeze(new Date());
    const exhausted = await testService({}, { beside: service, shares });
    // Who is alone is not refused.
    await exhausted.graphql(
      '{ invoices(filter: { text: "café" }) { totalCount } }',
      {},
      { key: service.company.live.key },
    );
    const { body } = await exhausted.graphql(
      '{ invoices(filter: { text: "café" }, last: 1) { edges { cursor } totalCount totalCountIsExact } }',
    );
    clock.reset();
    await exhausted.close();
    expect(body.data).toEqual({
      invoices: { edges: [expect.anything()], totalCount: null, totalCountIsExact: null },
    });
    expect(pathsOf(body)).toEqual(['invoices.totalCount', 'invoices.totalCountIsExact']);
    expect(body.errors[0].extensions.code).toBe('rate_limited');
  });

  test('of a mutation, and those beside it are executed', async () => {
    const of = (id: string, shelf: string) =>
      `updateInvoiceMetadata(id: "${id}", metadata: { shelf: "${shelf}" })`;
    const { body } = await service.graphql(
      `mutation { none: ${of('inv_none', '1')} { id } one: ${of(invoice.id, '2')} { metadata } }`,
    );
    expect(body.data).toEqual({ none: null, one: { metadata: { shelf: '2' } } });
    expect(pathsOf(body)).toEqual(['none']);
  });
});
