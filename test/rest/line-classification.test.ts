import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentFor } from '../../src/subjects/documents/document.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { saveCatalogRow } from '../../src/subjects/taxes/edit-catalog.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { createCompany } from '../support/invoices/company.ts';
import { ANA, xmlOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '10000' });
});
afterAll(() => service.close());

const line = (description: string, unit_amount: number, tax: object) =>
  aLine({ description, quantity: 1, unit_amount, tax_items: [tax] });
const invoice = (...line_items: object[]) => aCompleteInvoice({ line_items });

/** The details of a record: key, class or cause, rate, base and tax. */
async function detailsOf(id: string): Promise<string[]> {
  const [xml] = await xmlOf(service.db, id);
  return [...xml!.matchAll(/<sf:DetalleDesglose>(.*?)<\/sf:DetalleDesglose>/g)].map(([, detail]) =>
    [...detail!.matchAll(/<sf:\w+>([^<]*)<\/sf:\w+>/g)].map(([, value]) => value).join(' '),
  );
}

async function issue(body: object, key?: string) {
  const answer = await service.call('POST', '/v1/invoices', { body, ...(key === undefined ? {} : { key }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

const abroad = { type: 'es_non_taxable_localization' };
const canaries = { ...abroad, regime_key: '08' };
const lease = { type: 'vat', rate: 21, regime_key: '11' };

test('two treatments of one type stand in one record, each with what the line says', async () => {
  const body = await issue(
    invoice(
      line('Diseño para un cliente suizo', 1_000, abroad),
      line('Obra en Las Palmas', 2_000, canaries),
      line('Alquiler de un local', 3_000, lease),
      line('Limpieza', 4_000, { type: 'vat', rate: 21 }),
      line('Curso', 5_000, { type: 'es_exempt', exemption: 'E1' }),
      line('Depósito aduanero', 6_000, { type: 'es_exempt', exemption: 'E4' }),
      line('Otro curso', 100, { type: 'es_exempt' }),
      line('Envío', 7_000, { type: 'es_exempt', exemption: 'E2', regime_key: '02' }),
    ),
  );
  expect(await detailsOf(body.id)).toEqual([
    '01 01 N2 10.00',
    '01 08 N2 20.00',
    '01 11 S1 21 30.00 6.30',
    '01 01 S1 21 40.00 8.40',
    '01 01 E1 51.00',
    '01 01 E4 60.00',
    '01 02 E2 70.00',
  ]);
  const name = 'No sujeto por reglas de localización';
  expect(body.line_items.map(({ tax_items: [item] }: { tax_items: object[] }) => item).slice(0, 3)).toEqual([
    { ...abroad, name, rate: 0, amount: 0 },
    { ...canaries, name, rate: 0, amount: 0 },
    { ...lease, name: 'IVA 21%', amount: 630 },
  ]);
  const file = await documentFor(service.services, service.company.test.environmentId, body.id);
  const text = tools.textOf((file as { bytes: Buffer }).bytes).replace(/\s+/g, ' ');
  expect(text).toMatch(/Exento \(arts\. 23 y 24 LIVA\) 60,00/);
  expect(text).toMatch(/Exento \(art\. 21 LIVA\) 70,00/);
  for (const mention of [
    'Operación exenta del IVA (arts. 23 y 24 LIVA)',
    'Operación exenta del IVA (art. 20 LIVA)',
  ]) {
    expect(text).toContain(mention);
  }
  const facturae = await service.call('GET', `/v1/invoices/${body.id}/formats/facturae`);
  expect(facturae.body).toContain('arts. 23 y 24 LIVA');
});

test('is answered as it was sent, told apart in the breakdown, and null in GraphQL where nothing was', async () => {
  const body = invoice(line('A', 100, abroad), line('B', 200, canaries), line('C', 300, canaries));
  const { body: dry } = await service.call('POST', '/v1/invoices/validate', { body });
  expect(dry.tax_breakdown).toMatchObject([{ base: 100 }, { base: 500, regime_key: '08' }]);
  expect(Object.keys(dry.tax_breakdown[0])).not.toContain('regime_key');
  const { id } = await issue(body);
  const { body: read } = await service.graphql(`{ invoice(id: "${id}") {
    lineItems { taxItems { regimeKey operationClass exemption } } taxBreakdown { base regimeKey } } }`);
  const said = (regimeKey: string | null) => ({ regimeKey, operationClass: null, exemption: null });
  expect(read.data.invoice).toEqual({
    lineItems: [null, '08', '08'].map((key) => ({ taxItems: [said(key)] })),
    taxBreakdown: [
      { base: 100, regimeKey: null },
      { base: 500, regimeKey: '08' },
    ],
  });
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test.each<[tax: object, field: string, part: string]>([
    [{ type: 'vat', rate: 21, regime_key: '08' }, 'regime_key', 'must be one of'],
    [{ type: 'es_exempt', regime_key: '11' }, 'regime_key', '3.1.3.15.6.8'],
    [{ type: 'es_exempt', exemption: 'E2' }, 'exemption', '3.1.3.15.5'],
    [{ type: 'es_exempt', exemption: 'E5' }, 'exemption', '5.2'],
    [{ type: 'es_exempt', exemption: 'E7' }, 'exemption', '5.2'],
    [{ type: 'es_exempt', regime_key: '19' }, 'regime_key', 'must be one of'],
    [{ type: 'es_exempt', operation_class: 'S1' }, 'operation_class', 'must be one of'],
    [{ type: 'vat', rate: 10, regime_key: '11' }, 'regime_key', '21 %'],
    [{ type: 'vat', rate: 21, regime_key: '03' }, 'regime_key', '/docs/guides/taxes#not-supported'],
    [{ type: 'vat', rate: 21, regime_key: '05' }, 'regime_key', 'LIVA arts. 141 to 147'],
    [{ type: 'vat', rate: 21, regime_key: '06' }, 'regime_key', '#not-supported'],
    [{ type: 'vat', rate: 21, regime_key: '09' }, 'regime_key', '#not-supported'],
    [{ type: 'vat', rate: 21, regime_key: '14' }, 'regime_key', '#not-supported'],
    [{ type: 'other', rate: 3, regime_key: '01' }, 'regime_key', 'must be absent'],
  ])('%j is refused', async (tax, field, part) => {
    const reply = await operationsOf(service, protocol).issue(
      invoice(line('A', 100, abroad), line('B', 1_000, tax)),
    );
    expect(reply).toMatchObject({ status: 422, code: 'invalid_tax_data' });
    expect(reply.detail).toContain(part);
    expect(reply.faults).toEqual([`line_items[1].tax_items[0].${field} invalid_tax_data`]);
  });

  test.each<[what: string, parts: object, fault: string]>([
    ['an operation before 2025', { operation_date: '2024-12-31' }, 'operation_date too_small'],
    ['a list of recipients', { recipient: [abroad, abroad] }, 'recipient invalid_type'],
    ['several recipients', { recipients: [abroad] }, 'recipients unrecognized_field'],
  ])('%s is refused, and the refusal says where the guide says what to do', async (_what, parts, fault) => {
    const reply = await operationsOf(service, protocol).issue({
      ...invoice(line('A', 100, { type: 'vat', rate: 21 })),
      ...parts,
    });
    expect(reply).toMatchObject({ status: 400, code: 'invalid_request', faults: [fault] });
    expect(reply.detail).toContain('/docs/guides/taxes#not-supported');
  });

  test.each([
    ['a key that the agency does not know', { type: 'vat', rate: 21, regime_key: '12' }, 'regime_key'],
    ['a class that it does not know', { type: 'es_exempt', operation_class: 'S3' }, 'operation_class'],
    ['a class and a cause', { type: 'es_exempt', operation_class: 'N1', exemption: 'E1' }, 'exemption'],
  ])('%s is malformed', async (_what, tax, field) => {
    const reply = await operationsOf(service, protocol).validate(invoice(line('A', 100, tax)));
    expect(reply.status).toBe(400);
    expect(reply.faults.join()).toContain(`tax_items[0].${field}`);
  });
});

test('key 10 goes on complete originals to a Spanish NIF, and says so of its line', async () => {
  const collected = line('Derechos de autor', 1_000, { type: 'es_non_taxable', regime_key: '10' });
  const body = await issue(invoice(collected));
  expect(await detailsOf(body.id)).toEqual(['01 10 N1 10.00']);
  const ticket = aSimplifiedInvoice({
    line_items: [line('A', 1, { type: 'es_non_taxable' }), collected],
  });
  const refused = await service.call('POST', '/v1/invoices', { body: ticket });
  expect(refused.body).toMatchObject({ code: 'invalid_tax_data' });
  expect(refused.body.errors[0].field).toBe('line_items[1].tax_items[0].regime_key');
});

test('IGIC E5 goes with key 19, to anybody, under the laws of the Canary Islands', async () => {
  const company = await createCompany(service.db);
  const row = { ...defaultTaxCatalog.get('es_exempt')!, agencyTax: '03' as const, legalMention: null };
  await saveCatalogRow(service.db.pool, company.companyId, row);
  const said = { type: 'es_exempt', exemption: 'E5', regime_key: '19' };
  const body = await issue(
    invoice(line('Bienes de inversión', 1_000, said), line('Clases', 500, { type: 'es_exempt' })),
    company.test.key,
  );
  expect(await detailsOf(body.id)).toEqual(['03 19 E5 10.00', '03 01 E1 5.00']);
  const { rows } = await service.db.pool.query('select breakdown from invoice where id = $1', [body.id]);
  expect(rows[0].breakdown.map(({ legalMention }: { legalMention: string }) => legalMention)).toEqual([
    'Operación exenta del IGIC (art. 25 Ley 19/1994)',
    'Operación exenta del IGIC (capítulo I del Decreto Legislativo 1/2025 de Canarias)',
  ]);
});

test('a correction is classified like the lines that it corrects, unless it says otherwise', async () => {
  const original = await issue(invoice(line('Obra en Telde', 5_000, canaries), line('Local', 1_000, lease)));
  const correct = (method: string, invoice_id: string, ...line_items: object[]) =>
    issue({ type: 'complete', line_items, rectifies: { invoice_id, method } });
  const less = await correct(
    'differences',
    original.id,
    line('Obra', -500, abroad),
    line('Local', -100, { type: 'vat', rate: 21 }),
  );
  expect(await detailsOf(less.id)).toEqual(['01 08 N2 -5.00', '01 11 S1 21 -1.00 -0.21']);
  expect(less.line_items[0].tax_items[0].regime_key).toBe('08');
  const other = await correct(
    'substitution',
    less.id,
    line('Obra', 4_000, { ...abroad, regime_key: '01' }),
    line('Local', 900, { type: 'vat', rate: 21 }),
  );
  expect(await detailsOf(other.id)).toEqual(['01 01 N2 40.00', '01 11 S1 21 9.00 1.89']);
});

test('an exchange invoice declares its lines as the tickets do', async () => {
  const [plain, said] = [
    await issue(aSimplifiedInvoice({ line_items: [line('Local', 1_000, { type: 'vat', rate: 21 })] })),
    await issue(aSimplifiedInvoice({ line_items: [line('Plaza', 500, lease)] })),
  ];
  const { body: exchange } = await service.graphql(
    'mutation ($input: ExchangeInvoicesInput!) { exchangeInvoices(input: $input) { id } }',
    { input: { ticketIds: [plain.id, said.id], recipient: ANA } },
  );
  const { id } = exchange.data.exchangeInvoices;
  expect(await detailsOf(id)).toEqual(['01 01 S1 21 10.00 2.10', '01 11 S1 21 5.00 1.05']);
});
