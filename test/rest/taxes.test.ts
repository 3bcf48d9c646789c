import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import { saveCatalogRow } from '../../src/subjects/taxes/edit-catalog.ts';
import { removeCatalogRow } from '../../src/subjects/taxes/store/catalog.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { type Operations, operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '10000' });
});
afterAll(() => service.close());
afterEach(() => clock.reset());

type Tax = { type: string; rate?: unknown };
const lineOf = (unit_amount: number, ...tax_items: Tax[]) => aLine({ quantity: 1, unit_amount, tax_items });
const vat = (rate: number): Tax => ({ type: 'vat', rate });
/** The same recipient with a VAT number of another member state. */
const german = {
  ...aCompleteInvoice().recipient,
  tax_id: 'DE123456789',
  address: { line1: 'Unter den Linden 1', postal_code: '10117', city: 'Berlin', country: 'DE' },
};

/** A consumer there, whom the one-stop shop is for. */
const consumer = { ...german, tax_id: 'C01X00T47', tax_id_type: 'passport', tax_id_country: 'DE' };

/** Each type on an invoice to somebody in another member state: how it is printed, and what 100.00 cost. */
const TYPES: readonly (readonly [tax: Tax, name: string, rate: number, amount: number])[] = [
  [vat(21), 'IVA 21%', 21, 2_100],
  [vat(10), 'IVA 10%', 10, 1_000],
  [vat(4), 'IVA 4%', 4, 400],
  [vat(0), 'IVA 0%', 0, 0],
  [{ type: 'igic', rate: 9.5 }, 'IGIC 9,5%', 9.5, 950],
  [{ type: 'igic', rate: 7 }, 'IGIC 7%', 7, 700],
  [{ type: 'ipsi', rate: 0.5 }, 'IPSI 0,5%', 0.5, 50],
  [{ type: 'ipsi', rate: 10 }, 'IPSI 10%', 10, 1_000],
  [{ type: 'eu_oss', rate: 25.5 }, 'IVA OSS 25,5%', 25.5, 2_550],
  [{ type: 'other', rate: 12.34 }, 'Impuesto 12,34%', 12.34, 1_234],
  [{ type: 'es_exempt' }, 'Exento', 0, 0],
  [{ type: 'es_exempt', rate: 0 }, 'Exento', 0, 0],
  [{ type: 'es_exempt', rate: null }, 'Exento', 0, 0],
  [{ type: 'es_inversion_sujeto_pasivo' }, 'Inversión del sujeto pasivo', 0, 0],
  [{ type: 'es_non_taxable' }, 'No sujeto', 0, 0],
  [{ type: 'es_non_taxable_localization' }, 'No sujeto por reglas de localización', 0, 0],
  [{ type: 'eu_b2b' }, 'Entrega intracomunitaria', 0, 0],
  [{ type: 'eu_b2b_services' }, 'Servicio intracomunitario', 0, 0],
  [{ type: 'export' }, 'Exportación', 0, 0],
];

const RATE = { status: 422, code: 'invalid_tax_rate' };
const DATA = { status: 422, code: 'invalid_tax_data' };
const SURCHARGE = { status: 422, code: 'invalid_recargo_equivalencia' };

describe.each(PROTOCOLS)('taxes over %s', (protocol) => {
  let operations: Operations;
  beforeAll(() => {
    operations = operationsOf(service, protocol);
  });

  test.each(TYPES)('%j is printed as %s', async (tax, name, rate, amount) => {
    const recipient = tax.type === 'eu_oss' ? consumer : german;
    const body = aCompleteInvoice({ recipient, line_items: [lineOf(10_000, tax)] });
    const { status, body: dry } = await operations.validate(body);
    expect(status).toBe(200);
    expect(dry.line_items[0].tax_items).toEqual([{ type: tax.type, name, rate, amount }]);
    expect(dry.tax_breakdown).toEqual([{ type: tax.type, name, rate, base: 10_000, amount }]);
    expect(await operations.issue(body)).toMatchObject({
      status: 201,
      body: { subtotal: 10_000, tax: amount, total: 10_000 + amount },
    });
  });

  test.each<[what: string, tax: Tax]>([
    ['vat of 7', vat(7)],
    ['vat of 5, which ended in 2024', vat(5)],
    ['vat of 21.5', vat(21.5)],
    ['vat of -21', vat(-21)],
    ['vat of 0.21', vat(0.21)],
    ['vat of 2100', vat(2_100)],
    ['vat without rate', { type: 'vat' }],
    ['vat with the rate null', { type: 'vat', rate: null }],
    ['igic of 21', { type: 'igic', rate: 21 }],
    ['igic without rate', { type: 'igic' }],
    ['ipsi of 0', { type: 'ipsi', rate: 0 }],
    ['oss of 0', { type: 'eu_oss', rate: 0 }],
    ['oss of 30.01', { type: 'eu_oss', rate: 30.01 }],
    ['oss of three decimals', { type: 'eu_oss', rate: 25.555 }],
    ['another tax of 100', { type: 'other', rate: 100 }],
    ['another tax without rate', { type: 'other' }],
    ['an exemption of 21', { type: 'es_exempt', rate: 21 }],
    ['a reverse charge of 21', { type: 'es_inversion_sujeto_pasivo', rate: 21 }],
    ['an export of 0.01', { type: 'export', rate: 0.01 }],
  ])('%s is no rate', async (_what, tax) => {
    const body = aCompleteInvoice({ line_items: [lineOf(100, vat(21)), lineOf(10_000, tax)] });
    const reply = await operations.validate(body);
    expect(reply).toMatchObject({ ...RATE, detail: expect.stringContaining('Line 2:') });
    expect(await operations.issue(body)).toMatchObject(RATE);
  });

  test.each<[what: string, lines: object[], refusal: object]>([
    ['two taxes on a line', [lineOf(10_000, vat(21), vat(10))], DATA],
    ['a vat and an exemption', [lineOf(10_000, vat(21), { type: 'es_exempt' })], DATA],
    [
      'the surcharge, sent',
      [lineOf(10_000, vat(21), { type: 'es_recargo_equivalencia', rate: 5.2 })],
      SURCHARGE,
    ],
    ['the surcharge alone', [lineOf(10_000, { type: 'es_recargo_equivalencia', rate: 5.2 })], SURCHARGE],
    ['a tax that comes to nothing', [lineOf(1, vat(21))], DATA],
    ['a discount whose tax comes to nothing', [lineOf(-12, vat(4))], DATA],
    [
      'signs that the agency takes for a mistake',
      [lineOf(-100, vat(21)), ...Array.from({ length: 33 }, () => lineOf(3, vat(21)))],
      DATA,
    ],
    [
      'thirteen taxes and rates',
      Array.from({ length: 13 }, (_, index) => lineOf(10_000, { type: 'other', rate: index + 1 })),
      DATA,
    ],
  ])('%s is refused', async (_what, line_items, refusal) => {
    expect(await operations.validate(aCompleteInvoice({ line_items }))).toMatchObject(refusal);
    expect(await operations.issue(aCompleteInvoice({ line_items }))).toMatchObject(refusal);
  });

  test('twelve taxes and rates, free lines and discounts are not', async () => {
    const twelve = Array.from({ length: 12 }, (_, index) =>
      lineOf(10_000, { type: 'other', rate: index + 1 }),
    );
    for (const line_items of [
      twelve,
      [lineOf(0, vat(21))],
      [lineOf(-10_000, vat(21))],
      [lineOf(3, vat(21))],
    ]) {
      expect(await operations.issue(aCompleteInvoice({ line_items }))).toMatchObject({ status: 201 });
    }
  });

  test('half cents are rounded away from zero, line by line', async () => {
    const amounts = [250, -250, 245, -245, 5, -5];
    const line_items = amounts.map((amount) => lineOf(amount, vat(10)));
    const { body } = await operations.validate(
      aCompleteInvoice({ line_items: [lineOf(1_000, vat(10)), ...line_items] }),
    );
    expect(body.line_items.slice(1).map(({ tax }: { tax: number }) => tax)).toEqual([
      25, -25, 25, -25, 1, -1,
    ]);
    expect(body.tax).toBe(100);
  });
});

describe.each(PROTOCOLS)('the surcharge over %s', (protocol) => {
  const surcharged = (...line_items: object[]) =>
    aCompleteInvoice({ recargo_equivalencia: true, line_items });

  test.each([
    [21, 5.2, 2_100, 520],
    [10, 1.4, 1_000, 140],
    [4, 0.5, 400, 50],
  ])('of a vat of %d is %d', async (rate, surcharge, tax, extra) => {
    const { body } = await operationsOf(service, protocol).validate(surcharged(lineOf(10_000, vat(rate))));
    const name = `R.E. ${String(surcharge).replace('.', ',')}%`;
    expect(body.line_items[0].tax_items).toEqual([
      { type: 'vat', name: `IVA ${rate}%`, rate, amount: tax },
      { type: 'es_recargo_equivalencia', name, rate: surcharge, amount: extra },
    ]);
    expect(body.total).toBe(10_000 + tax + extra);
  });

  test.each<[what: string, taxes: Tax[]]>([
    ['a vat of 0', [vat(0)]],
    ['igic', [{ type: 'igic', rate: 7 }]],
    ['an exemption', [{ type: 'es_exempt' }]],
    ['two taxes', [vat(21), vat(10)]],
  ])('does not go with %s on any line', async (_what, taxes) => {
    const body = surcharged(lineOf(10_000, vat(21)), lineOf(10_000, ...taxes));
    expect(await operationsOf(service, protocol).issue(body)).toMatchObject(SURCHARGE);
  });
});

describe.each(PROTOCOLS)('a simplified invoice over %s', (protocol) => {
  const ticket = (...line_items: object[]) => aSimplifiedInvoice({ line_items });

  test('is capped at 3,000 EUR with its tax', async () => {
    const operations = operationsOf(service, protocol);
    expect(await operations.issue(ticket(lineOf(300_000, { type: 'es_exempt' })))).toMatchObject({
      status: 201,
    });
    expect(await operations.issue(ticket(lineOf(247_934, vat(21))))).toMatchObject({
      body: { total: 300_000 },
    });
    for (const line of [lineOf(300_001, { type: 'es_exempt' }), lineOf(247_935, vat(21))]) {
      expect(await operations.issue(ticket(line))).toMatchObject({
        status: 422,
        code: 'simplified_amount_exceeded',
      });
    }
    const discounted = ticket(
      lineOf(400_000, { type: 'es_exempt' }),
      lineOf(-100_000, { type: 'es_exempt' }),
    );
    expect(await operations.issue(discounted)).toMatchObject({ status: 201 });
  });

  test.each(['es_inversion_sujeto_pasivo', 'eu_b2b', 'eu_b2b_services'])(
    'does not go with %s',
    async (type) => {
      const body = ticket(lineOf(10_000, vat(21)), lineOf(10_000, { type }));
      expect(await operationsOf(service, protocol).issue(body)).toMatchObject({
        status: 422,
        code: 'simplified_incompatible_tax_type',
      });
    },
  );
});

describe.each(PROTOCOLS)('the tax catalog of the company over %s', (protocol) => {
  let operations: Operations;
  let company: TestCompany;
  let key: string;
  beforeEach(async () => {
    operations = operationsOf(service, protocol);
    company = await createCompany(service.db);
    key = company.test.key;
  });
  const exempt = aCompleteInvoice({ line_items: [lineOf(10_000, { type: 'es_exempt' })] });

  test('takes effect with the next request; a refusal for a missing row is kept under its key', async () => {
    await removeCatalogRow(service.db.pool, company.companyId, 'es_exempt');
    const refused = await operations.issue(exempt, { key, idempotencyKey: 'k' });
    expect(refused).toMatchObject({ ...DATA, detail: expect.stringContaining('es_exempt') });
    await saveCatalogRow(service.db.pool, company.companyId, defaultTaxCatalog.get('es_exempt')!);
    expect(await operations.issue(exempt, { key, idempotencyKey: 'k' })).toEqual({
      ...refused,
      replayed: true,
    });
    expect(await operations.issue(exempt, { key, idempotencyKey: 'fresh' })).toMatchObject({ status: 201 });
    expect(await operations.issue(exempt)).toMatchObject({ status: 201 });
  });

  test('decides how a tax is declared and printed', async () => {
    const row = { ...defaultTaxCatalog.get('es_exempt')!, exemption: 'E6' as const, label: 'Exento art. 26' };
    await saveCatalogRow(service.db.pool, company.companyId, row);
    const { body } = await operations.validate(exempt, { key });
    expect(body.line_items[0].tax_items[0].name).toBe('Exento art. 26');
    const { body: issued } = await operations.issue(exempt, { key });
    const { body: read } = await service.graphql(
      `{ invoice(id: "${issued.id}") { records { xml } } }`,
      {},
      { key },
    );
    expect(read.data.invoice.records[0].xml).toContain('<sf:OperacionExenta>E6</sf:OperacionExenta>');
  });
});
