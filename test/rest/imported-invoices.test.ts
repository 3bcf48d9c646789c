import { afterAll, beforeAll, expect, test } from 'vitest';
import * as answers from '../../rest/response-schemas.ts';
import { isRefusal } from '../../src/errors/refusal.ts';
import { importInvoices } from '../../src/importing/import-invoices.ts';
import { type TestService, testService } from '../support/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices.ts';
import { anOldInvoice, fileBox } from '../support/old-invoices.ts';
import { haveTools, textOf } from '../support/pdf-tools.ts';

const files = fileBox();
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

const refused = async (method: string, path: string, body: object) => {
  const answer = await service.call(method, path, { body });
  return { status: answer.status, code: answer.body.code };
};

test('reads and lists like any other, without a series and without a registration', async () => {
  const { status, body } = await service.call('GET', `/v1/invoices/${old.id}`);
  expect(status).toBe(200);
  expect(answers.invoice.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    number: 'Año/2011-7',
    status: 'issued',
    kind: 'original',
    number_series_id: null,
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

test('has no records', async () => {
  const query = 'query ($id: ID!) { invoice(id: $id) { notes verifactu { status } records { xml } } }';
  const { body } = await service.graphql(query, { id: old.id });
  expect(body.data.invoice).toEqual({ notes: 'Gracias', verifactu: null, records: [] });
});

test('cannot be rectified: the agency does not hold it', async () => {
  for (const method of ['differences', 'substitution']) {
    const body = {
      type: 'complete',
      line_items: [aLine({ unit_amount: method === 'differences' ? -1 : 1_000 })],
      rectifies: { invoice_id: old.id, method },
    };
    expect(await refused('POST', '/v1/invoices', body)).toEqual({
      status: 422,
      code: 'invoice_not_rectifiable_at_aeat',
    });
  }
});

test('is no invoice issued elsewhere either', async () => {
  await importRows(anOldInvoice('Old-Number-A'));
  const rectifies = { external: { number: 'OLD-NUMBER-A', issued_on: '2011-03-04' }, method: 'differences' };
  expect(await refused('POST', '/v1/invoices', aCompleteInvoice({ rectifies }))).toEqual({
    status: 422,
    code: 'external_reference_matches_existing_invoice',
  });
});

test('keeps its external_id and its number for itself', async () => {
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

test('of one external_id, issued and imported at the same moment, one stays and the other is told', async () => {
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

test('has a PDF that says it is a copy, without QR code', async () => {
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
