import { type BookRow, type Cell, COLUMN_NAMES, COLUMNS, HEADERS, SHEET } from './layout.ts';

/** Excel's limit of rows; the rest continues in another sheet, below the same headers. */
const ROWS_OF_A_SHEET = 1_048_576;

const NUMBER_FORMATS = { decimal: '0.00', day: 'dd/mm/yyyy', whole: '0', text: '@' } as const;

/**
 * The book as a workbook, in pieces, written while it is read, in constant memory. Texts are text cells, which no
 * spreadsheet computes; amounts are numbers with two decimals, days are dates.
 */
export async function* xlsxOf(
  pages: AsyncIterable<readonly BookRow[]>,
  rowsOfASheet = ROWS_OF_A_SHEET,
): AsyncGenerator<Uint8Array> {
  // Only here, because the library takes 2 MB, which most processes never need.
  const { writeXlsxStream } = await import('hucre/xlsx');
  yield* writeXlsxStream(sheetRows(pages, rowsOfASheet), {
    // The library repeats one row of headers, and there are two.
    ...{ maxRowsPerSheet: rowsOfASheet, repeatHeaders: false },
    name: SHEET,
    columns: COLUMN_NAMES.map((name) => ({ width: 16, numFmt: NUMBER_FORMATS[COLUMNS[name].kind] })),
    freezePane: { rows: HEADERS.length },
  });
}

async function* sheetRows(pages: AsyncIterable<readonly BookRow[]>, rowsOfASheet: number) {
  const headers = HEADERS.map((header) => header.map((name) => (name === '' ? null : name)));
  yield* headers;
  let written = headers.length;
  for await (const rows of pages) {
    for (const row of rows) {
      if (written === rowsOfASheet) {
        yield* headers;
        written = headers.length;
      }
      yield COLUMN_NAMES.map((name) => value(row[name] ?? null));
      written += 1;
    }
  }
}

function value(cell: Cell): string | number | Date | null {
  if (cell === null) return null;
  if ('text' in cell) return cell.text;
  if ('whole' in cell) return cell.whole;
  if ('day' in cell) return new Date(`${cell.day}T00:00:00Z`);
  return cell.hundredths / 100;
}
