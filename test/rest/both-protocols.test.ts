import { afterAll, beforeAll, expect, test } from 'vitest';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { snakeKeys } from '../../src/ground/lib/case.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, decideRecords, differences, issueWith, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** REST writes an invoice from what was read, and GraphQL by its fields: both show the same. */

const FIELDS = `id status number currency subtotal tax total recipientName recipientTaxId email externalCustomerId externalId
  invoiceDate operationDate createdAt type numberSeriesId
  recipient { name companyName taxId taxIdType taxIdCountry email address { line1 line2 postalCode city country } }
  verifactu { status hash qrUrl error { code message } }
  lineItems { id description sku quantity unitAmount quantityDecimal unitAmountDecimal unitAmountGross unitAmountGrossDecimal
    unit subtotal tax total taxItems { name type rate amount } }
  kind rectifies { invoiceId external { number issuedOn } } rectifiedBy { invoiceId: id }
  dueDate pricesIncludeTax payment { means iban reference terms } language
  references { purchaseOrder buyerReference contract project } delivery { from to } metadata draftId
  paymentStatus amountPaid amountDue withholding { type rate base amount } amountPayable
  disbursements { description amount reference } displayCurrency { code rate source }`;

const OPTIONAL = new Set([
  ...['quantity_decimal', 'unit_amount_decimal', 'unit_amount_gross', 'unit_amount_gross_decimal', 'unit'],
  ...['due_date', 'prices_include_tax', 'payment', 'language', 'references', 'delivery', 'metadata'],
  ...[
    'draft_id',
    'withholding',
    'disbursements',
    'display_currency',
    'source',
    'amount_payable',
    'payment_status',
    'amount_paid',
    'amount_due',
  ],
  ...['iban', 'reference', 'terms', 'purchase_order', 'buyer_reference', 'contract', 'project'],
]);

/** Without the fields that REST leaves out where GraphQL answers null. */
function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name, field]) => field !== null || !OPTIONAL.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutAbsent(field)]));
}

function asRest(graphql: unknown): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  const { rectifies, payment_status, amount_paid, amount_due, ...invoice } = snakeKeys(graphql) as any;
  const hasPayment = invoice.due_date !== null || invoice.payment !== null || (amount_paid ?? 0) !== 0;
  return withoutAbsent({
    ...invoice,
    ...(hasPayment ? { payment_status, amount_paid, amount_due } : {}),
    rectifies: rectifies.map(({ invoice_id, external }: { invoice_id: string | null; external: object }) =>
      invoice_id === null ? { external } : { invoice_id },
    ),
  });
}

let service: TestService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await testService();
  const { key } = service.company.live;
  const issue = async (name: string, body: object) => {
    const issued = await issueWith(service, body, 'live');
    ids[name] = issued.id;
    return issued;
  };
  await issue('a ticket', aSimplifiedInvoice());
  await issue('an invoice with everything', {
    ...aCompleteInvoice({ external_id: 'order-1', notes: 'x', operation_date: '2026-01-15' }),
    due_date: '2027-12-31',
    payment: { means: 'transfer', iban: 'ES9121000418450200051332', reference: 'R1' },
    ...{ language: 'en', references: { purchase_order: 'P1' }, metadata: { key: 'value' } },
    ...{ delivery: { from: '2026-01-01', to: '2026-01-31' }, withholding: { rate: 15 } },
    disbursements: [{ description: 'Tasa', amount: 3_050 }],
    display_currency: { code: 'USD', rate: '1.0837' },
  });
  await issue('gross prices and decimals', {
    ...aSimplifiedInvoice({ prices_include_tax: true }),
    line_items: [
      aLine({ unit_amount: 1_210, unit: 'HUR' }),
      aLine({ quantity: undefined, quantity_decimal: '1.5', unit_amount: 1_000, prices_include_tax: false }),
    ],
  });
  const registered = async (name: string) => {
    const issued = await issue(name, aSimplifiedInvoice());
    await decideRecords(service.db, issued.id, 'registered');
    return issued;
  };
  const corrected = await registered('a corrected invoice');
  await issue('a rectificativa', differences(corrected, -500));
  const rejected = await issue('a rejected invoice', aCompleteInvoice());
  await decideRecords(service.db, rejected.id, 'rejected');
  const paid = await issue('a paid invoice', aCompleteInvoice());
  const body = { amount: 100, paid_on: madridDay(new Date()) };
  await service.call('POST', `/v1/invoices/${paid.id}/payments`, { body, key });
  const voided = await registered('a voided invoice');
  const operator = await operatorOf(service);
  await operator.voidInvoice(voided.id);
  const ticket = await registered('an exchanged ticket');
  const { result } = (await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA })).data;
  ids['its exchange invoice'] = result.id;
});
afterAll(() => service.close());

test.each([
  ...['a ticket', 'an invoice with everything', 'gross prices and decimals', 'a corrected invoice'],
  ...['a rectificativa', 'a rejected invoice', 'a paid invoice', 'a voided invoice', 'an exchanged ticket'],
  'its exchange invoice',
])('%s is the same over REST and GraphQL, alone and in a list', async (name) => {
  const id = ids[name]!;
  const { key } = service.company.live;
  const { body } = await service.graphql(`{ invoice(id: "${id}") { ${FIELDS} } }`, {}, { key });
  expect(body.errors).toBeUndefined();
  const expected = asRest(body.data.invoice);
  const { pdf_url, ...alone } = (await service.call('GET', `/v1/invoices/${id}`, { key })).body;
  expect(pdf_url).toContain(id);
  expect(alone).toEqual(expected);
  const { data } = (await service.call('GET', '/v1/invoices?limit=100', { key })).body;
  const { pdf_url: _, ...listed } = data.find((one: { id: string }) => one.id === id);
  expect(listed).toEqual(expected);
});
