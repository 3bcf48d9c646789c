import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numberSeries } from '../../rest/contract/number-series.ts';
import * as answers from '../../rest/response-schemas.ts';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { makeDefault } from '../../src/subjects/number-series/administer-series.ts';
import { recordOverdue } from '../../src/subjects/payments/overdue.ts';
import { haveTools, textOf } from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { xmlOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, anOldLine, importFiles } from '../support/invoices/old-invoices.ts';

const files = importFiles();
let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: an invoice as the API answers it
let old: any;
beforeAll(async () => {
  service = await testService();
  const details = { external_id: 'old-1', external_customer_id: 'c-old', notes: 'Gracias' };
  await importRows(anOldInvoice('Año/2011-7', details));
  old = (await service.call('GET', '/v1/invoices?external_customer_id=c-old')).body.data[0];
});
afterAll(async () => {
  await service.close();
  files.remove();
});

async function importRows(...rows: object[]) {
  const { environmentId } = service.company.test;
  const result = await importInvoices(service.db, {
    environmentId,
    file: files.jsonLines(rows),
    actor: 'opk_1',
  });
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
}

const refused = async (method: string, path: string, body: object | undefined) => {
  const answer = await service.call(method, path, { body });
  return { status: answer.status, code: answer.body.code };
};

test('reads and lists like any other, on a series of its own and without a registration', async () => {
  const { status, body } = await service.call('GET', `/v1/invoices/${old.id}`);
  expect(status).toBe(200);
  expect(answers.invoice.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    number: 'Año/2011-7',
    status: 'issued',
    kind: 'original',
    number_series_id: expect.stringMatching(/^ns_[0-9a-f]{32}$/),
    verifactu: null,
    invoice_date: '2011-03-03T23:00:00.000Z',
    operation_date: '2011-03-03T23:00:00.000Z',
    external_id: 'old-1',
    recipient_name: 'García Pérez Ana',
    recipient_tax_id: '12345678Z',
    subtotal: 10_000,
    tax: 1_800,
    total: 11_800,
    line_items: [{ tax_items: [{ name: 'IVA 18%', type: 'vat', rate: 18, amount: 1_800 }] }],
    rectifies: [],
    rectified_by: [],
  });
  for (const number of ['Año/2011-7', 'AñO/2011-7']) {
    const list = await service.call('GET', `/v1/invoices?number=${encodeURIComponent(number)}`);
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([old.id]);
  }
});

test('stands in the list where its day puts it', async () => {
  const { body: issued } = await service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice() });
  await importRows(anOldInvoice('Older', { issued_at: '1999-12-31' }));
  const { body } = await service.call('GET', '/v1/invoices');
  const numbers = body.data.map(({ number }: { number: string }) => number);
  expect(numbers).toEqual([issued.number, 'Año/2011-7', 'Older']);
});

test('with a due date is unpaid until its payment is recorded, and past due dates cause no event', async () => {
  const future = '2099-12-31';
  const { accepted } = await importRows(
    anOldInvoice('DUE-PAST', { due_date: '2011-04-01' }),
    anOldInvoice('DUE-LATER', { due_date: future }),
  );
  expect(accepted).toBe(2);
  expect(
    await importRows(
      anOldInvoice('DUE-EARLY', { due_date: '2011-03-03' }),
      anOldInvoice('DUE-NEVER', { due_date: '2011-02-30' }),
    ),
  ).toMatchObject({ accepted: 0, refused: 2 });
  const find = async (number: string) =>
    (await service.call('GET', `/v1/invoices?number=${number}`)).body.data[0];
  expect(await find('DUE-LATER')).toMatchObject({ due_date: future, payment_status: 'unpaid' });
  const past = await find('DUE-PAST');
  expect(past).toMatchObject({ due_date: '2011-04-01', payment_status: 'overdue', amount_due: 11_800 });
  const listed = await service.call('GET', '/v1/invoices?payment_status=overdue');
  expect(listed.body.data.map(({ number }: { number: string }) => number)).toEqual(['DUE-PAST']);
  await recordOverdue(service.db);
  expect((await service.call('GET', '/v1/events?type=invoice.overdue')).body.data).toEqual([]);
  const payment = { amount: 11_800, paid_on: '2011-03-31' };
  expect((await service.call('POST', `/v1/invoices/${past.id}/payments`, { body: payment })).status).toBe(
    201,
  );
  expect((await find('DUE-PAST')).payment_status).toBe('paid');
});

test('says all that an old invoice says: its form, issuer, treatments, disbursements and other currency', async () => {
  const regime = { tax_items: [{ type: 'vat', rate: 21, regime_key: '11' }] };
  const party = { name: 'Gestoría Ruiz SL', tax_id: 'B-12345674' };
  const said = {
    'FORM-1': { qualified_simplified: true, line_items: [anOldLine(regime)] },
    'FORM-2': {
      recipient_unidentified: true,
      recipient: { name: 'Jane Doe', given_name: 'Jane', surnames: 'Doe' },
      line_items: [anOldLine({ tax_items: [{ type: 'es_non_taxable_localization' }] })],
    },
    'FORM-3': { issued_by: 'third_party', third_party: party },
    'FORM-4': {
      issued_by: 'recipient',
      display_currency: { code: 'USD', rate: '1.0837', source: 'ECB' },
      withholding: { rate: 15, base: 5_000 },
      disbursements: [{ description: 'Tasa', amount: 2_000, reference: 'T-1' }],
    },
  };
  const rows = Object.entries(said).map(([number, parts]) => anOldInvoice(number, parts));
  expect(await importRows(...rows)).toMatchObject({ accepted: rows.length });
  const find = async (number: string) =>
    (await service.call('GET', `/v1/invoices?number=${number}`)).body.data[0];
  expect(await find('FORM-1')).toMatchObject({
    qualified_simplified: true,
    line_items: [{ tax_items: [{ regime_key: '11' }] }],
  });
  expect(await find('FORM-2')).toMatchObject({
    recipient_unidentified: true,
    recipient_tax_id: null,
    recipient: { given_name: 'Jane', surnames: 'Doe' },
  });
  expect(await find('FORM-3')).toMatchObject({
    issued_by: 'third_party',
    third_party: { name: party.name, tax_id: 'B12345674', tax_id_type: 'es_nif', tax_id_country: 'ES' },
  });
  expect(await find('FORM-4')).toMatchObject({
    issued_by: 'recipient',
    display_currency: { code: 'usd', rate: '1.0837', source: 'ECB' },
    withholding: { rate: 15, base: 5_000, amount: 750 },
    disbursements: [{ description: 'Tasa', amount: 2_000, reference: 'T-1' }],
    amount_payable: 11_800 - 750 + 2_000,
  });
  const { environmentId } = service.company.test;
  expect((await verifyEnvironment(service.db.pool, environmentId))?.findings).toEqual([]);
});

test.each<[string, Record<string, unknown>]>([
  ['a third party without an issuer', { third_party: { name: 'Gestoría SL', tax_id: 'B12345674' } }],
  [
    'a third party that is the company',
    { issued_by: 'third_party', third_party: { name: 'x y', tax_id: 'B72877814' } },
  ],
  ['an unidentified recipient with a tax id', { recipient_unidentified: true }],
  ['a ticket of a form', { type: 'simplified', qualified_simplified: true }],
  ['terms of payment', { payment: { means: 'transfer' } }],
])('%s is not imported', async (what, parts) => {
  expect(await importRows(anOldInvoice(`NOT-${what}`, parts))).toMatchObject({ accepted: 0, refused: 1 });
});

test('has no records', async () => {
  const query = 'query ($id: ID!) { invoice(id: $id) { notes verifactu { status } records { xml } } }';
  const { body } = await service.graphql(query, { id: old.id });
  expect(body.data.invoice).toEqual({ notes: 'Gracias', verifactu: null, records: [] });
});

describe('importing makes a series', () => {
  const series = async () => (await service.call('GET', `/v1/number_series/${old.number_series_id}`)).body;

  test('imported: true, the one of all imported invoices of the environment, and number_series_id is its id', async () => {
    await importRows(anOldInvoice('Series-A'));
    expect(numberSeries.parse(await series())).toMatchObject({
      id: old.number_series_id,
      type: 'standard',
      is_default: false,
      imported: true,
    });
    const { body } = await service.call('GET', '/v1/number_series');
    expect(body.data.map((one: { imported?: boolean }) => one.imported)).toEqual([
      true,
      undefined,
      undefined,
    ]);
    const { rows } = await service.db.pool.query('select distinct series_id from invoice where imported');
    expect(rows).toEqual([{ series_id: old.number_series_id }]);
  });

  test('that cannot issue', async () => {
    const number_series_id = old.number_series_id;
    const delta = { external: { number: 'Z', issued_on: '2024-01-01' }, method: 'differences' };
    for (const path of ['/v1/invoices', '/v1/invoices/validate']) {
      expect(await refused('POST', path, aSimplifiedInvoice({ number_series_id }))).toEqual({
        status: 422,
        code: 'invalid_number_series',
      });
      expect(await refused('POST', path, aCompleteInvoice({ number_series_id, rectifies: delta }))).toEqual({
        status: 422,
        code: 'rectifying_series_invalid',
      });
    }
    const { environmentId } = service.company.test;
    const by = { actor: 'opk_1' as const, reason: 'Probe' };
    expect(await makeDefault(service.db, by, environmentId, number_series_id)).toMatchObject({
      code: 'invalid_number_series',
    });
    expect(await refused('DELETE', `/v1/number_series/${number_series_id}`, undefined)).toEqual({
      status: 409,
      code: 'number_series_in_use',
    });
    await service.call('POST', '/v1/number_series', { body: { prefix: 'imported', type: 'standard' } });
    expect((await series()).prefix).toBe('imported');
  });

  test('and created_at is when it was imported, invoice_date when it was issued', async () => {
    const before = Date.now();
    await importRows(anOldInvoice('Moment-A', { external_customer_id: 'c-moment' }));
    const { body } = await service.call('GET', '/v1/invoices?external_customer_id=c-moment');
    const { created_at, invoice_date } = body.data[0];
    expect(invoice_date).toBe('2011-03-03T23:00:00.000Z');
    expect(Date.parse(created_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now());
  });
});

describe('was not issued through the service', () => {
  const credit = (unit_amount: number) => [aLine({ quantity: 1, unit_amount })];
  const naming = (
    number: string,
    parts: { method?: string; net?: number; on?: string; sold?: string; amounts?: object } = {},
  ) => {
    const { method = 'differences', net = -1_000, on = '2011-03-04', sold, amounts } = parts;
    const external = {
      number,
      issued_on: on,
      operation_date: sold,
      ...(amounts && { rectified_amounts: amounts }),
    };
    return aCompleteInvoice({ line_items: credit(net), rectifies: { external, method } });
  };

  test('so invoice_id answers invoice_not_rectifiable_at_aeat', async () => {
    for (const method of ['differences', 'substitution']) {
      const body = {
        type: 'complete',
        line_items: credit(method === 'differences' ? -1 : 1_000),
        rectifies: { invoice_id: old.id, method },
      };
      expect(await refused('POST', '/v1/invoices', body)).toEqual({
        status: 422,
        code: 'invoice_not_rectifiable_at_aeat',
      });
    }
  });

  test('and external with its number and day corrects it, with its own amounts, which may be left out', async () => {
    await importRows(anOldInvoice('Own-Amounts', { operation_date: '2011-03-01' }));
    const body = naming('OWN-AMOUNTS', { method: 'substitution', net: 8_000 });
    const { status, body: replacement } = await service.call('POST', '/v1/invoices', { body });
    expect(status).toBe(201);
    const external = { number: 'Own-Amounts', issued_on: '2011-03-04', operation_date: '2011-03-01' };
    expect(replacement.rectifies).toEqual([{ external }]);
    const [xml] = await xmlOf(service.db, replacement.id);
    expect(xml).toContain('<sf:FechaOperacion>01-03-2011</sf:FechaOperacion>');
    expect(xml).toContain('<sf:NumSerieFactura>Own-Amounts</sf:NumSerieFactura>');
    expect(xml).toContain(
      '<sf:BaseRectificada>100.00</sf:BaseRectificada><sf:CuotaRectificada>18.00</sf:CuotaRectificada>',
    );
    const { body: list } = await service.call('GET', '/v1/invoices?number=own-amounts');
    expect(list.data[0].rectified_by).toEqual([{ invoice_id: replacement.id }]);
    expect(await refused('POST', '/v1/invoices', naming('Own-Amounts'))).toEqual({
      status: 422,
      code: 'invoice_already_replaced',
    });
  });

  test('and different amounts are external_reference_invalid, as is another day', async () => {
    await importRows(anOldInvoice('Other-Amounts'));
    const own = { base: 10_000, tax: 1_800 };
    for (const wrong of [
      { amounts: { base: 10_001, tax: 1_800 } },
      { amounts: { ...own, tax: 0 } },
      { amounts: { ...own, surcharge: 1 } },
      { on: '2011-03-03' },
      { sold: '2011-03-03' },
    ]) {
      expect(await refused('POST', '/v1/invoices', naming('Other-Amounts', wrong))).toEqual({
        status: 422,
        code: 'external_reference_invalid',
      });
    }
    const { status } = await service.call('POST', '/v1/invoices', {
      body: naming('Other-Amounts', { amounts: { ...own, surcharge: 0 } }),
    });
    expect(status).toBe(201);
  });

  test('and it heads a family whose balance is its own total', async () => {
    await importRows(anOldInvoice('Family-A'));
    // Its gross total is 118.00, which credits with today's VAT of 21 % come to sooner than its net amount.
    expect((await refused('POST', '/v1/invoices', naming('Family-A', { net: -9_753 }))).code).toBe(
      'family_balance_below_zero',
    );
    const { body: first } = await service.call('POST', '/v1/invoices', {
      body: naming('Family-A', { net: -9_000 }),
    });
    expect((await refused('POST', '/v1/invoices', naming('Family-A'))).code).toBe('invoice_not_family_tip');
    const next = (net: number) => ({
      type: 'complete',
      line_items: credit(net),
      rectifies: { invoice_id: first.id, method: 'differences' },
    });
    expect((await refused('POST', '/v1/invoices', next(-753))).code).toBe('family_balance_below_zero');
    const { status, body: second } = await service.call('POST', '/v1/invoices', { body: next(-752) });
    expect(status).toBe(201);
    const [xml] = await xmlOf(service.db, second.id);
    expect(
      [...xml!.matchAll(/<sf:IDFacturaRectificada>.*?NumSerieFactura>([^<]+)</g)].map(([, name]) => name),
    ).toEqual(['Family-A', first.number]);
  });

  test('and one that was corrected before it was imported stays corrected', async () => {
    await service.call('POST', '/v1/invoices', { body: naming('Late-A') });
    await importRows(anOldInvoice('Late-A'));
    expect((await refused('POST', '/v1/invoices', naming('Late-A'))).code).toBe('invoice_not_family_tip');
  });
});

test('keeps its external_id and its number reserved', async () => {
  const body = aSimplifiedInvoice({ external_id: 'old-1' });
  expect(await refused('POST', '/v1/invoices', body)).toEqual({
    status: 409,
    code: 'external_id_already_used',
  });
  await importRows(anOldInvoice('Shop-12'));
  expect(
    await refused('POST', '/v1/number_series', { prefix: 'shop', type: 'standard', yearly: false }),
  ).toEqual({
    status: 409,
    code: 'number_series_numbering_collision',
  });
});

test('of one external_id, issued and imported at the same moment, one stays and the other is refused', async () => {
  for (let round = 0; round < 6; round += 1) {
    const external_id = `race-${round}`;
    const [issued, imported] = await Promise.all([
      service.call('POST', '/v1/invoices', { body: aSimplifiedInvoice({ external_id }) }),
      importRows(anOldInvoice(`Race/${round}`, { external_id })),
    ]);
    if (imported.accepted === 1) expect(issued.body.code).toBe('external_id_already_used');
    else expect(issued.status).toBe(201);
  }
});

test('has a PDF that is marked as a copy, without QR code', async () => {
  const link = new URL(old.pdf_url);
  const file = await fetch(`${service.url}${link.pathname}${link.search}`);
  expect(file.status).toBe(200);
  const pdf = Buffer.from(await file.arrayBuffer());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  if (!haveTools('pdftotext')) return;
  const text = textOf(pdf);
  expect(text).toContain('Factura (copia)');
  expect(text).toContain('Año/2011-7');
  expect(text).toContain('IVA 18');
  expect(text).not.toMatch(/QR|VERI/);
});
