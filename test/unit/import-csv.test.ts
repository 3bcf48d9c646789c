import { afterAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { readCsv } from '../../src/subjects/importing/csv.ts';
import { UnreadableFile } from '../../src/subjects/importing/source-row.ts';
import { importFiles } from '../support/invoices/old-invoices.ts';

const files = importFiles();
afterAll(() => files.remove());

const HEADER = 'number,issued_at,type,description,quantity,unit_amount,tax_type,tax_rate';

/** The rows with their lines; of one that cannot be read the fault. */
async function read(content: string | Buffer, after = 0) {
  const rows: { line: number; lastLine: number; value: unknown }[] = [];
  for await (const { value, ...lines } of readCsv(files.csv(content), after)) {
    rows.push({ ...lines, value: isRefusal(value) ? value.detail : value });
  }
  return rows;
}

const numbersOf = (rows: Awaited<ReturnType<typeof read>>) =>
  rows.map(({ line, lastLine, value }) => [(value as { number: string }).number, line, lastLine]);

const item = (description: string, quantity = 1, unitAmount = 100) => ({
  description,
  sku: undefined,
  quantity,
  unitAmount,
  taxItems: [{ type: 'vat', rate: 18 }],
});

test('consecutive lines with one number are one invoice, each with a line item', async () => {
  const rows = await read(
    [
      HEADER,
      'A/1,2011-01-01,simplified,one,1,100,vat,18',
      'A/1,,,two,3,-50,vat,18',
      'A/2,2011-01-02,simplified,three,1,100,vat,18',
      'A/1,2011-01-01,simplified,four,1,100,vat,18',
      '',
    ].join('\n'),
  );
  expect(numbersOf(rows)).toEqual([
    ['A/1', 2, 3],
    ['A/2', 4, 4],
    ['A/1', 5, 5],
  ]);
  expect(rows[0]!.value).toEqual({
    number: 'A/1',
    issuedAt: '2011-01-01',
    type: 'simplified',
    lineItems: [item('one'), item('two', 3, -50)],
  });
});

/** Every column, and what a row with these values is read as. */
const COLUMNS: [string, string][] = [
  ['total', '10'],
  ['tax', '-2'],
  ['subtotal', '8'],
  ['number', 'A/1'],
  ['issued_at', '2011-01-01T10:00:00Z'],
  ['type', 'complete'],
  ['currency', 'eur'],
  ['operation_date', '2011-01-01'],
  ['due_date', '2011-02-01'],
  ['external_id', 'e'],
  ['external_customer_id', 'c'],
  ['notes', 'n'],
  ['withholding_rate', '15'],
  ['withholding_base', '5'],
  ['qualified_simplified', 'true'],
  ['recipient_unidentified', 'FALSE'],
  ['issued_by', 'third_party'],
  ['third_party_name', 'tn'],
  ['third_party_tax_id', 'ti'],
  ['third_party_tax_id_type', 'passport'],
  ['third_party_tax_id_country', 'US'],
  ['display_currency_code', 'USD'],
  ['display_currency_rate', '"1,0837"'],
  ['display_currency_source', 'ECB'],
  ['recipient_name', 'rn'],
  ['recipient_given_name', 'rg'],
  ['recipient_surnames', 'rs'],
  ['recipient_company_name', 'rc'],
  ['recipient_tax_id', 'ri'],
  ['recipient_tax_id_type', 'passport'],
  ['recipient_tax_id_country', 'US'],
  ['recipient_email', 're'],
  ['recipient_line1', 'l1'],
  ['recipient_line2', 'l2'],
  ['recipient_postal_code', 'pc'],
  ['recipient_city', 'ci'],
  ['recipient_country', 'US'],
  ['description', 'd'],
  ['sku', 's'],
  ['quantity', '1'],
  ['unit_amount', '8'],
  ['tax_type', 'vat'],
  ['tax_rate', '16'],
  ['regime_key', '11'],
  ['operation_class', 'S1'],
  ['exemption', 'E1'],
  ['disbursement_description', 'dd'],
  ['disbursement_amount', '7'],
  ['disbursement_reference', 'dr'],
  ['surcharge_rate', '4'],
];
const READ = {
  number: 'A/1',
  issuedAt: '2011-01-01T10:00:00Z',
  type: 'complete',
  currency: 'eur',
  operationDate: '2011-01-01',
  dueDate: '2011-02-01',
  externalId: 'e',
  externalCustomerId: 'c',
  notes: 'n',
  subtotal: 8,
  tax: -2,
  total: 10,
  withholding: { rate: 15, base: 5 },
  qualifiedSimplified: true,
  recipientUnidentified: false,
  issuedBy: 'third_party',
  thirdParty: { name: 'tn', taxId: 'ti', taxIdType: 'passport', taxIdCountry: 'US' },
  displayCurrency: { code: 'USD', rate: '1.0837', source: 'ECB' },
  disbursements: [{ description: 'dd', amount: 7, reference: 'dr' }],
  recipient: {
    name: 'rn',
    givenName: 'rg',
    surnames: 'rs',
    companyName: 'rc',
    taxId: 'ri',
    taxIdType: 'passport',
    taxIdCountry: 'US',
    email: 're',
    address: { line1: 'l1', line2: 'l2', postalCode: 'pc', city: 'ci', country: 'US' },
  },
  lineItems: [
    {
      description: 'd',
      sku: 's',
      quantity: 1,
      unitAmount: 8,
      taxItems: [
        { type: 'vat', rate: 16, regimeKey: '11', operationClass: 'S1', exemption: 'E1' },
        { type: 'es_recargo_equivalencia', rate: 4 },
      ],
    },
  ],
};

test('every column is mapped to its field', async () => {
  const lines = [COLUMNS.map(([name]) => name.toUpperCase()), COLUMNS.map(([, value]) => value)];
  const [row] = await read(lines.map((cells) => cells.join(',')).join('\n'));
  expect(row!.value).toEqual(READ);
});

test('semicolons, decimal commas, a byte order mark, Windows line ends, blank lines and quotes', async () => {
  const content = [
    `\ufeff${HEADER.replaceAll(',', ';')}`,
    '',
    'A/1;2011-01-01;simplified;"a; ""b""',
    'c, d";1;100;vat;5,5',
    'A/2;2011-01-01;simplified;e;1;100;vat;18',
  ].join('\r\n');
  const rows = await read(content);
  expect(numbersOf(rows)).toEqual([
    ['A/1', 3, 4],
    ['A/2', 5, 5],
  ]);
  expect(rows[0]!.value).toMatchObject({
    lineItems: [{ description: 'a; "b"\r\nc, d', taxItems: [{ rate: 5.5 }] }],
  });
});

test('starts after any line that ended a row, as if it had read the rows before', async () => {
  const content = [
    HEADER,
    'A/1,2011-01-01,simplified,"x\ny\n\nz",1,100,vat,18',
    'A/1,,,two,1,100,vat,18',
    '',
    'A/2,2011-01-01,simplified,one,1,100,vat,18',
    'A/3,2011-01-01,simplified,one,1,100,vat,18',
  ].join('\n');
  const all = await read(content);
  expect(numbersOf(all)).toEqual([
    ['A/1', 2, 6],
    ['A/2', 8, 8],
    ['A/3', 9, 9],
  ]);
  for (const [index, row] of all.entries()) {
    expect(await read(content, row.lastLine)).toEqual(all.slice(index + 1));
  }
});

test('cells that are no numbers are handed on as they are, to be refused by name', async () => {
  const [row] = await read(`${HEADER}\nA/1,2011-01-01,simplified,x,1.0,1e2,vat,18 %`);
  expect(row!.value).toMatchObject({
    lineItems: [{ quantity: '1.0', unitAmount: '1e2', taxItems: [{ rate: '18 %' }] }],
  });
});

describe('a row that contradicts itself is refused whole, and the next one read', () => {
  const next = 'B/1,2011-01-01,simplified,x,1,100,vat,18';
  test.each([
    ['A/1,2011-01-01,simplified,x,1,100,vat', 'has 7 cells and the header 8'],
    ['A/1,2011-01-01,simplified,x,1,100,vat,18,9', 'has 9 cells and the header 8'],
    [
      'A/1,2011-01-01,simplified,x,1,100,vat,18\nA/1,2011-01-02,,x,1,100,vat,18',
      'issued_at: differs from that on the first line of the invoice',
    ],
    ['A/1,,simplified,x,1,100,vat,18\nA/1,2011-01-02,,x,1,100,vat,18', 'issued_at: differs'],
    [
      `${'A/1,2011-01-01,simplified,x,1,100,vat,18\n'.repeat(500)}A/1,,,x,1,100,vat,18`,
      'must have at most 500',
    ],
  ])('%#', async (lines, problem) => {
    const rows = await read([HEADER, lines, next].join('\n'));
    expect(rows[0]!.value).toContain(problem);
    expect(rows[1]!.value).toMatchObject({ number: 'B/1' });
  });

  test('text that is not UTF-8', async () => {
    const rows = await read(
      Buffer.from([HEADER, 'A/1,2011-01-01,simplified,año,1,100,vat,18', next].join('\n'), 'latin1'),
    );
    expect(rows.map(({ value }) => value)).toEqual([
      'line: is not UTF-8',
      expect.objectContaining({ number: 'B/1' }),
    ]);
  });

  test('lines without a number do not form an invoice', async () => {
    const nameless = ',2011-01-01,simplified,x,1,100,vat,18';
    expect(await read([HEADER, nameless, nameless].join('\n'))).toHaveLength(2);
  });
});

describe('are no cursors', () => {
  const good = 'A/1,2011-01-01,simplified,x,1,100,vat,18';
  test.each([
    [
      'a header with an unknown column',
      `${HEADER},colour\n${good},red`,
      1,
      'there are no such columns: "colour"',
    ],
    [
      'a header without a needed column',
      'number,type\nA/1,simplified',
      1,
      'columns are missing: "issued_at"',
    ],
    [
      'a header with a column twice',
      `${HEADER},number\n${good},A/1`,
      1,
      'columns stand there twice: "number"',
    ],
    ['a file without a header', `${good}\n${good}`, 1, 'there are no such columns: "a/1"'],
    [
      'a quote in the middle',
      `${HEADER}\n${good}\nA/2,"2011"-01-01,s,x,1,1,vat,18`,
      3,
      'the quotes do not match',
    ],
    [
      'a quote that is never closed',
      `${HEADER}\n${good}\nA/2,"2011\n${good}\n`,
      3,
      'the quotes do not match',
    ],
    [
      'a quote that is closed far away',
      `${HEADER}\n${good}\nA/2,"2011\n${`${good}\n`.repeat(3_000)}","`,
      3,
      'the quotes do not match, or the line is too long',
    ],
  ])('%s', async (_name, content, line, problem) => {
    const failure = await read(content).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnreadableFile);
    expect((failure as UnreadableFile).message).toContain(`line ${line}: ${problem}`);
  });
});

test('an empty file has no rows', async () => {
  expect(await read('')).toEqual([]);
  expect(await read(`${HEADER}\n`)).toEqual([]);
});
