import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const HALF = { from: '2026-01-01', to: '2026-06-30' };
const reduction = (unit_amount = -15_000) =>
  aLine({ description: 'Rappel del primer semestre', quantity: 1, unit_amount });

/** A volume discount, with other parts than it should have. */
const discount = (parts: object = {}, rectifies: object = {}) =>
  aCompleteInvoice({
    line_items: [reduction()],
    rectifies: { period: HALF, method: 'differences', reason: 'volume_discount', ...rectifies },
    ...parts,
  });

async function issued(body: object) {
  const answer = await service.call('POST', '/v1/invoices', { body });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
  return answer.body;
}

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('a volume discount names its period and no invoice, now and later', async () => {
    const operations = operationsOf(service, protocol);
    const { status, body } = await operations.issue(discount());
    const shown = { kind: 'rectifying_differences', total: -18_150, rectified_period: HALF };
    expect({ status, body }).toMatchObject({ status: 201, body: shown });
    expect((await operations.invoice(body.id)).body).toMatchObject(shown);
  });

  const invalid = { status: 422, code: 'invalid_rectifies_reference' };
  test.each<[what: string, body: () => object, refused: object]>([
    ['with an invoice too', () => discount({}, { invoice_id: 'inv_1' }), invalid],
    [
      'with an original issued elsewhere too',
      () => discount({}, { external: { number: '1', issued_on: '2026-01-01' } }),
      invalid,
    ],
    ['by substitution', () => discount({}, { method: 'substitution' }), invalid],
    ['for another reason', () => discount({}, { reason: 'correction' }), invalid],
    ['without its reason', () => discount({}, { reason: undefined }), invalid],
    [
      'on a ticket',
      () => aSimplifiedInvoice({ ...discount(), type: 'simplified', recipient: undefined }),
      invalid,
    ],
    [
      'that adds to what was sold',
      () => discount({ line_items: [reduction(), reduction(100)] }),
      { status: 400, faults: ['line_items[1] too_big'] },
    ],
    [
      'with a line of nothing',
      () => discount({ line_items: [reduction(0)] }),
      { status: 400, faults: ['line_items[0] too_big'] },
    ],
    [
      'without its recipient',
      () => discount({ recipient: undefined }),
      { status: 400, faults: ['recipient required'] },
    ],
    [
      'of days in the wrong order',
      () => discount({}, { period: { from: HALF.to, to: HALF.from } }),
      { status: 400, faults: ['rectifies.period.to too_small'] },
    ],
    [
      'of days to come',
      () => discount({}, { period: { from: HALF.from, to: '2099-12-31' } }),
      { status: 400, faults: ['rectifies.period.to too_big'] },
    ],
    [
      'of half a period',
      () => discount({}, { period: { from: HALF.from } }),
      { status: 400, faults: ['rectifies.period.to required'] },
    ],
    [
      'with a day of its operation',
      () => discount({ operation_date: '2026-06-30' }),
      { status: 400, faults: ['operation_date not_supported'] },
    ],
    ['with recipient_unidentified', () => discount({ recipient_unidentified: true }), { status: 400 }],
  ])('%s is refused', async (_what, body, refused) => {
    const operations = operationsOf(service, protocol);
    expect(await operations.issue(body())).toMatchObject(refused);
    expect(await operations.validate(body())).toMatchObject(refused);
  });
});

test('REST answers it without an invoice', async () => {
  expect(await issued(discount())).toMatchObject({ rectifies: [], rectified_period: HALF });
});

test('the reason is of a period alone, and the refusal cites the article', async () => {
  const original = await issued(aCompleteInvoice());
  const rectifies = { invoice_id: original.id, method: 'differences', reason: 'volume_discount' };
  const { recipient: _, ...inheriting } = discount({ rectifies });
  const { status, body } = await service.call('POST', '/v1/invoices', { body: inheriting });
  expect({ status, ...body }).toMatchObject({ status: 422, code: 'invalid_rectifies_reference' });
  expect(body.detail).toContain('RD 1619/2012 art. 15.4');
});

test('its last day may be today', async () => {
  const today = madridDay(new Date());
  const { rectified_period } = await issued(discount({}, { period: { from: today, to: today } }));
  expect(rectified_period).toEqual({ from: today, to: today });
});

test('the record is an R1 by differences that names no invoice', async () => {
  const { id } = await issued(discount());
  const { body } = await service.graphql(`{ invoice(id: "${id}") { rectificationReason records { xml } } }`);
  const { rectificationReason, records } = body.data.invoice;
  expect(rectificationReason).toBe('volume_discount');
  expect(records[0].xml).toContain(
    '<sf:TipoFactura>R1</sf:TipoFactura><sf:TipoRectificativa>I</sf:TipoRectificativa><sf:DescripcionOperacion>Descuento por volumen de operaciones del 01-01-2026 al 30-06-2026: Rappel del primer semestre</sf:DescripcionOperacion>',
  );
  expect(records[0].xml).toContain('<sf:ImporteTotal>-181.50</sf:ImporteTotal>');
  expect(records[0].xml).not.toContain('FacturasRectificadas');
});

test('is a family of its own: it can be reduced by the one that corrects it, but not exceeded', async () => {
  const { id } = await issued(discount());
  const correction = (unit_amount: number) => ({
    type: 'complete',
    line_items: [reduction(unit_amount)],
    rectifies: { invoice_id: id, method: 'differences' },
  });
  const refused = await service.call('POST', '/v1/invoices', { body: correction(-100) });
  expect(refused.body.code).toBe('family_balance_below_zero');
  const less = await issued(correction(5_000));
  expect(less).toMatchObject({ rectifies: [{ invoice_id: id }], total: 6_050 });
  const { body } = await service.call('GET', `/v1/invoices/${id}?expand[]=payments&expand[]=rectification`);
  expect(body).toMatchObject({ amount_due: -12_100, rectified_by: [{ invoice_id: less.id }] });
  expect(body.rectification).toMatchObject({ reason: 'volume_discount', in_force_total: -12_100 });
});

test('a line of another invoice answers no such field', async () => {
  expect(await issued(aCompleteInvoice())).not.toHaveProperty('rectified_period');
});

test('an event and structured documents report the period', async () => {
  const { id } = await issued(discount());
  const { body: event } = await service.call('GET', '/v1/events?order=desc&limit=1');
  expect(event.data[0].data.object).toMatchObject({ id, rectifies: [], rectified_period: HALF });
  const formatOf = async (format: string) =>
    (await service.call('GET', `/v1/invoices/${id}/formats/${format}`)).body;
  for (const format of ['ubl', 'ubl_es']) {
    const ubl = await formatOf(format);
    expect(ubl).toMatch(
      /<cac:InvoicePeriod>\s*<cbc:StartDate>2026-01-01<\/cbc:StartDate>\s*<cbc:EndDate>2026-06-30<\/cbc:EndDate>/,
    );
    expect(ubl).not.toContain('BillingReference');
  }
  expect(await formatOf('cii')).toMatch(/<ram:BillingSpecifiedPeriod>[\s\S]*20260101[\s\S]*20260630/);
  const facturae = await formatOf('facturae');
  expect(facturae).toMatch(
    /<Corrective>\s*<ReasonCode>83<\/ReasonCode>[\s\S]*<StartDate>2026-01-01<\/StartDate>\s*<EndDate>2026-06-30<\/EndDate>[\s\S]*<CorrectionMethod>03</,
  );
});

test.skipIf(!tools.haveTools('pdftotext'))('the document states period, reason and method', async () => {
  const { id } = await issued(discount());
  const file = await documentFor(service.services, service.company.test.environmentId, id);
  if (isRefusal(file)) throw new Error(file.detail);
  const text = tools.textOf(file.bytes);
  expect(text).toMatch(/Periodo rectificado +01\/01\/2026 – 30\/06\/2026/);
  expect(text).toContain('Descuento por volumen de operaciones (art. 80 Uno 2.º LIVA)');
  expect(text).not.toContain('Factura rectificada ');
});
