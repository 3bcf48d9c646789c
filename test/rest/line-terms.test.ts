import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { readRecord } from '../../src/subjects/chain/read-record.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { Visitor } from '../support/http/visitor.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, anOldLine, importFiles } from '../support/invoices/old-invoices.ts';
import { operatorIn } from '../support/pages/console.ts';
import { aLink, aSale, aSaleLine, aShop } from '../support/pages/portal.ts';

const files = importFiles();
let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(async () => {
  await service.close();
  files.remove();
});

const TERMS = [
  ...['quantity_decimal', 'unit_amount_decimal', 'unit_amount_gross', 'unit_amount_gross_decimal', 'unit'],
];
const NO_FORM = { quantity: undefined, unit_amount: undefined };
const decimals = { ...NO_FORM, quantity_decimal: '2.5', unit_amount_decimal: '1000.2', unit: 'HUR' };
const grossLine = aLine({ quantity: 3, unit_amount: 1_210 });
const one = (line: object) => ({ line_items: [aLine({ ...line })] });

async function issue(fields: object) {
  const { status, body } = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice({ ...fields }),
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function pagesOf(id: string): Promise<string> {
  const file = await documentFor(service.services, service.company.test.environmentId, id);
  if (isRefusal(file)) throw new Error(file.detail);
  return tools.textOf(file.bytes);
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('a quantity that is not whole is one unit at its subtotal, beside what was sent', async () => {
    const operations = operationsOf(service, protocol);
    const shown = {
      ...{ quantity: 1, unit_amount: 2_501, subtotal: 2_501, tax: 525, total: 3_026 },
      ...{ quantity_decimal: '2.5', unit_amount_decimal: '1000.2', unit: 'HUR' },
    };
    const request = aCompleteInvoice(one(decimals));
    const dryRun = await operations.validate(request);
    expect(dryRun).toMatchObject({ status: 200, body: { total: 3_026, line_items: [shown] } });
    const issued = await operations.issue(request);
    expect(issued).toMatchObject({ status: 201, body: { total: 3_026, line_items: [shown] } });
    expect((await operations.invoice(issued.body.id)).body.line_items).toMatchObject([shown]);
  });

  test('a gross price is exactly what the customer pays', async () => {
    const operations = operationsOf(service, protocol);
    const request = aSimplifiedInvoice({
      ...{ prices_include_tax: true, line_items: [grossLine, aLine({ quantity: 7, unit_amount: 199 })] },
    });
    const shown = {
      ...{ subtotal: 4_151, tax: 872, total: 5_023 },
      line_items: [
        { quantity: 3, unit_amount: 1_000, total: 3_630, quantity_decimal: '3', unit_amount_gross: 1_210 },
        { quantity: 7, unit_amount: 164, total: 1_393, quantity_decimal: '7', unit_amount_gross: 199 },
      ],
    };
    expect(await operations.validate(request)).toMatchObject({ status: 200, body: shown });
    const issued = await operations.issue(request);
    expect(issued).toMatchObject({ status: 201, body: { ...shown, prices_include_tax: true } });
    const read = (await operations.invoice(issued.body.id)).body;
    expect(read).toMatchObject({ ...shown, prices_include_tax: true });
  });

  test('a line may declare itself that its price is gross', async () => {
    const { body } = await operationsOf(service, protocol).issue(
      aCompleteInvoice({ line_items: [{ ...grossLine, prices_include_tax: true }, aLine()] }),
    );
    expect(body.line_items).toMatchObject([{ total: 3_630, unit_amount_gross: 1_210 }, { total: 24_200 }]);
    expect(body.prices_include_tax ?? null).toBeNull();
  });

  test.each([
    ['a quantity of 0', { ...NO_FORM, quantity_decimal: '0', unit_amount: 1 }, 'quantity_decimal too_small'],
    [
      'one of 0.000000',
      { ...NO_FORM, quantity_decimal: '0.000000', unit_amount: 1 },
      'quantity_decimal too_small',
    ],
    ['one below 0', { ...NO_FORM, quantity_decimal: '-1', unit_amount: 1 }, 'quantity_decimal too_small'],
    [
      'a million and a bit',
      { ...NO_FORM, quantity_decimal: '1000000.1', unit_amount: 1 },
      'quantity_decimal too_big',
    ],
    [
      'seven decimals',
      { ...NO_FORM, quantity_decimal: '1.0000001', unit_amount: 1 },
      'quantity_decimal invalid_format',
    ],
    [
      'an exponent',
      { unit_amount: undefined, unit_amount_decimal: '1e3' },
      'unit_amount_decimal invalid_format',
    ],
    ['a comma', { unit_amount: undefined, unit_amount_decimal: '1,5' }, 'unit_amount_decimal invalid_format'],
    [
      'twelve digits of cents',
      { unit_amount: undefined, unit_amount_decimal: '100000000000' },
      'unit_amount_decimal too_big',
    ],
    [
      'as many below 0',
      { unit_amount: undefined, unit_amount_decimal: '-99999999999.1' },
      'unit_amount_decimal too_small',
    ],
    ['quantity twice', { quantity_decimal: '2' }, 'quantity_decimal not_supported'],
    ['price twice', { unit_amount_decimal: '2' }, 'unit_amount_decimal not_supported'],
    ['no unit of the list', { unit: 'hour' }, 'unit invalid_value'],
    ['a unit in small letters', { unit: 'hur' }, 'unit invalid_value'],
  ])('%s is refused', async (_what, parts, fault) => {
    const operations = operationsOf(service, protocol);
    const body = aSimplifiedInvoice({ line_items: [aLine(), aLine({ ...parts })] });
    const refused = { status: 400, code: 'invalid_request', faults: [`line_items[1].${fault}`] };
    expect(await operations.issue(body)).toMatchObject(refused);
    expect(await operations.validate(body)).toMatchObject(refused);
  });

  test.each([
    ['the least', '0.000001', '99999999999', 100_000],
    ['the most', '1000000', '0.000001', 1],
    ['a discount of the most', '0.5', '-99999999999', -50_000_000_000],
  ])('decimals of the limits are taken: %s', async (_what, quantity, price, subtotal) => {
    const parts = { ...NO_FORM, quantity_decimal: quantity, unit_amount_decimal: price };
    const { body } = await operationsOf(service, protocol).validate(
      aCompleteInvoice(one({ ...parts, tax_items: [{ type: 'es_exempt' }] })),
    );
    expect(body.line_items[0].subtotal).toBe(subtotal);
  });

  test('more than twelve digits of euros is refused by its line', async () => {
    const parts = { ...NO_FORM, quantity_decimal: '999999.5', unit_amount_decimal: '99999999999' };
    const reply = await operationsOf(service, protocol).issue(aCompleteInvoice(one(parts)));
    expect(reply).toMatchObject({ status: 400, faults: ['line_items[0] too_big'] });
  });

  test('decimals are compared as text when a key is repeated', async () => {
    const operations = operationsOf(service, protocol);
    const idempotencyKey = `line-terms-${protocol}`;
    const first = await operations.issue(aSimplifiedInvoice(one(decimals)), { idempotencyKey });
    const again = await operations.issue(aSimplifiedInvoice(one(decimals)), { idempotencyKey });
    expect(again.body).toEqual(first.body);
    const other = { ...decimals, quantity_decimal: '2.50' };
    expect(await operations.issue(aSimplifiedInvoice(one(other)), { idempotencyKey })).toMatchObject({
      status: 409,
    });
  });
});

test('an ordinary line has none of the fields in REST, and null in GraphQL', async () => {
  const { id, line_items: lines } = await issue({ prices_include_tax: false });
  const { body: dryRun } = await service.call('POST', '/v1/invoices/validate', { body: aCompleteInvoice() });
  for (const line of [...lines, ...dryRun.line_items]) {
    for (const name of TERMS) expect(Object.keys(line)).not.toContain(name);
  }
  const { body } = await service.graphql(
    `{ invoice(id: "${id}") { pricesIncludeTax lineItems { quantityDecimal unitAmountDecimal unitAmountGross unit } } }`,
  );
  const none = { quantityDecimal: null, unitAmountDecimal: null, unitAmountGross: null, unit: null };
  expect(body.data.invoice).toEqual({ pricesIncludeTax: null, lineItems: [none] });
});

test('a surcharge is taken out of a gross price with its tax', async () => {
  const { total, line_items: lines } = await issue({
    ...{ prices_include_tax: true, recargo_equivalencia: true, ...one({ quantity: 1, unit_amount: 12_620 }) },
  });
  expect(total).toBe(12_620);
  expect(lines[0]).toMatchObject({ subtotal: 10_000, tax_items: [{ amount: 2_100 }, { amount: 520 }] });
});

test('rectificativas take the fields, and a credit of a gross line is as much as was paid', async () => {
  const original = await issue({ prices_include_tax: true, line_items: [grossLine, aLine({ ...decimals })] });
  const credit = await issue({
    ...{ recipient: undefined, prices_include_tax: true },
    ...{ rectifies: { invoice_id: original.id, method: 'differences' } },
    line_items: [
      aLine({ quantity: 3, unit_amount: -1_210 }),
      aLine({ ...decimals, unit_amount_decimal: '-1000.2' }),
    ],
  });
  expect(credit.total).toBe(-original.total);
  expect(credit.line_items[1]).toMatchObject({ total: -2_501, quantity_decimal: '2.5', unit: 'HUR' });
});

test('an exchange invoice takes the lines over with their terms', async () => {
  const { body: ticket } = await service.call('POST', '/v1/invoices', {
    body: aSimplifiedInvoice({ prices_include_tax: true, line_items: [grossLine] }),
  });
  const { body } = await service.graphql(
    `mutation ($input: ExchangeInvoicesInput!) { exchangeInvoices(input: $input) {
       total lineItems { quantity unitAmount quantityDecimal unitAmountGross total } } }`,
    {
      input: {
        ticketIds: [ticket.id],
        recipient: {
          ...{ name: 'García Pérez Ana', taxId: '12345678Z' },
          address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid', country: 'ES' },
        },
      },
    },
  );
  expect(body.data?.exchangeInvoices ?? body).toEqual({
    total: 3_630,
    lineItems: [
      { quantity: 3, unitAmount: 1_000, quantityDecimal: '3', unitAmountGross: 1_210, total: 3_630 },
    ],
  });
});

test('imports take the fields, in lines of JSON as in CSV', async () => {
  const { environmentId } = service.company.test;
  const terms = { quantity_decimal: '2.5', unit: 'KGM', unit_amount_decimal: '1210' };
  const row = anOldInvoice('OLD/1', {
    ...{ prices_include_tax: true, withholding: { rate: 15 } },
    line_items: [anOldLine({ ...NO_FORM, ...terms, tax_items: [{ type: 'vat', rate: 21 }] })],
  });
  const csv = [
    'number,issued_at,type,recipient_name,withholding_rate,prices_include_tax,description,quantity_decimal,unit,unit_amount_decimal,tax_type,tax_rate',
    'OLD/2,2011-03-04,complete,Ana,15,true,Cosa,"2,5",KGM,1210,vat,21',
    'OLD/3,2011-03-04,complete,Ana,,perhaps,Cosa,x,KGM,1210,vat,21',
  ];
  for (const [file, accepted] of [
    [files.jsonLines([row]), 1],
    [files.csv(csv.join('\n')), 1],
  ] as const) {
    const result = await importInvoices(service.db, { environmentId, file, actor: 'cli' });
    expect(result).toMatchObject({ accepted });
  }
  for (const number of ['OLD/1', 'OLD/2']) {
    const { body } = await service.call('GET', `/v1/invoices?number=${encodeURIComponent(number)}`);
    expect(body.data[0]).toMatchObject({
      ...{ subtotal: 2_500, tax: 525, total: 3_025, prices_include_tax: true },
      ...{ withholding: { base: 2_500, amount: 375 }, amount_payable: 2_650 },
      line_items: [
        {
          ...{ quantity: 1, unit_amount: 2_500, quantity_decimal: '2.5', unit: 'KGM' },
          ...{ unit_amount_decimal: '1000', unit_amount_gross: 1_210, unit_amount_gross_decimal: '1210' },
        },
      ],
    });
  }
});

test.skipIf(!tools.haveTools('pdftotext'))('the document shows quantity, unit and price', async () => {
  const net = await issue(one(decimals));
  expect(await pagesOf(net.id)).toMatch(/2,5\sh.+10,002.+IVA 21%.+25,01/s);
  const gross = await issue({ prices_include_tax: true, line_items: [grossLine] });
  expect(await pagesOf(gross.id)).toMatch(/3 × 12,10\s€ = 36,30\s€ \(impuestos incluidos\)/);
});

test('customers and operators are shown what was sent, and an order may bring it', async () => {
  const shop = await aShop(service);
  const sale = await aSale(service, shop, 'customer-1', {
    lineItems: [
      { ...aSaleLine, pricesIncludeTax: true },
      { ...aSaleLine, quantity: undefined, quantityDecimal: '1.25', unit: 'KGM' },
    ],
  });
  const customer = new Visitor(service.url);
  const { location } = await customer.get(new URL(await aLink(service, shop, 'customer-1')).pathname);
  const operator = await operatorIn(service);
  const own = (await customer.get(`${location}/invoices/${sale.id}`)).text.replace(/<[^>]+>/g, ' ');
  expect(own).toMatch(/2\s+12,50\s€ \(impuestos incluidos\)/);
  expect(own).toMatch(/1,25\skg\s+12,50\s€/);
  const console = (await operator.get(`/console/invoices/${sale.id}`)).text.replace(/<[^>]+>/g, ' ');
  expect(console).toMatch(/2\s+€12\.50 \(taxes included\)/);
  expect(console).toMatch(/1\.25\skg\s+€12\.50/);
});

test.skipIf(!tools.haveTools('pdftotext'))(
  'lines, breakdown, record and document agree to the cent, for any request',
  async () => {
    const line = fc
      .record({
        gross: fc.boolean(),
        quantity: fc.integer({ min: 1_000, max: 9_999_999 }),
        price: fc.integer({ min: 100_000, max: 99_999_999 }),
        rate: fc.constantFrom(4, 10, 21),
      })
      .map(({ gross, quantity, price, rate }) =>
        aLine({
          ...NO_FORM,
          ...{ quantity_decimal: String(quantity / 1_000), unit_amount_decimal: String(price / 1_000) },
          ...{ prices_include_tax: gross, tax_items: [{ type: 'vat', rate }] },
        }),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (lines, surcharge) => {
          const {
            id,
            line_items: answeredLines,
            subtotal,
            tax,
            total,
          } = await issue({
            ...{ line_items: lines, recargo_equivalencia: surcharge },
          });
          const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
          expect(sum(answeredLines.map((item: { total: number }) => item.total))).toBe(total);
          const { body } = await service.graphql(
            `{ invoice(id: "${id}") { records { xml } taxBreakdown { base amount type } } }`,
          );
          const { records, taxBreakdown } = body.data.invoice;
          expect(sum(taxBreakdown.map((row: { amount: number }) => row.amount))).toBe(tax);
          expect(readRecord(records[0].xml)).toMatchObject({
            ...{ total, taxTotal: tax, declaredBase: subtotal, declaredTax: tax },
          });
          const printed = (value: number) => {
            const figure = (value / 100).toFixed(2).replace('.', ',');
            return figure.replace(/\B(?=(\d{3})+,)/g, '.');
          };
          const page = (await pagesOf(id)).replaceAll('\u00a0', ' ');
          for (const item of answeredLines) expect(page).toContain(printed(item.subtotal));
          expect(page).toContain(`${printed(total)} €`);
          expect(page).toContain(`${printed(subtotal)} €`);
        },
      ),
      { numRuns: 12 },
    );
  },
);

test('GraphQL takes decimals as text in every way that a document has, and no numbers', async () => {
  const line = (quantity: string) => `validateInvoice(input: { type: simplified, lineItems: [
    { description: "x", quantityDecimal: ${quantity}, unitAmount: 100, taxItems: [{ type: vat, rate: 21 }] }] }) {
      lineItems { quantityDecimal subtotal } }`;
  const input = { lineItems: [{ quantityDecimal: '2.5', subtotal: 250 }] };
  const literal = await service.graphql(`{ ${line('"2.5"')} }`);
  const declared = await service.graphql(`query ($q: Decimal) { ${line('$q')} }`, { q: '2.5' });
  expect([literal.body.data.validateInvoice, declared.body.data.validateInvoice]).toEqual([input, input]);
  const number = await service.graphql(`{ ${line('2.5')} }`);
  const given = await service.graphql(`query ($q: Decimal) { ${line('$q')} }`, { q: 2.5 });
  for (const { body } of [number, given]) {
    const message = expect.stringContaining('must be a string of plain digits');
    const field = 'input.lineItems[0].quantityDecimal';
    expect(body.errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field, message }],
    });
  }
});
