import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

/** 107.88 EUR with 10 %, and without it 98.07. */
const bottles = aLine({ quantity: 12, unit_amount: 899, tax_items: [{ type: 'vat', rate: 10 }] });

async function issueBottles(): Promise<{ id: string; pdf_url: string }> {
  const body = aCompleteInvoice({ prices_include_tax: true, line_items: [bottles] });
  const reply = await service.call('POST', '/v1/invoices', { body });
  expect(reply).toMatchObject({ status: 201 });
  return reply.body;
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('the quantity is what was billed, at the net price of one unit, and the subtotal decides', async () => {
    const operations = operationsOf(service, protocol);
    const request = aSimplifiedInvoice({
      prices_include_tax: true,
      line_items: [
        bottles,
        { ...bottles, unit_amount: -899 },
        { ...bottles, quantity: 1_000, unit_amount: undefined, unit_amount_decimal: '12.345' },
        { ...bottles, quantity: undefined, quantity_decimal: '2.0', prices_include_tax: false },
      ],
    });
    const lines = [
      {
        quantity: 12,
        unit_amount: 817,
        subtotal: 9_807,
        unit_amount_decimal: '817.25',
        unit_amount_gross: 899,
      },
      { quantity: 12, unit_amount: -817, subtotal: -9_807, unit_amount_decimal: '-817.25' },
      {
        ...{ quantity: 1_000, unit_amount: 11, subtotal: 11_223, unit_amount_decimal: '11.223' },
        ...{ unit_amount_gross: 12, unit_amount_gross_decimal: '12.345' },
      },
      { quantity: 2, unit_amount: 899, subtotal: 1_798, quantity_decimal: '2.0', unit_amount_decimal: '899' },
    ];
    expect((await operations.validate(request)).body.line_items).toMatchObject(lines);
    const issued = (await operations.issue(request)).body;
    expect(issued.line_items).toMatchObject(lines);
    expect((await operations.invoice(issued.id)).body.line_items).toMatchObject(lines);
  });
});

test('what is sealed of a line has the form of every version before', async () => {
  const { id } = await issueBottles();
  const { rows } = await service.db.pool.query(
    `select quantity, unit_amount::int, subtotal::int, quantity_decimal, unit_amount_decimal, unit_amount_gross::int
       from invoice_line where invoice_id = $1`,
    [id],
  );
  expect(rows).toEqual([
    {
      ...{ quantity: 1, unit_amount: 9_807, subtotal: 9_807, quantity_decimal: '12' },
      ...{ unit_amount_decimal: null, unit_amount_gross: 899 },
    },
  ]);
});

test('events and structured documents have the quantity that was billed', async () => {
  const { id } = await issueBottles();
  const { body: events } = await service.call('GET', '/v1/events?type=invoice.issued&limit=1');
  expect(events.data[0].data.object).toMatchObject({ id, line_items: [{ quantity: 12, unit_amount: 817 }] });
  const documentOf = async (format: string) =>
    String((await service.call('GET', `/v1/invoices/${id}/formats/${format}`)).body).replace(/\s*\n\s*/g, '');
  const ubl = await documentOf('ubl');
  expect(ubl).toContain('<cbc:InvoicedQuantity unitCode="C62">12</cbc:InvoicedQuantity>');
  expect(ubl).toContain('<cbc:PriceAmount currencyID="EUR">8.1725</cbc:PriceAmount>');
  expect(await documentOf('cii')).toMatch(/ChargeAmount>8\.1725<.+BilledQuantity unitCode="C62">12</);
  expect(await documentOf('facturae')).toMatch(
    /<Quantity>12<.+<UnitPriceWithoutTax>8\.1725<.+TotalCost>98\.07</,
  );
});

test.skipIf(!tools.haveTools('pdftotext'))(
  'the document shows them, and what the customer pays',
  async () => {
    const { pdf_url: url } = await issueBottles();
    for (const paper of ['', '&paper=roll']) {
      const file = await fetch(`${url.replace('http://lacre.test', service.url)}${paper}`);
      const pages = tools.textOf(Buffer.from(await file.arrayBuffer()));
      expect(pages).toMatch(/12\s+(× )?8,1725\s+IVA 10%\s+98,07/);
      expect(pages).toMatch(/12 × 8,99\s€ = 107,88\s€ \(impuestos incluidos\)/);
    }
  },
);
