import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { endOfMadridDay, startOfMadridDay } from '../../src/ground/lib/calendar.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { computeDayTotalsOf } from '../../src/subjects/invoices/compute-day-totals.ts';
import type { InvoiceFilter } from '../../src/subjects/invoices/filter.ts';
import {
  readPaymentTotals,
  readRateTotals,
  readTotals,
} from '../../src/subjects/invoices/store/read-totals.ts';
import type { TotalGroup } from '../../src/subjects/invoices/totals-query.ts';
import { createSeries } from '../../src/subjects/number-series/manage-series.ts';
import { seriesRequest } from '../../src/subjects/number-series/request.ts';
import { companyNif } from '../support/agency/registration.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { anOldInvoice, anOldLine, importFiles } from '../support/invoices/old-invoices.ts';

const files = importFiles();
let database: TestDatabase;
let home: TestEnvironment;
beforeAll(async () => {
  database = await testDatabase();
  ({ test: home } = await createCompany(database.db));
});
afterAll(async () => {
  await database.close();
  files.remove();
});

async function run(file: string, environmentId = home.environmentId) {
  const result = await importInvoices(database.db, { environmentId, file, actor: 'opk_1' });
  if (isRefusal(result)) throw new Error(result.detail);
  const report = result.report === null ? [] : readFileSync(result.report, 'utf8').trimEnd().split('\n');
  return { ...result, report: report.slice(1) };
}

const importRows = (...rows: (object | string)[]) => run(files.jsonLines(rows));

/** The one entry of the report on a row that must be refused, as `code: reason`. */
async function refusal(row: object | string): Promise<string> {
  const { accepted, report } = await importRows(row);
  expect({ accepted, refused: report.length }).toEqual({ accepted: 0, refused: 1 });
  const [, code, reason] = /^1,(\w+),"(.*)"$/.exec(report[0]!)!;
  return `${code}: ${reason}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row of any table
async function rowOf(number: string): Promise<any> {
  const { rows } = await database.db.pool.query(
    'select * from invoice where environment_id = $1 and number = $2',
    [home.environmentId, number],
  );
  return rows[0];
}

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await database.db.pool.query(`select count(*)::int as n from ${table} where ${where}`);
  return rows[0].n;
}

describe('a row that is imported', () => {
  test('is as the old system issued it, without series, record, job or document', async () => {
    const before = {
      records: await count('registration_record'),
      jobs: await count('graphile_worker._private_jobs'),
    };
    const details = {
      issued_at: '2011-03-04T23:30:00+01:00',
      external_id: 'e-1',
      external_customer_id: 'c-1',
      notes: 'Uno\nDos',
      operation_date: '2011-02-28',
      subtotal: 10_000,
      tax: 1_800,
      total: 11_800,
      currency: 'eur',
    };
    expect(await importRows(anOldInvoice('A/1', details))).toEqual({
      accepted: 1,
      refused: 0,
      report: [],
      alreadyImported: false,
    });
    const invoice = await rowOf('A/1');
    expect(invoice).toMatchObject({
      series_id: expect.stringMatching(/^ns_[0-9a-f]{32}$/),
      series_year: null,
      series_number: null,
      imported: true,
      kind: 'original',
      type: 'complete',
      currency: 'eur',
      issued_at: new Date('2011-03-04T22:30:00Z'),
      external_id: 'e-1',
      external_customer_id: 'c-1',
      notes: 'Uno\nDos',
      subtotal: 10_000,
      tax: 1_800,
      total: 11_800,
      recipient_name: 'García Pérez Ana',
      recipient_tax_id: '12345678Z',
      recipient_tax_id_type: 'es_nif',
      recipient_tax_id_country: 'ES',
      issuer: { nif: 'B72877814' },
      breakdown: [{ name: 'IVA 18%', rate: 1800, base: 10_000, tax: 1_800 }],
    });
    const where = `invoice_id = '${invoice.id}'`;
    expect(await count('invoice_line', where)).toBe(1);
    expect(await count('tax_item', `${where} and name = 'IVA 18%' and amount = 1800`)).toBe(1);
    expect(await count('invoice_document', where)).toBe(0);
    expect({
      records: await count('registration_record'),
      jobs: await count('graphile_worker._private_jobs'),
    }).toEqual(before);
  });

  test('of a day began in Madrid', async () => {
    await importRows(anOldInvoice('DAY-A', { issued_at: '2012-07-01' }));
    const { issued_at } = await rowOf('DAY-A');
    expect(issued_at).toEqual(new Date('2012-06-30T22:00:00Z'));
    expect(await count('invoice', "number = 'DAY-A' and issued_on = '2012-07-01'")).toBe(1);
  });

  test('keeps a tax id that no current rule accepts, unchanged', async () => {
    const recipient = { company_name: 'Vieja SL', tax_id: ' B-00000001 ', tax_id_type: 'es_nif' };
    await importRows(anOldInvoice('DIRTY-A', { recipient }));
    expect(await rowOf('DIRTY-A')).toMatchObject({
      recipient_name: null,
      recipient_company_name: 'Vieja SL',
      recipient_tax_id: 'B-00000001',
      recipient_tax_id_type: 'es_nif',
      recipient_tax_id_country: null,
    });
  });

  test('may be a ticket of any amount without recipient, or a credit note', async () => {
    const { accepted } = await importRows(
      anOldInvoice('TICKET-A', {
        type: 'simplified',
        recipient: undefined,
        line_items: [anOldLine({ unit_amount: 400_000 })],
      }),
      anOldInvoice('CREDIT-A', { line_items: [anOldLine({ unit_amount: -400 })] }),
    );
    expect(accepted).toBe(2);
    expect(await rowOf('CREDIT-A')).toMatchObject({ total: -944 });
  });
});

describe('a refused row is reported with its line, code and reason', () => {
  const row = (parts: Record<string, unknown>) => anOldInvoice('REF-A', parts);
  const line = (parts: Record<string, unknown>) => row({ line_items: [anOldLine(parts)] });

  test.each<[object | string, string]>([
    ['{"number"', 'invalid_request: line is not JSON'],
    ['[]', 'invalid_request: The request must be an object.'],
    [row({ number: undefined }), 'invalid_request: number is required'],
    [row({ number: ' A-1' }), 'invalid_request: number begins or ends with a blank'],
    [row({ number: 'x'.repeat(61) }), 'invalid_request: number must have at most 60 characters'],
    [row({ number: 'A\u0000B' }), 'invalid_request: number must not contain control characters'],
    [
      row({ issued_at: '2011-02-29' }),
      'invalid_request: issued_at must be a day, YYYY-MM-DD, or an instant, RFC 3339',
    ],
    [
      row({ issued_at: '2011-02-29T10:00:00Z' }),
      'invalid_request: issued_at must be a day, YYYY-MM-DD, or an instant, RFC 3339',
    ],
    [row({ issued_at: '2011-02-28T25:00:00Z' }), 'invalid_request: issued_at is no existing instant'],
    [row({ issued_at: '2999-01-01' }), 'invalid_request: issued_at must not be in the future'],
    [row({ issued_at: '0001-01-01' }), 'invalid_request: issued_at must not be before 1986-01-01'],
    [
      row({ issued_at: '0000-01-01' }),
      'invalid_request: issued_at must be a day, YYYY-MM-DD, or an instant, RFC 3339',
    ],
    [row({ operation_date: '1985-12-31' }), 'invalid_request: operation_date must not be before 1986-01-01'],
    [row({ type: 'proforma' }), 'invalid_request: type must be one of complete, simplified'],
    [row({ currency: 'usd' }), 'invalid_request: currency must be one of eur'],
    [
      row({ recipient: { tax_id: '12345678Z' } }),
      'invalid_request: recipient.name is required on a complete invoice',
    ],
    [
      row({ recipient: { name: 'x', email: 'y' } }),
      'invalid_request: recipient.email must be an e-mail address',
    ],
    [row({ total_amount: 1 }), 'invalid_request: total_amount no such field'],
    [row({ line_items: [] }), 'invalid_request: line_items must have at least 1 element'],
    [line({ quantity: 1.5 }), 'invalid_request: line_items[0].quantity must be an integer'],
    [
      line({ tax_items: [{ type: 'iva', rate: 18 }] }),
      'invalid_request: line_items[0].tax_items[0].type must be one of',
    ],
    [line({ tax_items: [] }), 'invalid_tax_data: Line 1: it bears one tax'],
    [line({ tax_items: [{ type: 'vat' }] }), 'invalid_tax_rate: Line 1: no rate is no rate of vat'],
    [row({ total: 11_801 }), 'totals_differ: total is 11801 and the lines come to 11800'],
    [
      row({ subtotal: 1, tax: 2 }),
      'totals_differ: subtotal is 1 and the lines come to 10000; tax is 2 and the lines come to 1800',
    ],
    [
      row({ number: 'F-2019-7' }),
      'number_series_numbering_collision: the series F could compose the number F-2019-7',
    ],
    [
      row({ number: 'r-2031-7' }),
      'number_series_numbering_collision: the series R could compose the number r-2031-7',
    ],
  ])('%j', async (given, expected) => {
    const before = await count('invoice');
    expect((await refusal(given)).slice(0, expected.length)).toBe(expected);
    expect(await count('invoice')).toBe(before);
  });

  test('a number that another invoice has, in any case of letters, and an external_id', async () => {
    await importRows(anOldInvoice('Taken/1', { external_id: 'taken' }));
    const { id } = await rowOf('Taken/1');
    for (const number of ['Taken/1', 'TAKEN/1', 'taken/1']) {
      expect(await refusal(anOldInvoice(number))).toBe(
        `number_already_used: invoice ${id} has the number ${number}`,
      );
    }
    expect(await refusal(anOldInvoice('Taken/2', { external_id: 'taken' }))).toBe(
      `external_id_already_used: invoice ${id} has the external_id taken`,
    );
  });

  test('of two rows with one number, or one external_id, the first stays', async () => {
    const { accepted, report } = await importRows(
      anOldInvoice('Twin/1'),
      anOldInvoice('TWIN/1'),
      anOldInvoice('Twin/2', { external_id: 'twin' }),
      anOldInvoice('Twin/3', { external_id: 'twin' }),
      anOldInvoice('Twin/2'),
    );
    expect(accepted).toBe(2);
    expect(report.map((entry) => entry.split(',', 2).join(' '))).toEqual([
      '2 number_already_used',
      '4 external_id_already_used',
      '5 number_already_used',
    ]);
  });

  test('neither its lines nor the others’ are lost or kept by mistake', async () => {
    const two = { line_items: [anOldLine(), anOldLine({ tax_items: [{ type: 'vat', rate: 8 }] })] };
    const before = await count('invoice_line');
    const { accepted, refused } = await importRows(
      anOldInvoice('Whole/1', two),
      anOldInvoice('Whole/1', two),
      '',
      '{}',
      anOldInvoice('Whole/2', two),
    );
    expect({ accepted, refused }).toEqual({ accepted: 2, refused: 2 });
    expect(await count('invoice_line')).toBe(before + 4);
  });

  test('a line that is not UTF-8, or longer than any invoice', async () => {
    const latin1 = Buffer.from(`${JSON.stringify(anOldInvoice('Año/1'))}\n`, 'latin1');
    const { report } = await run(files.write('jsonl', latin1));
    expect(report).toEqual(['1,invalid_request,"line is not UTF-8"']);
    const long = JSON.stringify(anOldInvoice('LONG/1', { notes: 'x'.repeat(1024 * 1024) }));
    const rest = JSON.stringify(anOldInvoice('LONG/2'));
    const after = await run(files.jsonLines([long, rest]));
    expect(after).toMatchObject({
      accepted: 1,
      report: ['1,invalid_request,"line has more than 1048576 bytes"'],
    });
  });
});

test('a byte order mark and Windows line ends do no harm; the last line needs no end', async () => {
  const rows = ['BOM/1', 'BOM/2', 'BOM/3'].map((number) => JSON.stringify(anOldInvoice(number)));
  expect(await run(files.write('jsonl', `\ufeff${rows.join('\r\n')}`))).toMatchObject({
    accepted: 3,
    refused: 0,
  });
});

describe('a series whose numbers could equal an imported one is not created', () => {
  const create = async (prefix: string, yearly: boolean, environmentId = home.environmentId) => {
    const request = seriesRequest.parse({ prefix, type: 'standard', yearly });
    const { outcome } = await createSeries(database.db, environmentId, request, { key: null, sent: null });
    return isRefusal(outcome) ? outcome.code : outcome.prefix;
  };

  test('in any case of its letters, and only then', async () => {
    const numbers = ['legacy-2012-15', 'old-7', 'LEGACY-X-1', 'LEGACY-2012-015', 'Pct%-3'];
    expect((await importRows(...numbers.map((number) => anOldInvoice(number)))).accepted).toBe(5);
    expect(await create('Legacy', true)).toBe('number_series_numbering_collision');
    expect(await create('LEGACY-2012', false)).toBe('number_series_numbering_collision');
    expect(await create('LEGACY', false)).toBe('LEGACY');
    expect(await create('OLD', false)).toBe('number_series_numbering_collision');
    expect(await create('OLD', true)).toBe('OLD');
    expect(await create('LEGACY-X', false)).toBe('number_series_numbering_collision');
    expect(await create('PCT%', false)).toBe('number_series_numbering_collision');
    expect(await create('PCT_', false)).toBe('PCT_');
    expect(await refusal(anOldInvoice('old-2026-1'))).toMatch(/^number_series_numbering_collision/);
  });

  test('an import and a creation at the same moment: one of the two is refused', async () => {
    for (let round = 0; round < 8; round += 1) {
      const prefix = `RACE${round}`;
      const [created, imported] = await Promise.all([
        create(prefix, false),
        importRows(anOldInvoice(`${prefix}-5`)),
      ]);
      expect([created === prefix, imported.accepted === 1].filter(Boolean)).toHaveLength(1);
    }
  });

  test('the question is answered from the index of the numbers', async () => {
    const client = await database.db.pool.connect();
    try {
      await client.query('begin');
      await client.query('set local enable_seqscan = off');
      const { rows } = await client.query(
        `explain select number from invoice where environment_id = 1 and imported
           and upper(number) ~>=~ 'OLD-0' and upper(number) ~<~ 'OLD-:'`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
        /invoice_number_ci.*\n.*Index Cond: .*~>=~ 'OLD-0'/,
      );
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

test('a file of another kind, or for an environment that there is not, is not begun', async () => {
  const { environmentId } = home;
  const runs = await count('import_run');
  const file = files.jsonLines([anOldInvoice('NEVER/1')]);
  expect(await importInvoices(database.db, { environmentId: 999_999, file, actor: 'x' })).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'environment' }],
  });
  expect(await importInvoices(database.db, { environmentId, file: 'old.xlsx', actor: 'x' })).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'file' }],
  });
  expect(await count('import_run')).toBe(runs);
});

test('days that were added up are added up again when an import brings older invoices', async () => {
  const { test: own } = await createCompany(database.db, { nif: companyNif(77) });
  const { environmentId } = own;
  const { pool } = database.db;
  const on = (number: string, day: string) => anOldInvoice(number, { issued_at: `${day}T12:00:00+01:00` });
  const bring = (...rows: object[]) => run(files.jsonLines(rows), environmentId);
  await bring(
    on('B/1', '2011-03-04'),
    on('B/2', '2011-04-01'),
    on('B/3', '2012-12-31'),
    on('B/4', '2013-06-01'),
  );

  const period = {
    issuedFrom: startOfMadridDay('2011-04-01'),
    issuedBefore: endOfMadridDay('2013-06-01'),
  };
  /** By the days' sums, and of all invoices: what the sums know nothing of has them read. */
  const read = async (other: InvoiceFilter = {}) => {
    const found: unknown[] = [];
    for (const filter of [{}, period, { ...period, issuedBefore: period.issuedFrom }])
      for (const groupBy of [[], ['MONTH', 'KIND'], ['QUARTER', 'TAX_RATE'], ['SERIES']] as TotalGroup[][]) {
        const sums = { filter: { ...filter, ...other, inForce: true }, groupBy, max: 100 };
        found.push(
          await readTotals(pool, environmentId, sums),
          await readRateTotals(pool, environmentId, sums),
        );
        if (!sums.groupBy.includes('TAX_RATE'))
          found.push(await readPaymentTotals(pool, environmentId, sums));
      }
    return found;
  };
  const ofAll = () => read({ totalFrom: -1_000_000 });

  expect(await read()).toEqual(await ofAll());
  await computeDayTotalsOf(database.db, environmentId, { before: '2013-01-01' });
  expect(await read()).toEqual(await ofAll());
  await database.owner.query('update day_total set count = count + 1');
  expect(await read()).not.toEqual(await ofAll());
  await database.owner.query('update day_total set count = count - 1');
  await bring(on('B/5', '2010-01-31'));
  const again = 'select day::text from day_to_add where environment_id = $1';
  const { rows } = await database.owner.query(again, [environmentId]);
  expect(rows).toEqual([{ day: '2010-01-31' }]);
  expect(await read()).toEqual(await ofAll());
  await computeDayTotalsOf(database.db, environmentId, { before: '2013-01-01' });
  expect(await read()).toEqual(await ofAll());
  // Where nothing was added up yet, what is older than the import is read as well.
  await database.owner.query('delete from day_total');
  await bring(on('B/6', '2012-05-05'));
  expect(await read()).toEqual(await ofAll());
});
