import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { madridDay, plusDays } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import { importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { COLUMN_NAMES, HEADERS, SHEET } from '../../src/subjects/register-books/layout.ts';
import { BOOK_LINK_SECONDS } from '../../src/subjects/register-books/links.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import {
  ANA,
  decideRecords,
  differences,
  issueWith,
  operatorOf,
  substitution,
} from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, anOldLine, importFiles } from '../support/invoices/old-invoices.ts';
import { type CommandLine, commandLine } from '../support/processes/command-line.ts';
import { command } from './register-book-commands.ts';

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let lacre: CommandLine;
const files = importFiles();
const folder = mkdtempSync(join(tmpdir(), 'lacre-books-'));
const TODAY = madridDay(new Date());

beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
  lacre = commandLine(service.db);
});
afterAll(async () => {
  clock.reset();
  await service?.close();
  files.remove();
  rmSync(folder, { recursive: true, force: true });
});

type Kind = 'test' | 'live';
type Wanted = { from?: string; to?: string; format?: string; activity?: string };
const BOOK = `query ($from: Date!, $to: Date!, $format: RegisterBookFormat!, $activity: String) {
  registerBook(from: $from, to: $to, format: $format, activity: $activity) { filename downloadUrl expiresAt } }`;

const variablesOf = (wanted: Wanted = {}, kind: Kind = 'test') => {
  const variables = { from: TODAY, to: TODAY, format: 'csv', ...wanted };
  return service.graphql(BOOK, variables, { key: service.company[kind].key });
};
/** Where a link leads in this service. */
const local = (link: string) => link.replace('http://lacre.test', service.url);
async function book(wanted: Wanted = {}, kind: Kind = 'test'): Promise<Response> {
  const { body } = await variablesOf(wanted, kind);
  expect(body.errors).toBeUndefined();
  return fetch(local(body.data.registerBook.downloadUrl));
}
type Row = Record<(typeof COLUMN_NAMES)[number], string>;

async function rowsOf(wanted: Wanted = {}, kind: Kind = 'test'): Promise<Row[]> {
  const text = await (await book(wanted, kind)).text();
  const [first, second, ...rows] = parse(text, { bom: true, delimiter: ';' }) as string[][];
  expect([first, second]).toEqual(HEADERS);
  return rows.map((row) => Object.fromEntries(COLUMN_NAMES.map((name, at) => [name, row[at]!])) as Row);
}
const cents = (shown: string): number => (shown === '' ? 0 : Number(shown.replace(',', '')));
const sum = (rows: readonly Row[], column: keyof Row) =>
  rows.reduce((all, row) => all + cents(row[column]), 0);

const TOTALS = `query ($from: Date!, $to: Date!) {
  invoiceTotals(filter: { issuedOn: { from: $from, to: $to } }) { subtotal tax total byRate { type rate base tax } } }`;
async function totals(from = TODAY, to = TODAY, kind: Kind = 'test') {
  const { body } = await service.graphql(TOTALS, { from, to }, { key: service.company[kind].key });
  return body.data.invoiceTotals[0];
}
async function imported(...rows: object[]): Promise<void> {
  const { environmentId } = service.company.test;
  const done = await importInvoices(service.db, {
    environmentId,
    file: files.jsonLines(rows),
    actor: 'opk_1',
  });
  if (isRefusal(done)) throw new Error(done.detail);
}

/** Somebody whom the census knows and every tax of the commands may be charged to, the one-stop shop's included. */
const inPortugal = <T extends { address: object }>(recipient: T) => ({
  ...recipient,
  address: { ...recipient.address, country: 'PT' },
});

/** Runs commands on the invoices so far; what is not allowed in its place is refused, and so changes nothing. */
async function runCommands(
  commands: readonly { what: string; of: number; lines: object[] }[],
): Promise<number> {
  const known: { id: string; type: string; number: string; invoice_date: string; total: number }[] = [];
  for (const { what, of, lines: line_items } of commands) {
    const one = known[of % Math.max(known.length, 1)];
    if (what === 'complete' || what === 'simplified' || one === undefined) {
      const recipient = { ...inPortugal(aCompleteInvoice().recipient), tax_id_type: 'es_nif' };
      const body = (fields: object) =>
        what === 'complete' ? aCompleteInvoice({ recipient, ...fields }) : aSimplifiedInvoice({ ...fields });
      // With the equivalence surcharge on what bears VAT.
      const surcharged =
        of % 4 === 0 ? { line_items: [aLine({ unit_amount: of % 9_999 })], recargo_equivalencia: true } : {};
      known.push(await issueWith(service, body({ line_items, ...surcharged }), 'test'));
    } else if (what === 'void') await operator.voidInvoice(one.id);
    else if (what === 'exchange') {
      const recipient = { ...inPortugal(ANA), taxIdType: 'es_nif' };
      const { data } = await operator.exchangeInvoices({ ticketIds: [one.id], recipient });
      if (data?.result) known.push({ ...one, ...data.result });
    } else {
      const correct = what === 'differences' ? differences : substitution;
      const body = { ...correct(one, 1), line_items };
      const { status, body: issued } = await service.call('POST', '/v1/invoices', { body });
      if (status === 201) known.push(issued);
    }
  }
  return known.length;
}

test('the rows add up to the totals to the cent after any issuing, correction, voiding, exchange and import', async () => {
  for (const [seed, commands] of fc
    .sample(fc.array(command, { minLength: 25, maxLength: 30 }), { seed: 7, numRuns: 2 })
    .entries())
    expect(await runCommands(commands), `history ${seed}`).toBeGreaterThan(5);
  const old = Array.from({ length: 3 }, (_, n) =>
    anOldInvoice(`OLD-${n}`, {
      issued_at: '2011-03-04',
      line_items: [anOldLine(), anOldLine({ tax_items: [{ type: 'vat', rate: 8 }] })],
    }),
  );
  await imported(...old);
  for (const day of [TODAY, '2011-03-04']) {
    const rows = await rowsOf({ from: day, to: day });
    const all = await totals(day, day);
    expect(rows.length).toBeGreaterThan(5);
    expect(sum(rows, 'total')).toBe(all.total);
    for (const row of rows) {
      expect(cents(row.total), JSON.stringify(row)).toBe(
        cents(row.base) + cents(row.tax) + cents(row.surcharge),
      );
    }
    const vat = all.byRate.filter((one: { type: string }) => one.type === 'vat');
    for (const { rate, base, tax } of vat) {
      const ofRate = rows.filter((row) => row.rate !== '' && cents(row.rate) === rate * 100);
      expect({ base: sum(ofRate, 'base'), tax: sum(ofRate, 'tax') }, String(rate)).toEqual({ base, tax });
    }
    const surcharges = all.byRate.filter((one: { type: string }) => one.type === 'es_recargo_equivalencia');
    expect(sum(rows, 'surcharge')).toBe(
      surcharges.reduce((s: number, one: { tax: number }) => s + one.tax, 0),
    );
  }
  const seen = (await rowsOf()).map(({ invoiceType }) => invoiceType);
  expect(seen).toEqual(expect.arrayContaining(['F1', 'F2', 'R1', 'R5']));
});

test('the workbook holds the same rows, as numbers, days and texts', async () => {
  const answer = await book({ format: 'xlsx' });
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="facturas-expedidas-${TODAY}-${TODAY}.xlsx"`,
  );
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
  expect(sheets.map(({ name }) => name)).toEqual([SHEET]);
  const shown = (value: unknown, name: string): string => {
    if (value === null || value === undefined) return '';
    if (value instanceof Date) return value.toISOString().slice(0, 10).split('-').reverse().join('/');
    if (typeof value === 'number')
      return name === 'year' ? String(value) : value.toFixed(2).replace('.', ',');
    return String(value);
  };
  const [first, second, ...rows] = sheets[0]!.rows.map((row) =>
    COLUMN_NAMES.map((name, at) => shown(row[at], name)),
  );
  expect([first, second]).toEqual(HEADERS);
  expect(rows).toEqual((await rowsOf()).map((row) => COLUMN_NAMES.map((name) => row[name])));
});

describe('a row', () => {
  const only = async (body: object): Promise<Row[]> => {
    const { number } = await issueWith(service, body, 'live');
    return (await rowsOf({}, 'live')).filter((row) => row.series + row.number === number);
  };

  test('names recipient, key and class, and distinguishes what is not VAT', async () => {
    const foreign = aCompleteInvoice({
      recipient: {
        ...{ name: 'ACME GmbH', tax_id: 'DE123456789', tax_id_type: 'eu_vat', tax_id_country: 'DE' },
        address: { line1: 'Allee 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      },
      line_items: [
        aLine({ tax_items: [{ type: 'eu_b2b_services' }] }),
        aLine({ tax_items: [{ type: 'igic', rate: 7 }] }),
      ],
    });
    expect(await only(foreign)).toMatchObject([
      {
        ...{
          year: TODAY.slice(0, 4),
          invoiceType: 'F1',
          taxIdType: '02',
          taxIdCountry: '',
          taxId: 'DE123456789',
        },
        ...{ recipientName: 'ACME GmbH', regimeKey: '01', operationClass: 'N2', exemption: '' },
        ...{
          total: '200,00',
          base: '200,00',
          rate: '',
          tax: '',
          issuedOn: TODAY.split('-').reverse().join('/'),
        },
      },
      { regimeKey: '08', operationClass: 'N2', total: '214,00', base: '214,00', rate: '' },
    ]);
    expect(await only(aSimplifiedInvoice())).toMatchObject([
      {
        invoiceType: 'F2',
        taxId: '',
        recipientName: 'VENTAS A CONSUMIDOR FINAL',
        rate: '21,00',
        tax: '42,00',
      },
    ]);
  });

  test('of a replaced invoice comes twice, the second time negative, and none of a voided one', async () => {
    const original = await issueWith(service, aCompleteInvoice(), 'test');
    const later = await issueWith(service, substitution(original, 15_000), 'test');
    const voided = await issueWith(service, aSimplifiedInvoice(), 'test');
    expect((await operator.voidInvoice(voided.id)).errors).toBeUndefined();
    const rows = await rowsOf();
    const of = ({ number }: { number: string }) =>
      rows
        .filter((row) => row.series + row.number === number)
        .map(({ total, tax, invoiceType }) => [total, tax, invoiceType]);
    expect(of(original)).toEqual([
      ['242,00', '42,00', 'F1'],
      ['-242,00', '-42,00', 'F1'],
    ]);
    expect(of(later)).toEqual([['181,50', '31,50', 'R1']]);
    expect(of(voided)).toEqual([]);
  });

  test('of a rectificativa has the type of its reason, that of a ticket one of its own', async () => {
    const types = async (corrected: object, reason: string) => {
      const original = await issueWith(service, corrected, 'test');
      const rectifies = { invoice_id: original.id, method: 'differences', reason };
      const { number } = await issueWith(service, differences(original, -1_000, { rectifies }), 'test');
      const rows = await rowsOf();
      return rows.find((row) => row.series + row.number === number)!.invoiceType;
    };
    expect(await types(aSimplifiedInvoice(), 'correction')).toBe('R5');
    expect(await types(aCompleteInvoice(), 'correction')).toBe('R1');
    expect(await types(aCompleteInvoice(), 'insolvency')).toBe('R2');
    expect(await types(aCompleteInvoice(), 'uncollectible')).toBe('R3');
    expect(await types(aCompleteInvoice(), 'other')).toBe('R4');
  });

  test('is as it is declared after an amendment', async () => {
    const invoice = await issueWith(service, aCompleteInvoice(), 'live');
    await decideRecords(service.db, invoice.id, 'registered_with_errors');
    const recipient = { name: 'GARCIA PEREZ ANA' };
    expect((await operator.amendRecord({ invoiceId: invoice.id, recipient })).errors).toBeUndefined();
    const nameInBook = async () =>
      (await rowsOf({}, 'live')).find((row) => row.series + row.number === invoice.number)?.recipientName;
    expect(await nameInBook()).toBe('García Pérez Ana');
    await decideRecords(service.db, invoice.id, 'registered');
    expect(await nameInBook()).toBe('GARCIA PEREZ ANA');
  });

  test('of an exchanged ticket comes twice as well, so its invoice is no F3, which would count for nothing', async () => {
    const ticket = await issueWith(service, aSimplifiedInvoice(), 'test');
    const { data } = await operator.exchangeInvoices({ ticketIds: [ticket.id], recipient: ANA });
    const rows = await rowsOf();
    const of = (number: string) =>
      rows
        .filter((row) => row.series + row.number === number)
        .map(({ total, invoiceType }) => [total, invoiceType]);
    expect(of(ticket.number)).toEqual([
      ['242,00', 'F2'],
      ['-242,00', 'F2'],
    ]);
    expect(of(data.result.number)).toEqual([['242,00', 'F1']]);
  });

  test('contains no formula, for any name of a recipient, and has the activity that was given', async () => {
    const name = '=HYPERLINK("http://x";"y")';
    const recipient = { ...aCompleteInvoice().recipient, company_name: name };
    const [row] = await only(aCompleteInvoice({ recipient, operation_date: plusDays(TODAY, -400) }));
    expect(row).toMatchObject({ recipientName: `'${name}`, activityCode: '' });
    // The quarter is that of the operation.
    expect(row).toMatchObject({ year: plusDays(TODAY, -400).slice(0, 4) });
    expect(row!.operationOn).toBe(plusDays(TODAY, -400).split('-').reverse().join('/'));
    const answer = await book({ format: 'xlsx', activity: 'A036533' }, 'live');
    const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
    const found = sheets[0]!.rows.find((cells) => cells[COLUMN_NAMES.indexOf('recipientName')] === name)!;
    expect(found.slice(2, 5)).toEqual(['A', '03', '6533']);
  });
});

describe('what is not a register book', () => {
  test.each<[string, Wanted, string, string]>([
    ['a period that ends before it begins', { from: TODAY, to: plusDays(TODAY, -1) }, 'to', 'out_of_range'],
    ['a day that is none', { from: '2026-02-30' }, 'from', 'invalid_type'],
    ['more than a year', { from: '2024-01-01', to: '2025-01-01' }, 'to', 'too_big'],
    ['a period to come', { from: plusDays(TODAY, 1), to: plusDays(TODAY, 2) }, 'from', 'out_of_range'],
    ['an activity that is none', { activity: 'ferretería' }, 'activity', 'invalid_value'],
  ])('%s is refused', async (_name, wanted, field, code) => {
    const { body } = await variablesOf(wanted);
    expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
  });

  test('a link opens its own book only, and only until it expires', async () => {
    const { body } = await variablesOf();
    const link = new URL(local(body.data.registerBook.downloadUrl));
    const token = link.searchParams.get('token')!;
    const [text, signature] = token.split('.') as [string, string];
    const other = JSON.parse(Buffer.from(text, 'base64url').toString());
    const forged = Buffer.from(
      JSON.stringify({ ...other, environmentId: service.company.live.environmentId }),
    );
    for (const wrong of ['x', '', `${forged.toString('base64url')}.${signature}`, `${token}.x`]) {
      const answer = await service.call('GET', `/v1/register_books/file?token=${wrong}`, { key: null });
      expect(answer.body.code, wrong).toBe('download_link_expired');
    }
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
    clock.freeze(new Date(Date.now() + BOOK_LINK_SECONDS * 1_000));
    const late = await service.call('GET', link.pathname + link.search, { key: null });
    expect(late.body.code).toBe('download_link_expired');
    clock.reset();
  });

  test('a caller that leaves in the middle returns connection and turn', async () => {
    const { body } = await variablesOf({}, 'live');
    for (let n = 0; n < 5; n += 1) {
      const leaving = new AbortController();
      const answer = await fetch(local(body.data.registerBook.downloadUrl), { signal: leaving.signal });
      expect(answer.status).toBe(200);
      leaving.abort();
    }
    const held = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
    await expect.poll(async () => (await service.owner.query(held)).rowCount).toBe(0);
    expect((await book({}, 'live')).status).toBe(200);
  });
});

describe('lacre books export', () => {
  const exported = (...words: string[]) =>
    lacre(['books', 'export', '--company', service.company.companyId, '--json', ...words]);

  test('writes the file that the link gives', async () => {
    const out = join(folder, 'book.csv');
    const run = await exported(
      '--environment',
      'test',
      '--from',
      TODAY,
      '--to',
      TODAY,
      '--format',
      'csv',
      '--out',
      out,
    );
    expect(run, run.stderr).toMatchObject({ exit: 0 });
    expect(run.json()).toMatchObject({ file: out, format: 'csv' });
    expect(readFileSync(out, 'utf8')).toBe(await textOfBook());
    expect(readdirSync(folder)).toEqual(['book.csv']);
  });

  test.each([
    ['a company that is none', ['--company', 'co_x']],
    ['a file that cannot be written', ['--out', join(folder, 'none', 'x.csv')]],
    ['a period that ends before it begins', ['--to', '2020-01-01']],
  ])('refuses %s', async (_name, words) => {
    const run = await exported(
      '--from',
      TODAY,
      '--to',
      TODAY,
      '--format',
      'csv',
      '--out',
      join(folder, 'x.csv'),
      ...words,
    );
    expect(run.exit, run.stderr).not.toBe(0);
    expect(JSON.parse(run.stderr).code).toBe('invalid_request');
  });
});

const textOfBook = async () => `\uFEFF${await (await book()).text()}`;
