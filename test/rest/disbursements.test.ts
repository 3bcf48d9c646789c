import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { camelKeys } from '../../src/ground/lib/case.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';

import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { Visitor } from '../support/http/visitor.ts';
import { ANA, operatorOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';
import { operatorIn } from '../support/pages/console.ts';
import { aLink, aSale, aSaleLine, aShop } from '../support/pages/portal.ts';

/** What was paid in the customer's name: to be paid, and no part of the invoice's total (AEAT answers to developers v1.3, 20 to 22). */

let service: TestService;
const files = importFiles();
beforeAll(async () => {
  service = await testService();
});
afterAll(async () => {
  await service.close();
  files.remove();
});

const lines = (unit_amount: number) => ({ line_items: [aLine({ quantity: 1, unit_amount })] });
const FEE = { description: 'Tasa del Registro Mercantil', amount: 3_050, reference: 'RM-2026/118' };
const STAMP = { description: 'Timbre', amount: 450 };
const PAID = { disbursements: [FEE, STAMP] };
const corrects = (invoice_id: string, method: 'differences' | 'substitution') => ({
  ...{ recipient: undefined, rectifies: { invoice_id, method } },
});

async function issue(fields: object, kind: (fields: Record<string, unknown>) => object = aCompleteInvoice) {
  const { status, body } = await service.call('POST', '/v1/invoices', { body: kind({ ...fields }) });
  expect(body).toMatchObject(status === 201 ? {} : { code: null });
  return body;
}
const refusalOf = async (fields: Record<string, unknown>) => {
  const { status, body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(fields) });
  return [status, body.code, ...body.errors.map(({ field }: { field: string }) => field)];
};
const read = async (id: string, query = '') => (await service.call('GET', `/v1/invoices/${id}${query}`)).body;
const dueOf = async (id: string) => {
  const { payment_status, amount_paid, amount_due } = await read(id, '?expand[]=payments');
  return [payment_status, amount_paid, amount_due];
};
const pay = (id: string, amount: number) =>
  service.call('POST', `/v1/invoices/${id}/payments`, { body: { amount, paid_on: madridDay(clock.now()) } });

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('are to be paid with the total, which they do not change', async () => {
    const operations = operationsOf(service, protocol);
    const request = aCompleteInvoice({ ...lines(100_000), withholding: { rate: 15 }, ...PAID });
    const amounts = { subtotal: 100_000, tax: 21_000, total: 121_000, amount_payable: 109_500 };
    expect((await operations.validate(request)).body).toMatchObject(amounts);
    const { body } = await operations.issue(request);
    expect(body).toMatchObject(amounts);
    expect(body.withholding).toMatchObject({ base: 100_000, amount: 15_000 });
    const stated = [FEE, protocol === 'REST' ? STAMP : { ...STAMP, reference: null }];
    expect((await operations.invoice(body.id)).body.disbursements).toEqual(stated);
  });

  test.each([
    ['none', { disbursements: [] }, 'disbursements too_small'],
    ['more than fifty', { disbursements: Array(51).fill(STAMP) }, 'disbursements too_big'],
    ['of nothing', { disbursements: [STAMP, { ...STAMP, amount: 0 }] }, 'disbursements[1].amount too_small'],
    ['below nothing', { disbursements: [{ ...STAMP, amount: -1 }] }, 'disbursements[0].amount too_small'],
    [
      'of more than an invoice has',
      { disbursements: [FEE, { ...FEE, amount: 99_999_999_999_999 }] },
      'disbursements too_big',
    ],
  ])('%s is refused', async (_what, fields, fault) => {
    const operations = operationsOf(service, protocol);
    const refused = { status: 400, code: 'invalid_request', faults: [fault] };
    expect(await operations.issue(aCompleteInvoice(fields))).toMatchObject(refused);
    expect(await operations.validate(aSimplifiedInvoice(fields))).toMatchObject(refused);
  });
});

test('record, fingerprint and QR code are those of the same invoice without any', async () => {
  const of = async (fields: object) => {
    const { id, number, verifactu } = await issue({ ...lines(98_765), ...fields });
    const { body } = await service.graphql(`{ invoice(id: "${id}") { records { xml } } }`);
    const xml: string = body.data.invoice.records[0].xml
      .replaceAll(number, 'NUMBER')
      .replaceAll(id, 'ID')
      .replace(/<sf:(?:sf:)?Encadenamiento>.*<\/sf:Encadenamiento>/s, '')
      .replace(/<sf:FechaHoraHusoGenRegistro>[^<]*/, '')
      .replace(/<sf:Huella>[^<]*/, '');
    return { xml, amount: new URL(verifactu.qr_url).searchParams.get('importe') };
  };
  const paid = await of(PAID);
  expect(paid).toEqual(await of({}));
  expect(paid.amount).toBe('1195.06');
});

test('payments go by them: due until both the invoice and they are paid', async () => {
  const { id } = await issue({ ...lines(10_000), ...PAID, due_date: '2027-12-31' });
  expect(await dueOf(id)).toEqual(['unpaid', 0, 15_600]);
  expect((await pay(id, 12_100)).status).toBe(201);
  expect(await dueOf(id)).toEqual(['partially_paid', 12_100, 3_500]);
  expect((await pay(id, 3_501)).body.code).toBe('payment_exceeds_payable');
  expect((await pay(id, 3_500)).status).toBe(201);
  expect(await dueOf(id)).toEqual(['paid', 15_600, 0]);
  const { body } = await service.call('GET', '/v1/events?order=desc&limit=1&type=invoice.paid');
  expect(body.data[0].data.object).toMatchObject({
    id,
    total: 12_100,
    amount_payable: 15_600,
    amount_due: 0,
  });
});

test('differences add to them and take back what there is, and a substitution has its own', async () => {
  const { id } = await issue({ ...lines(10_000), ...PAID });
  const less = (amount: number) => ({
    ...corrects(id, 'differences'),
    ...{ ...lines(-10_000), disbursements: [{ description: 'Timbre', amount }] },
  });
  expect(await refusalOf(less(-3_501))).toEqual([422, 'family_balance_below_zero', 'disbursements']);
  expect(await refusalOf(less(0))).toEqual([400, 'invalid_request', 'disbursements[0].amount']);
  const credit = await issue(less(-450));
  expect(credit).toMatchObject({ total: -12_100, amount_payable: -12_550 });
  expect(await dueOf(id)).toEqual(['unpaid', 0, 3_050]);
  const { body } = await service.graphql(
    `{ invoice(id: "${credit.id}") { family { inForceTotal inForcePayable } } }`,
  );
  expect(body.data.invoice.family).toEqual({ inForceTotal: 0, inForcePayable: 3_050 });
  const whole = { ...corrects(credit.id, 'substitution'), ...lines(5_000) };
  const without = await issue(whole);
  expect(without).not.toHaveProperty('disbursements');
  expect(await dueOf(without.id)).toEqual(['unpaid', 0, 6_050]);
  const again = await issue({ ...whole, ...corrects(without.id, 'substitution'), disbursements: [STAMP] });
  expect(await dueOf(again.id)).toEqual(['unpaid', 0, 6_500]);
});

test('tickets may have them, within 3,000 EUR without them, and an exchange takes them over', async () => {
  const lottery = { disbursements: [{ description: 'Décimo de lotería', amount: 400_000 }] };
  const ticket = await issue({ ...lines(1_000), ...lottery }, aSimplifiedInvoice);
  const operator = await operatorOf(service);
  const { data } = await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA });
  expect(await read(data.result.id)).toMatchObject({ ...lottery, total: 1_210, amount_payable: 401_210 });
  expect(await dueOf(data.result.id)).toEqual(['unpaid', 0, 401_210]);
});

test('the accounts of all of these are as the journal has them, and totals sum them', async () => {
  const { pool } = service.db;
  expect(await verifyEnvironment(pool, service.company.test.environmentId)).toMatchObject({ findings: [] });
  const due = async () =>
    (await service.graphql('{ invoiceTotals { amountDue } }')).body.data.invoiceTotals[0].amountDue;
  const before = await due();
  await issue({ ...lines(10_000), ...PAID });
  expect(await due()).toBe(before + 15_600);
});

test('are imported, from either kind of file', async () => {
  const header = 'number;issued_at;type;recipient_name;description;quantity;unit_amount;tax_type;tax_rate';
  const columns = 'disbursement_description;disbursement_amount;disbursement_reference';
  const csv = [
    `${header};${columns}`,
    'B-1;2026-01-02;complete;Ana;Gestión;1;10000;vat;21;Tasa;3050;RM-1',
    'B-1;;;;Copia;1;100;vat;21;Timbre;450;',
    'B-2;2026-01-02;complete;Ana;Gestión;1;10000;vat;21;Tasa;0;',
  ].join('\n');
  const { environmentId } = service.company.test;
  const load = async (file: string) => importInvoices(service.db, { environmentId, file, actor: 'opk_1' });
  expect(await load(files.csv(csv))).toMatchObject({ accepted: 1, refused: 1 });
  expect(await load(files.jsonLines([anOldInvoice('A-1', PAID)]))).toMatchObject({ accepted: 1, refused: 0 });
  const found = async (number: string) =>
    (await service.call('GET', `/v1/invoices?number=${number}`)).body.data[0];
  expect((await found('A-1')).disbursements).toEqual([FEE, STAMP]);
  const rows = [{ description: 'Tasa', amount: 3_050, reference: 'RM-1' }, STAMP];
  expect(await found('B-1')).toMatchObject({ disbursements: rows, amount_payable: 12_221 + 3_500 });
});

test('Facturae has them as reimbursable expenses, and EN 16931 has no term for them', async () => {
  const iban = { payment: { means: 'transfer', iban: 'ES9121000418450200051332' } };
  const { id } = await issue({ ...lines(10_000), withholding: { rate: 15 }, ...PAID, ...iban });
  const document: string = (await service.call('GET', `/v1/invoices/${id}/formats/facturae`)).body;
  for (const part of [
    '<InvoiceTotal>106.00</InvoiceTotal><ReimbursableExpenses><ReimbursableExpenses>',
    '<InvoiceNumber>RM-2026/118</InvoiceNumber><ReimbursableExpensesAmount>30.50</',
    '<TotalOutstandingAmount>106.00</',
    '<TotalExecutableAmount>141.00</TotalExecutableAmount><TotalReimbursableExpenses>35.00</',
    '<InstallmentAmount>141.00</',
    'cliente: Tasa del Registro Mercantil (RM-2026/118), 30.50 EUR',
  ])
    expect(document).toContain(part);
  for (const format of ['ubl', 'cii', 'facturx', 'ubl_es']) {
    const { status, body } = await service.call('GET', `/v1/invoices/${id}/formats/${format}`);
    expect({ format, status, code: body.code }).toEqual({
      format,
      status: 422,
      code: 'format_not_applicable',
    });
  }
});

test.skipIf(!tools.haveTools('pdftotext'))(
  'follow the total on the document, before what is to be paid',
  async () => {
    const { id } = await issue({ ...lines(100_000), withholding: { rate: 15 }, ...PAID });
    const file = await documentFor(service.services, service.company.test.environmentId, id);
    if (isRefusal(file)) throw new Error(file.detail);
    const page = tools.textOf(file.bytes);
    const order = [
      'Total factura',
      'Retención IRPF 15',
      'Suplidos',
      'Total a pagar',
      'en nombre y por cuenta del cliente',
    ];
    expect(page).toMatch(new RegExp(order.join('.+'), 's'));
    expect(page).toMatch(
      /1\.210,00.+-150,00.+35,00.+1\.095,00.+Tasa del Registro Mercantil.+30,50.+RM-2026\/118/s,
    );
  },
);

test('are shown to the customer and to operators, and an order may bring them', async () => {
  const shop = await aShop(service);
  const sale = await aSale(service, shop, 'customer-1', {
    ...{ type: 'complete', recipient: camelKeys(aCompleteInvoice().recipient), ...PAID },
    lineItems: [{ ...aSaleLine, quantity: 1, unitAmount: 100_000 }],
  });
  const customer = new Visitor(service.url);
  const { location } = await customer.get(new URL(await aLink(service, shop, 'customer-1')).pathname);
  const textAt = async (visitor: Visitor, page: string) =>
    (await visitor.get(page)).text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(await textAt(customer, `${location}/invoices/${sale.id}`)).toMatch(
    /Total 1\.210,00 € Suplido: Tasa del Registro Mercantil \(RM-2026\/118\) 30,50 €.+Total a pagar 1\.245,00 €/,
  );
  expect(await textAt(await operatorIn(service), `/console/invoices/${sale.id}`)).toMatch(
    /total €1,210\.00 · disbursement Tasa del Registro Mercantil €30\.50.+to be paid €1,245\.00/,
  );
});
