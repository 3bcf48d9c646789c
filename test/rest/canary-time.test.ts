import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { agencyDate } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { loadInvoiceContent } from '../../src/subjects/documents/content.ts';
import { issueDue } from '../../src/subjects/drafts/issue-due.ts';
import { computeDayTotalsOf } from '../../src/subjects/invoices/compute-day-totals.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let company: TestCompany;
let operatorKey: string;
beforeAll(async () => {
  service = await testService();
  operatorKey = (await createOperatorKey(service.db.pool, 'Ada')).key;
  company = await createCompany(service.db, {
    address: { line1: 'Calle de Triana 1', postalCode: '35002', city: 'Las Palmas de Gran Canaria' },
  });
});
afterAll(() => service.close());
afterEach(() => clock.reset());

const call = (method: string, path: string, body?: object) =>
  service.call(method, path, { key: company.test.key, ...(body && { body }) });
const issue = (changes: Record<string, unknown> = {}) =>
  call('POST', '/v1/invoices', aSimplifiedInvoice(changes));
const recordsOf = async (id: string) =>
  (
    await service.graphql(
      `{ invoice(id: "${id}") { issuedOn records { xml } } }`,
      {},
      { key: company.test.key },
    )
  ).body.data.invoice as { issuedOn: string; records: { xml: string }[] };
const element = (xml: string, name: string) => new RegExp(`<sf:${name}>([^<]*)<`).exec(xml)?.[1];

test.each([
  ['35001', 'ES', undefined, 'Atlantic/Canary'],
  ['38900', 'ES', undefined, 'Atlantic/Canary'],
  ['28001', 'ES', undefined, 'Europe/Madrid'],
  ['3500-123', 'PT', undefined, 'Europe/Madrid'],
  ['28001', 'ES', 'Atlantic/Canary', 'Atlantic/Canary'],
  ['35001', 'ES', 'Europe/Madrid', 'Europe/Madrid'],
] as const)(
  'a company of %s in %s that names %s has the time of %s',
  async (postalCode, country, timeZone, expected) => {
    const address = { line1: 'Calle 1', postalCode, city: 'Ciudad', country };
    const { companyId } = await createCompany(service.db, { address, ...(timeZone && { timeZone }) });
    const { body } = await service.graphql(
      `{ company(id: "${companyId}") { timeZone } }`,
      {},
      { key: operatorKey },
    );
    expect(body.data.company.timeZone).toBe(expected);
  },
);

// In the order of time: records of a chain never go back.
test.each([
  ['in the last hour of a year', '2028-12-31T23:30:00Z', '2028-12-31', '2028-12-31T23:30:00+00:00', 1],
  ['when the year begins', '2029-01-01T00:00:00Z', '2029-01-01', '2029-01-01T00:00:00+00:00', 1],
  ['before the clocks go forward', '2029-03-25T00:59:59Z', '2029-03-25', '2029-03-25T00:59:59+00:00', 2],
  ['when they do', '2029-03-25T01:00:00Z', '2029-03-25', '2029-03-25T02:00:00+01:00', 3],
  ['in the last hour of a summer day', '2029-07-15T22:30:00Z', '2029-07-15', '2029-07-15T23:30:00+01:00', 4],
  ['before they go back', '2029-10-28T00:59:59Z', '2029-10-28', '2029-10-28T01:59:59+01:00', 5],
  ['when they do', '2029-10-28T01:00:00Z', '2029-10-28', '2029-10-28T01:00:00+00:00', 6],
])('%s day, number and record follow the Canary Islands', async (_when, instant, day, written, number) => {
  clock.freeze(new Date(instant));
  const { status, body } = await issue();
  expect({ status, number: body.number }).toEqual({ status: 201, number: `F-${day.slice(0, 4)}-${number}` });
  const { issuedOn, records } = await recordsOf(body.id);
  expect(issuedOn).toBe(day);
  expect(element(records[0]!.xml, 'FechaExpedicionFactura')).toBe(agencyDate(day));
  expect(element(records[0]!.xml, 'FechaHoraHusoGenRegistro')).toBe(written);
  expect(body.verifactu.qr_url).toContain(`fecha=${agencyDate(day)}`);
});

test('today is that of the company for every day of a request, and an operation is a day of Madrid', async () => {
  clock.freeze(new Date('2029-12-31T23:30:00Z'));
  expect((await issue({ operation_date: '2030-01-01' })).body.errors).toMatchObject([
    { field: 'operation_date', code: 'too_big' },
  ]);
  const { body } = await issue({ operation_date: '2029-12-30', due_date: '2029-12-31' });
  expect(body.operation_date).toBe('2029-12-29T23:00:00.000Z');
  const pay = (paid_on: string) => call('POST', `/v1/invoices/${body.id}/payments`, { amount: 1, paid_on });
  expect((await pay('2030-01-01')).body.errors).toMatchObject([{ field: 'paid_on', code: 'too_big' }]);
  expect((await pay('2029-12-31')).status).toBe(201);
  const schedule = { invoice: aSimplifiedInvoice(), frequency: 'monthly', starts_on: '2029-12-31' };
  const made = (await call('POST', '/v1/invoice_schedules', schedule)).body;
  expect(made.next_dates[0]).toBe('2029-12-31');
  expect((await call('GET', `/v1/invoices/${body.id}`)).body.payment_status).toBe('partially_paid');
  const overdue = () =>
    call('GET', '/v1/invoices?payment_status=overdue').then((page) => page.body.data.length);
  expect(await overdue()).toBe(0);

  const operator = await operatorOf(service);
  expect((await operator.voidInvoice((await issue()).body.id)).errors).toBeUndefined();
  await issueDue(service.services, company.test.environmentId);
  clock.freeze(new Date('2030-01-01T00:00:00Z'));
  expect(await overdue()).toBe(1);
});

test('lists, totals and books have the days on which invoices say that they were issued', async () => {
  clock.freeze(new Date('2030-01-02T12:00:00Z'));
  const count = async (from: string, to: string) =>
    (await call('GET', `/v1/invoices?limit=100&issued_from=${from}&issued_to=${to}`)).body.data.length;
  expect(await count('2028-12-31', '2028-12-31')).toBe(1);
  expect(await count('2029-07-15', '2029-07-15')).toBe(1);
  expect(await count('2029-12-31', '2029-12-31')).toBe(3);
  expect(await count('2030-01-01', '2030-01-02')).toBe(0);
  const months = `{ invoiceTotals(filter: { issuedOn: { from: "2028-12-31", to: "2029-03-31" } }, groupBy: [MONTH]) { month count } }`;
  const totals = async () =>
    (await service.graphql(months, {}, { key: company.test.key })).body.data.invoiceTotals;
  const expected = [
    { month: '2028-12', count: 1 },
    { month: '2029-01', count: 1 },
    { month: '2029-03', count: 2 },
  ];
  expect(await totals()).toEqual(expected);
  // The same from the sums of days.
  await computeDayTotalsOf(service.db, company.test.environmentId);
  expect(await totals()).toEqual(expected);
});

test('a void and its record have the days of the company, and the chain is sound', async () => {
  const { environmentId } = company.test;
  const { rows } = await service.db.pool.query<{ id: string }>(
    'select invoice_id as id from invoice_void where environment_id = $1',
    [environmentId],
  );
  const { id } = rows[0]!;
  const { records } = await recordsOf(id);
  expect(records.map(({ xml }) => element(xml, 'FechaHoraHusoGenRegistro'))).toEqual([
    '2029-12-31T23:30:00+00:00',
    '2029-12-31T23:30:00+00:00',
  ]);
  const bases = { test: 'https://x.example', live: 'https://x.example' };
  expect(await loadInvoiceContent(service.db, bases, environmentId, id)).toMatchObject({
    issuedOn: '2029-12-31',
    voidedOn: '2029-12-31',
  });
  expect((await verifyEnvironment(service.db.pool, environmentId))?.findings).toEqual([]);
});
