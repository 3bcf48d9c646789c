import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let complete: { id: string; number_series_id: string };
let simplified: { id: string };
let credit: { id: string };
beforeAll(async () => {
  service = await testService();
  const issue = async (body: object) => (await service.call('POST', '/v1/invoices', { body })).body;
  complete = await issue(aCompleteInvoice({ external_id: 'order-1' }));
  simplified = await issue(aSimplifiedInvoice());
  credit = await issue({
    type: 'complete',
    rectifies: { invoice_id: complete.id, method: 'differences' },
    line_items: [aLine({ quantity: 1, unit_amount: -100 })],
  });
});
afterAll(() => service.close());

async function found(query: string): Promise<string[]> {
  const { status, body } = await service.call('GET', `/v1/invoices?${query}`);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data.map(({ id }: { id: string }) => id);
}

test('GET /v1/invoices is narrowed by each of its filters, of several values by any of them', async () => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format(new Date());
  const all = [credit.id, simplified.id, complete.id];
  const cases: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['external_id=order-1', [complete.id]],
    ['external_id=order-2', []],
    ['type=simplified', [simplified.id]],
    ['type=simplified&type=complete', all],
    ['kind=rectifying_differences', [credit.id]],
    ['kind=original&type=complete', [complete.id]],
    ['status=voided', []],
    ['status=voided&status=issued', all],
    ['verifactu_status=registered', all],
    ['verifactu_status=pending&verifactu_status=rejected', []],
    ['recipient_tax_id=1234-5678z', [credit.id, complete.id]],
    [`number_series_id=${complete.number_series_id}`, [simplified.id, complete.id]],
    ['issued_from=2026-01-01&issued_to=2098-01-01', all],
    [`issued_to=${Number(today.slice(0, 4)) - 1}-12-31`, []],
  ];
  for (const [query, ids] of cases) expect(await found(query), query).toEqual(ids);
});

test('a filtered list is paged by ids, and next_url repeats its filters', async () => {
  const first = await service.call('GET', '/v1/invoices?type=simplified&type=complete&limit=1');
  expect(first.body).toMatchObject({ has_more: true, next_cursor: credit.id });
  const second = await service.call('GET', first.body.next_url);
  expect(second.body.data[0].id).toBe(simplified.id);
  const third = await service.call('GET', second.body.next_url);
  expect(third.body).toMatchObject({ has_more: false, next_url: null });
});

test('all filters that are faulty are named at once', async () => {
  const query = 'type=x&issued_from=2026-02-30&external_id=&kind=original&status=gone&limit=0';
  const { status, body } = await service.call('GET', `/v1/invoices?${query}`);
  expect(status).toBe(400);
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
    ['type', 'issued_from', 'external_id', 'status', 'limit'].sort(),
  );
});
