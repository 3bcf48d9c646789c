import { buffer } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { COLUMN_NAMES, HEADERS } from '../../src/subjects/register-books/layout.ts';
import { xlsxOf } from '../../src/subjects/register-books/xlsx.ts';

test('rows that do not fit on a sheet continue on another one, below the same headers', async () => {
  async function* pages() {
    for (let page = 0; page < 3; page += 1)
      yield Array.from({ length: 4 }, (_, at) => ({ number: { text: `${page * 4 + at}` } }));
  }
  const { sheets } = await readXlsx(await buffer(xlsxOf(pages(), 7)));
  expect(new Set(sheets.map(({ name }) => name)).size).toBe(3);
  const number = COLUMN_NAMES.indexOf('number');
  const blank = (rows: readonly (readonly unknown[])[]) =>
    rows.map((row) => COLUMN_NAMES.map((_, at) => row[at] ?? ''));
  for (const { rows } of sheets) expect(blank(rows.slice(0, 2))).toEqual(HEADERS);
  const numbers = sheets.map(({ rows }) => rows.slice(2).map((row) => row[number]));
  expect(numbers).toEqual([
    ['0', '1', '2', '3', '4'],
    ['5', '6', '7', '8', '9'],
    ['10', '11'],
  ]);
});
