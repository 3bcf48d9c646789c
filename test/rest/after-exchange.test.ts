import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { computeDayTotalsOf } from '../../src/subjects/invoices/compute-day-totals.ts';
import { verifyJournalOnly } from '../../src/subjects/journal/verify.ts';
import { COLUMN_NAMES } from '../../src/subjects/register-books/layout.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { ANA, type Issued, issueWith, xmlOf } from '../support/invoices/corrections.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Returns and replacements after an exchange: AEAT answers to developers v1.3 of 2025-12-04, 27, cases 1 to 3. */

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const address = { line1: 'Calle Mayor 1', postal_code: '28001', city: 'Madrid', country: 'ES' };
const ana = { name: ANA.name, tax_id: ANA.taxId, address };
const other = { name: 'Ejemplo SL', tax_id: 'B72877814', address };

const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  service.call('POST', path, { body, headers });
const ticket = (unitAmount = 1_000): Promise<Issued> =>
  issueWith(
    service,
    aSimplifiedInvoice({ line_items: [aLine({ quantity: 1, unit_amount: unitAmount })] }),
    'test',
  );
const exchanged = async (tickets: readonly Issued[]) =>
  (await call('/v1/exchanges', { ticket_ids: tickets.map(({ id }) => id), recipient: ana })).body;
const taken = (unitAmount: number) => [aLine({ quantity: 1, unit_amount: unitAmount })];
const giveBack = (id: string, unitAmount: number, parts: object = {}) =>
  call(`/v1/exchanges/${id}/returns`, { line_items: taken(unitAmount), reason: 'Devuelto', ...parts });
const replace = (id: string, parts: object = {}) =>
  call(`/v1/exchanges/${id}/replacement`, { recipient: other, reason: 'NIF de otra empresa', ...parts });
const read = async (id: string, query = '') => (await service.call('GET', `/v1/invoices/${id}${query}`)).body;
const invalidate = (id: string) => call(`/v1/invoices/${id}/void`, { reason: 'Error' });

test('REST exchanges tickets and voids invoices, each once for a key', async () => {
  const sold = await ticket();
  const key = { 'idempotency-key': 'canje-1' };
  const body = { ticket_ids: [sold.id], recipient: ana, external_id: 'canje-1' };
  const issued = await call('/v1/exchanges', body, key);
  expect([issued.status, issued.body.kind, issued.body.total]).toEqual([201, 'exchange', 1_210]);
  const again = await call('/v1/exchanges', body, key);
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', issued.body]);
  const voiding = { 'idempotency-key': 'anular-1' };
  const path = `/v1/invoices/${issued.body.id}/void`;
  const voided = await call(path, { reason: 'Duplicada' }, voiding);
  expect([voided.status, voided.body.status]).toEqual([200, 'voided']);
  const repeated = await call(path, { reason: 'Duplicada' }, voiding);
  expect([repeated.status, repeated.body.status]).toEqual([200, 'voided']);
  expect((await call(path, { reason: 'Duplicada' })).body.code).toBe('invoice_already_voided');
  expect((await call(path, {})).body.errors).toMatchObject([{ field: 'reason', code: 'required' }]);
});

describe('a return after an exchange', () => {
  test('is an R5 of the ticket by differences and an F3 of that for the recipient of the exchange', async () => {
    const sold = await ticket();
    const f3 = await exchanged([sold]);
    const { status, body } = await giveBack(f3.id, -300, { external_id: 'dev-1' });
    expect(status).toBe(201);
    const { rectification, exchanges } = body;
    expect(rectification).toMatchObject({
      ...{ kind: 'rectifying_differences', type: 'simplified', total: -363, external_id: 'dev-1' },
      rectifies: [{ invoice_id: sold.id }],
    });
    expect(exchanges).toMatchObject([
      { kind: 'exchange', type: 'complete', total: -363, recipient: { tax_id: ANA.taxId }, rectifies: [] },
    ]);
    const [r5] = await xmlOf(service.db, rectification.id);
    expect(r5).toContain('<sf:TipoFactura>R5</sf:TipoFactura><sf:TipoRectificativa>I</sf:TipoRectificativa>');
    expect(r5).toMatch(new RegExp(`<sf:FacturasRectificadas>.*${sold.number}<.*</sf:FacturasRectificadas>`));
    const [negative] = await xmlOf(service.db, exchanges[0].id);
    expect(negative).toContain('<sf:TipoFactura>F3</sf:TipoFactura>');
    const documents = new RegExp(
      `<sf:FacturasSustituidas><sf:IDFacturaSustituida>.*${rectification.number}<.*</sf:FacturasSustituidas>`,
    );
    expect(negative).toMatch(documents);
    expect(negative).toContain(
      '<sf:CuotaTotal>-0.63</sf:CuotaTotal><sf:ImporteTotal>-3.63</sf:ImporteTotal>',
    );
    expect(await read(exchanges[0].id, '?expand[]=exchange')).toMatchObject({
      exchange: { exchanges: [{ invoice_id: rectification.id }] },
    });
  });

  test('may follow another one until nothing is left of the ticket; what is left to pay is that of the sale', async () => {
    const sold = await ticket();
    const f3 = await exchanged([sold]);
    const first = (await giveBack(f3.id, -300)).body;
    const payments = async (id: string) => {
      const { payment_status, amount_due } = await read(id, '?expand[]=payments');
      return [payment_status, amount_due];
    };
    expect(await payments(f3.id)).toEqual(['unpaid', 847]);
    expect(await payments(first.exchanges[0].id)).toEqual([undefined, undefined]);
    expect((await giveBack(f3.id, -701)).body).toMatchObject({
      code: 'family_balance_below_zero',
      errors: [{ field: 'line_items' }],
    });
    const second = (await giveBack(f3.id, -700, { ticket_id: sold.id })).body;
    expect(second.rectification.rectifies).toEqual([{ invoice_id: first.rectification.id }]);
    expect(await payments(f3.id)).toEqual(['credited', 0]);
    const paid = { amount: 100, paid_on: '2026-01-05' };
    expect((await call(`/v1/invoices/${first.exchanges[0].id}/payments`, paid)).body.code).toBe(
      'invoice_already_replaced',
    );
  });

  test('names the ticket where there are several, and takes back only', async () => {
    const [one, two, third] = [await ticket(), await ticket(500), await ticket()];
    const f3 = await exchanged([one, two]);
    const fault = async (parts: object, unitAmount = -100) => {
      const { errors } = (await giveBack(f3.id, unitAmount, parts)).body;
      return `${errors[0].field} ${errors[0].code}`;
    };
    expect(await fault({})).toBe('ticket_id required');
    expect(await fault({ ticket_id: third.id })).toBe('ticket_id invalid_value');
    expect(await fault({ ticket_id: two.id }, 100)).toBe('line_items[0].unit_amount too_big');
    expect((await giveBack(f3.id, -600, { ticket_id: two.id })).body.code).toBe('family_balance_below_zero');
    expect((await giveBack(f3.id, -500, { ticket_id: two.id })).status).toBe(201);
    expect((await giveBack(one.id, -100)).body.errors[0]).toMatchObject({ code: 'invalid_value' });
    expect((await giveBack('inv_nothing', -100)).body.code).toBe('invoice_not_found');
  });

  test('is voided as a pair, the last one first, and before the exchange', async () => {
    const sold = await ticket();
    const f3 = await exchanged([sold]);
    const first = (await giveBack(f3.id, -300)).body;
    const second = (await giveBack(f3.id, -200)).body;
    expect((await invalidate(f3.id)).body.code).toBe('invoice_not_family_tip');
    expect((await invalidate(first.exchanges[0].id)).body.code).toBe('invoice_not_family_tip');
    expect((await invalidate(first.rectification.id)).body.code).toBe('invoice_not_family_tip');
    expect((await invalidate(second.exchanges[0].id)).body.status).toBe('voided');
    expect((await read(second.rectification.id)).status).toBe('voided');
    expect((await invalidate(first.rectification.id)).body.status).toBe('voided');
    expect((await read(first.exchanges[0].id)).status).toBe('voided');
    expect((await invalidate(f3.id)).body.status).toBe('voided');
    expect((await read(sold.id, '?expand[]=exchange')).exchange.exchanged_by).toBeNull();
  });

  test('is repeated for its key, and refused for another body', async () => {
    const f3 = await exchanged([await ticket()]);
    const path = `/v1/exchanges/${f3.id}/returns`;
    const body = { line_items: taken(-100), reason: 'Devuelto' };
    const key = { 'idempotency-key': 'dev-k' };
    const [one, two] = [await call(path, body, key), await call(path, body, key)];
    expect([two.headers.get('idempotent-replayed'), two.body]).toEqual(['true', one.body]);
    const conflict = await call(path, { ...body, reason: 'Otra' }, key);
    expect(conflict.body.code).toBe('idempotency_conflict');
  });
});

describe('the replacement of an exchange invoice', () => {
  test('is an F3 in the negative and the right one, of the same tickets', async () => {
    const sold = await ticket();
    const f3 = await exchanged([sold]);
    const { status, body } = await replace(f3.id, { external_id: 'canje-2' });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('rectification');
    expect(body.exchanges).toMatchObject([
      { total: -1_210, recipient: { tax_id: ANA.taxId }, external_id: null },
      { total: 1_210, recipient: { tax_id: other.tax_id }, external_id: 'canje-2' },
    ]);
    for (const { id, total } of body.exchanges) {
      const [xml] = await xmlOf(service.db, id);
      expect(xml).toContain('<sf:TipoFactura>F3</sf:TipoFactura><sf:FacturasSustituidas>');
      expect(xml).toMatch(new RegExp(`<sf:IDFacturaSustituida>.*${sold.number}<`));
      expect(xml).toContain(`<sf:ImporteTotal>${total / 100}0</sf:ImporteTotal>`);
    }
    const [, right] = body.exchanges;
    expect((await read(sold.id, '?expand[]=exchange')).exchange.exchanged_by).toEqual({
      invoice_id: right.id,
    });
    expect((await replace(f3.id)).body.code).toBe('invoice_already_replaced');
    expect((await giveBack(f3.id, -1)).body.code).toBe('invoice_already_replaced');
    expect((await invalidate(f3.id)).body.code).toBe('invoice_already_replaced');
  });

  test('gives the returns their pair, keeps what was paid, and is voided as a whole', async () => {
    const sold = await ticket();
    const f3 = await exchanged([sold]);
    const back = (await giveBack(f3.id, -300)).body;
    await call(`/v1/invoices/${f3.id}/payments`, { amount: 100, paid_on: '2026-01-05' });
    const { exchanges } = (await replace(f3.id)).body;
    expect(exchanges.map(({ total }: Issued) => total)).toEqual([-1_210, 1_210, 363, -363]);
    const [reversal, right, , rightBack] = exchanges;
    expect(await read(right.id, '?expand[]=payments')).toMatchObject({ amount_paid: 100, amount_due: 747 });
    expect((await invalidate(back.exchanges[0].id)).body.code).toBe('invoice_already_replaced');
    const later = (await giveBack(right.id, -200)).body;
    expect(later.exchanges[0].recipient.tax_id).toBe(other.tax_id);
    expect((await invalidate(reversal.id)).body.code).toBe('invoice_not_family_tip');
    await invalidate(later.rectification.id);
    expect((await invalidate(rightBack.id)).body.status).toBe('voided');
    expect((await read(right.id)).status).toBe('voided');
    expect(await read(f3.id, '?expand[]=payments')).toMatchObject({ amount_paid: 100, amount_due: 747 });
  });
});

test('the register book lists R5 of a return and F3, which count for nothing; without those it adds up to the totals', async () => {
  const f3 = await exchanged([await ticket()]);
  const back = (await giveBack(f3.id, -300)).body;
  const { exchanges } = (await replace(f3.id)).body;
  const day = madridDay(new Date());
  const { data } = (
    await service.graphql(
      `query ($day: Date!) { registerBook(from: $day, to: $day, format: csv) { downloadUrl }
        invoiceTotals(filter: { issuedOn: { from: $day, to: $day } }) { total } }`,
      { day },
    )
  ).body;
  const link = data.registerBook.downloadUrl.replace('http://lacre.test', service.url);
  const rows = (parse(await (await fetch(link)).text(), { bom: true, delimiter: ';' }) as string[][]).slice(
    2,
  );
  const at = (row: string[], name: (typeof COLUMN_NAMES)[number]) => row[COLUMN_NAMES.indexOf(name)]!;
  const shown = (number: string) =>
    rows
      .filter((row) => at(row, 'series') + at(row, 'number') === number)
      .map((row) => `${at(row, 'invoiceType')} ${at(row, 'total')}`)
      .join();
  expect(
    [f3, back.rectification, ...back.exchanges, ...exchanges].map(({ number }) => shown(number)),
  ).toEqual([...['F1 12,10', 'R5 -3,63', 'F3 -3,63'], ...['F3 -12,10', 'F3 12,10', 'F3 3,63', 'F3 -3,63']]);
  const counted = rows.filter((row) => at(row, 'invoiceType') !== 'F3');
  const cents = counted.map((row) => Number(at(row, 'total').replace(',', '')));
  expect(cents.reduce((sum, one) => sum + one, 0)).toBe(data.invoiceTotals[0].total);
});

test('all of it is sealed, and payments and totals are what the sealed rows say', async () => {
  const { environmentId } = service.company.test;
  await computeDayTotalsOf(service.db, environmentId, { before: plusDays(madridDay(new Date()), 1) });
  expect(await verifyEnvironment(service.db.pool, environmentId)).toMatchObject({ findings: [] });
  expect(await verifyJournalOnly(service.db.pool, environmentId)).toMatchObject({ findings: [] });
});
