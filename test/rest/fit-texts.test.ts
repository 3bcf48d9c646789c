import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '10000' });
});
afterAll(() => service.close());

const RECIPIENT = aCompleteInvoice().recipient;
const SENT = 'Caf\u202ee\u0301\u200b\tLuna\u2069';
const FIT = 'Café Luna';
const hostile = () =>
  aCompleteInvoice({
    recipient: { ...RECIPIENT, name: SENT, address: { ...RECIPIENT.address, line1: SENT, city: SENT } },
    line_items: [aLine({ description: SENT, sku: SENT })],
    notes: `${SENT}\n${SENT}`,
    references: { purchase_order: SENT },
    payment: { means: 'cash', reference: SENT, terms: SENT },
  });

describe.each(PROTOCOLS)('over %s', (protocol) => {
  let operations: Operations;
  beforeAll(() => {
    operations = operationsOf(service, protocol);
  });

  test('what is sealed, sent to the agency and answered is one text, which can be seen', async () => {
    const { status, body } = await operations.issue(hostile());
    expect(status).toBe(201);
    const { body: read } = await service.call(
      'GET',
      `/v1/invoices/${body.id}?expand[]=notes&expand[]=records`,
    );
    expect(read).toMatchObject({
      recipient_name: FIT,
      recipient: { name: FIT, address: { line1: FIT, city: FIT } },
      line_items: [{ description: FIT, sku: FIT }],
      notes: 'Café\tLuna\nCafé\tLuna',
      references: { purchase_order: FIT },
      payment: { reference: FIT, terms: FIT },
    });
    const { body: inside } = await service.graphql(`{ invoice(id: "${body.id}") { records { xml } } }`);
    const { xml } = inside.data.invoice.records[0];
    expect(xml).toContain(`<sf:NombreRazon>${FIT}</sf:NombreRazon>`);
    expect(xml).not.toMatch(/\p{Cf}/u);
    expect(await verifyEnvironment(service.db.pool, service.company.test.environmentId)).toMatchObject({
      findings: [],
    });
  });

  test('who restates the same recipient restates it in the same letters', async () => {
    const { body } = await operations.issue(aCompleteInvoice({ recipient: { ...RECIPIENT, name: FIT } }));
    const rectifies = { invoice_id: body.id, method: 'substitution' };
    const recipient = { ...RECIPIENT, name: SENT };
    expect(await operations.issue(aCompleteInvoice({ rectifies, recipient }))).toMatchObject({
      status: 201,
    });
    const { body: found } = await service.graphql(
      `query ($filter: InvoiceFilter) { invoices(filter: $filter) { edges { node { recipient { name } } } } }`,
      { filter: { recipientName: 'ca\u200bfé lu\u00adna' } },
    );
    expect(found.errors).toBeUndefined();
    const names = found.data.invoices.edges.map(
      ({ node }: { node: { recipient: { name: string } } }) => node.recipient.name,
    );
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names)).toEqual(new Set([FIT]));
  });

  test('an empty text is none where there may be none, and 400 elsewhere', async () => {
    const { body } = await operations.issue(
      aCompleteInvoice({
        recipient: {
          ...{ ...RECIPIENT, company_name: '', email: '' },
          address: { ...RECIPIENT.address, line2: '' },
        },
        line_items: [aLine({ sku: '' })],
        ...{ notes: '', payment: { means: 'cash', reference: '' } },
        disbursements: [{ description: 'Tasa', amount: 100, reference: '' }],
      }),
    );
    const { body: read } = await service.call('GET', `/v1/invoices/${body.id}?expand[]=notes`);
    expect(read).toMatchObject({
      ...{ email: null, notes: null, line_items: [{ sku: null }], payment: { means: 'cash' } },
      recipient: { company_name: null, email: null, address: { line2: null } },
      disbursements: [{ description: 'Tasa', amount: 100 }],
    });
    expect(read.payment).not.toHaveProperty('reference');
    for (const [field, parts] of [
      ['recipient.name', { recipient: { ...RECIPIENT, name: '' } }],
      ['line_items[0].description', { line_items: [aLine({ description: '' })] }],
      ['payment.terms', { payment: { means: 'cash', terms: '' } }],
      ['external_id', { external_id: '' }],
    ] as const) {
      expect(await operations.issue(aCompleteInvoice(parts))).toMatchObject({
        ...{ status: 400, faults: [`${field} too_small`] },
      });
    }
  });

  test('nothing remains of a name that cannot be seen', async () => {
    for (const text of ['\u200b\u2060', '\u202e', '\u3164', '\t\n']) {
      const fields = { line_items: [aLine({ description: text })] };
      expect(await operations.issue(aSimplifiedInvoice(fields))).toMatchObject({
        ...{ status: 400, faults: ['line_items[0].description too_small'] },
      });
    }
  });

  test('keys stay as they are, so that none becomes another', async () => {
    const keys = ['k', 'k\u200b', '\u202ek', 'k\u00ad'].map((key) => `${key} ${protocol}`);
    for (const external_id of keys) {
      const { status, body } = await operations.issue(aSimplifiedInvoice({ external_id }));
      expect([status, body.external_id]).toEqual([201, external_id]);
    }
    const query = new URLSearchParams({ external_id: keys[1]! });
    expect((await service.call('GET', `/v1/invoices?${query}`)).body.data).toHaveLength(1);
  });

  describe('a tax id', () => {
    const withId = (fields: object) =>
      operations.issue(aCompleteInvoice({ recipient: { ...RECIPIENT, ...fields } }));

    test.each([
      ['of full width', '１２３４５６７８ｚ', '12345678Z'],
      ['with what cannot be seen', '\u202a12345678\u200b-Z\u2069', '12345678Z'],
    ])('%s is read as it is meant', async (_what, tax_id, meant) => {
      const { status, body } = await withId({ tax_id });
      expect(status).toBe(201);
      expect((await service.call('GET', `/v1/invoices/${body.id}`)).body.recipient_tax_id).toBe(meant);
      const checked = await operations.validateTaxId({ tax_id });
      expect(checked.body).toMatchObject({ valid: true });
    });

    const abroad = { tax_id_country: 'RU' };
    test.each([
      ['a passport in Cyrillic', { tax_id: 'АВ123456', tax_id_type: 'passport', ...abroad }],
      ['another id in Greek', { tax_id: 'Χ123456', tax_id_type: 'other', tax_id_country: 'CY' }],
      [
        'an official document with accents',
        { tax_id: 'ÁB123456', tax_id_type: 'official_document', ...abroad },
      ],
      ['Arabic figures', { tax_id: '١٢٣٤٥٦', tax_id_type: 'residence_certificate', ...abroad }],
      ['what would be a letter in upper case', { tax_id: 'Aı123456', tax_id_type: 'passport', ...abroad }],
      ['a NIF with a Cyrillic letter', { tax_id: 'Х1234567L' }],
      ['a VAT number with a Greek letter', { tax_id: 'ΑTU12345678', tax_id_type: 'eu_vat' }],
    ])('%s is refused: invalid_tax_id', async (_what, fields) => {
      const refused = await withId(fields);
      expect(refused).toMatchObject({
        ...{ status: 422, code: 'invalid_tax_id', faults: ['recipient.tax_id invalid_tax_id'] },
      });
      expect(refused.detail).toMatch(/\(U\+[0-9A-F]{4}\)/);
      expect((await operations.validateTaxId(fields)).body).toMatchObject({ valid: false, reason: 'format' });
    });
  });
});

test('an empty text removes what is kept of a customer', async () => {
  const path = '/v1/customers/shop-1';
  const kept = { name: 'Ana', company_name: 'Ana SL', email: 'ana@example.com' };
  expect((await service.call('PUT', path, { body: kept })).body).toMatchObject(kept);
  const { status, body } = await service.call('PUT', path, {
    body: { ...kept, company_name: '', email: '' },
  });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { name: 'Ana', company_name: null, email: null },
  });
  expect((await service.call('PUT', path, { body: { name: '' } })).status).toBe(400);
});
