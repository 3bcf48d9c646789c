import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { workBatches } from '../../src/subjects/batches/work-batches.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { anOldInvoice, anOldLine, importFiles } from '../support/invoices/old-invoices.ts';
import { operatorIn } from '../support/pages/console.ts';

/** What no invoice may hold is refused alike by every way in: alone, in a batch, as a draft, and of another system. */

const files = importFiles();
let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(async () => {
  await service.close();
  files.remove();
});

const line = (parts: Record<string, unknown>) => ({ line_items: [aLine(parts)] });
const decimals = (parts: object) =>
  line({
    quantity: undefined,
    unit_amount: undefined,
    quantity_decimal: '1',
    unit_amount_decimal: '1',
    ...parts,
  });
const sale = (day: string, rate: number) => ({
  operation_date: day,
  ...line({ tax_items: [{ type: 'vat', rate }] }),
});

type Case = {
  readonly what: string;
  readonly parts: Record<string, unknown>;
  /** Of a refusal of the request its field and reason; else its code. */
  readonly fault: string;
  /** What an import says of the same; null where it has no such field, or rightly takes it. */
  readonly imported: string | null;
};

const CASES: readonly Case[] = [
  ['dollars', { currency: 'usd' }, 'currency unrecognized_field', 'currency'],
  [
    'a due date before the operation',
    { operation_date: '2026-01-02', due_date: '2026-01-01' },
    'due_date too_small',
    'due_date',
  ],
  ['a due date of no day', { due_date: '2026-02-30' }, 'due_date invalid_format', 'due_date'],
  ['a due date of another century', { due_date: '0001-01-01' }, 'due_date too_small', 'due_date'],
  [
    'a delivery that ends before it begins',
    { delivery: { from: '2026-02-02', to: '2026-02-01' } },
    'delivery.to too_small',
    null,
  ],
  ['a rate of another time', sale('2026-01-02', 18), 'invalid_tax_rate', null],
  ['nothing withheld', { withholding: { rate: 0 } }, 'withholding.rate too_small', 'withholding.rate'],
  [
    'more than half withheld',
    { withholding: { rate: 50.01 } },
    'withholding.rate too_big',
    'withholding.rate',
  ],
  [
    'thousandths withheld',
    { withholding: { rate: 19.125 } },
    'withholding.rate invalid_format',
    'withholding.rate',
  ],
  [
    'a ticket with tax withheld',
    { type: 'simplified', recipient: undefined, withholding: { rate: 15 } },
    'withholding not_supported',
    'withholding',
  ],
  [
    'two quantities',
    line({ quantity_decimal: '2' }),
    'line_items[0].quantity_decimal not_supported',
    'quantity',
  ],
  [
    'a quantity with an exponent',
    decimals({ quantity_decimal: '1e3' }),
    'line_items[0].quantity_decimal invalid_format',
    'quantity_decimal',
  ],
  [
    'a quantity of seven decimals',
    decimals({ quantity_decimal: '0.0000001' }),
    'line_items[0].quantity_decimal invalid_format',
    'quantity_decimal',
  ],
  [
    'a price that is no number',
    decimals({ unit_amount_decimal: 'NaN' }),
    'line_items[0].unit_amount_decimal invalid_format',
    'unit_amount_decimal',
  ],
  ['a unit that there is not', line({ unit: '<b>' }), 'line_items[0].unit invalid_value', 'unit'],
  [
    'gross prices by a word',
    { prices_include_tax: 'yes' },
    'prices_include_tax invalid_type',
    'prices_include_tax',
  ],
  [
    'an IBAN of wrong check digits',
    { payment: { means: 'transfer', iban: 'ES9221000418450200051332' } },
    'payment.iban invalid_format',
    null,
  ],
  [
    'a means of payment that there is not',
    { payment: { means: 'bitcoin' } },
    'payment.means invalid_value',
    null,
  ],
  ['a language that there is not', { language: 'fr' }, 'language invalid_value', null],
  ['metadata of a number', { metadata: { a: 1 } }, 'metadata invalid_type', null],
  ['metadata in metadata', { metadata: { a: { b: 'c' } } }, 'metadata invalid_type', null],
  [
    '51 keys of metadata',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'x'])) },
    'metadata too_big',
    null,
  ],
  [
    'a prototype',
    JSON.parse('{ "__proto__": { "isAdmin": true } }'),
    '__proto__ unrecognized_field',
    'no such field',
  ],
].map(([what, parts, fault, imported]) => ({ what, parts, fault, imported }) as Case);

type Answered = { readonly code: string | null; readonly faults: readonly string[] };

const summary = ({ code, faults }: Answered): readonly string[] =>
  code === 'invalid_request' ? faults : [`${code}`];

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
const faultsOf = (body: any): string[] =>
  (body.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);

/** A request with all that a case says, `__proto__` too, which is no field of an object that is written down. */
function requestOf({ parts }: Case, others: object = {}): Record<string, unknown> {
  const request: Record<string, unknown> = { ...aCompleteInvoice(), ...others };
  for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(parts)))
    Object.defineProperty(request, name, value);
  return request;
}

describe('alone, over REST and GraphQL', () => {
  test.each(CASES)('$what', async (one) => {
    expect(summary(await operationsOf(service, 'REST').issue(requestOf(one)))).toContain(one.fault);
    expect([400, 422]).toContain((await operationsOf(service, 'GraphQL').issue(requestOf(one))).status);
  });
});

test('in a batch each has the same refusal at its place, and those between them are issued', async () => {
  const invoices = CASES.flatMap((one, index) => [
    requestOf(one, { external_id: `bad-${index}` }),
    aCompleteInvoice({ external_id: `good-${index}` }),
  ]);
  const { status, body } = await service.call('POST', '/v1/invoice_batches', { body: { invoices } });
  expect(status).toBe(202);
  for (let next: Date | null = new Date(0); next !== null; )
    next = await workBatches(service.services, service.company.test.environmentId, undefined);
  const path = `/v1/invoice_batches/${body.id}/results?limit=100`;
  const { data } = (await service.call('GET', path)).body;
  for (const [index, { what, fault }] of CASES.entries()) {
    const [bad, good] = [data[2 * index], data[2 * index + 1]];
    expect({ what, status: good.status }).toEqual({ what, status: 'issued' });
    expect({ what, reported: summary({ code: bad.error?.code, faults: faultsOf(bad.error ?? {}) }) }).toEqual(
      {
        what,
        reported: expect.arrayContaining([fault]),
      },
    );
  }
});

test('a draft of it is refused, or reports it and is never issued', async () => {
  for (const one of CASES) {
    const { what, fault } = one;
    const { status, body } = await service.call('POST', '/v1/invoice_drafts', {
      body: { invoice: requestOf(one) },
    });
    const faults = faultsOf(body).map((text) => text.replace(/^invoice\./, ''));
    expect({ what, faults }).toEqual({
      what,
      faults: expect.arrayContaining([fault.includes(' ') ? fault : expect.stringContaining(fault)]),
    });
    if (status === 400) continue;
    expect({ what, status }).toEqual({ what, status: 201 });
    const issued = await service.call('POST', `/v1/invoice_drafts/${body.id}/issue`);
    expect([400, 422]).toContain(issued.status);
  }
});

test('of another system’s invoices those are reported that have it', async () => {
  const imported = CASES.filter((one) => one.imported !== null);
  const rows = imported.map((one, index) => {
    const { line_items: lines } = one.parts as { line_items?: Record<string, unknown>[] };
    const [own] = lines ?? [];
    const old = anOldInvoice(`BAD/${index}`, own === undefined ? {} : { line_items: [anOldLine(own)] });
    const row: Record<string, unknown> = { ...old };
    for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(one.parts)))
      if (name !== 'line_items') Object.defineProperty(row, name, value);
    return row;
  });
  const { environmentId } = service.company.test;
  const file = files.jsonLines(rows);
  const done = await importInvoices(service.db, { environmentId, file, actor: 'opk_1' });
  if (isRefusal(done)) throw new Error(done.detail);
  expect(done).toMatchObject({ accepted: 0, refused: rows.length });
  const [, ...report] = readFileSync(done.report!, 'utf8').trimEnd().split('\n');
  for (const [index, one] of imported.entries()) expect(report[index]).toContain(one.imported);
});

test('formulas and markup are texts like any other: kept to the letter, and harmless where they are shown', async () => {
  const [formula, markup] = ['=HYPERLINK("http://x.example")', '<script>alert(1)</script>'];
  const metadata = { [formula]: markup, constructor: formula, toString: '{{7*7}}' };
  const parts = {
    metadata,
    notes: `${markup}\n${formula}`,
    references: { contract: formula },
    ...line({ description: markup }),
  };
  const { status, body } = await service.call('POST', '/v1/invoices', { body: aCompleteInvoice(parts) });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { metadata, references: { contract: formula }, line_items: [{ description: markup }] },
  });
  const found = await service.call(
    'GET',
    `/v1/invoices?metadata[constructor]=${encodeURIComponent(formula)}`,
  );
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  const page = await (await operatorIn(service)).get(`/console/invoices/${body.id}`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('&lt;script&gt;alert(1)');
  expect(page.text).not.toContain('<script>alert');
  expect(Object.prototype).not.toHaveProperty('isAdmin');
});

describe('a day or an instant outside the years 1 to 9999, which the database cannot store, is refused', () => {
  test.each([
    ['GET', '/v1/invoices?issued_from=0000-01-01', 'issued_from'],
    ['GET', '/v1/invoices?issued_to=0000-12-31', 'issued_to'],
    ['GET', '/v1/invoices/export?from=0000-01-01&to=2026-01-01', 'from'],
    ['GET', '/v1/events?created_from=0000-06-01T00:00:00Z', 'created_from'],
    ['GET', '/v1/events?created_to=9999-12-31T23:59:59-01:00', 'created_to'],
  ])('%s %s', async (method, path, field) => {
    const answer = await service.call(method, path);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors[0].field).toBe(field);
  });

  test.each([
    'invoices(filter: { issuedOn: { from: "0000-01-01" } }) { totalCount }',
    'invoices(filter: { changedSince: "0001-01-01T00:00:00+01:00" }) { totalCount }',
    'invoices(filter: { changedSince: "9999-12-31T23:59:59-14:00" }) { totalCount }',
    'invoiceTotals(filter: { issuedOn: { to: "0000-12-31" } }) { count }',
    'events(createdFrom: "0000-01-01T00:00:00Z") { totalCount }',
  ])('{ %s }', async (query) => {
    const { body } = await service.graphql(`{ ${query} }`);
    expect(body.errors.map(({ extensions }: { extensions: object }) => extensions)).toMatchObject([
      { code: 'invalid_request' },
    ]);
  });

  test('also as the day of an invoice that was issued elsewhere', async () => {
    const rectifies = { external: { number: 'X-1', issued_on: '0000-01-01' }, method: 'differences' };
    const body = aCompleteInvoice({ rectifies });
    const answer = await service.call('POST', '/v1/invoices/validate', { body });
    expect([answer.status, answer.body.code]).toEqual([422, 'external_reference_invalid']);
  });

  test('and the first and the last that it can store are requested', async () => {
    const filter =
      '{ issuedOn: { from: "0001-01-01", to: "9999-12-31" }, changedSince: "0001-01-01T00:00:00Z" }';
    const { body } = await service.graphql(`{ invoices(filter: ${filter}) { totalCount } }`);
    expect(body.errors).toBeUndefined();
  });
});
