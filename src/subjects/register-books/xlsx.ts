import { writeXlsxStream } from 'hucre/xlsx';
import { type BookRow, type Cell, COLUMN_NAMES, COLUMNS, HEADERS, SHEET } from './layout.ts';

/** Excel's own limit is 1,048,576 rows; the rest goes on in another sheet, below the same headers. */
const NUMBER_FORMATS = { decimal: '0.00', day: 'dd/mm/yyyy', whole: '0', text: '@' } as const;

/**
 * The book as a workbook, in pieces: made while it is read, in memory that does not grow with its rows. Texts are text cells,
 * which no spreadsheet computes; amounts are numbers with two decimals, days are dates.
 */
export function xlsxOf(pages: AsyncIterable<readonly BookRow[]>): ReadableStream<Uint8Array> {
  return writeXlsxStream(sheetRows(pages), {
    name: SHEET,
    columns: COLUMN_NAMES.map((name) => ({ width: 16, numFmt: NUMBER_FORMATS[COLUMNS[name].kind] })),
    freezePane: { rows: HEADERS.length },
  });
}

async function* sheetRows(pages: AsyncIterable<readonly BookRow[]>) {
  yield* HEADERS.map((header) => header.map((name) => (name === '' ? null : name)));
  for await (const rows of pages) {
    for (const row of rows) yield COLUMN_NAMES.map((name) => value(row[name] ?? null));
  }
}

function value(cell: Cell): string | number | Date | null {
  if (cell === null) return null;
  if ('text' in cell) return cell.text;
  if ('whole' in cell) return cell.whole;
  if ('day' in cell) return new Date(`${cell.day}T00:00:00Z`);
  return cell.hundredths / 100;
}
