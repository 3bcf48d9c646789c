import { agencyDate } from '../../ground/lib/calendar.ts';
import { uncomputed } from '../../ground/lib/spreadsheet-text.ts';
import { type BookRow, type Cell, COLUMN_NAMES, HEADERS } from './layout.ts';

/** The byte order mark; without it Excel does not recognize UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The book as CSV, in pieces: UTF-8, values separated by semicolons, amounts with a comma and two decimals, days as
 * dd/mm/yyyy (validations 3 and 5). A text that a spreadsheet would interpret as a formula is prefixed with an
 * apostrophe.
 */
export async function* csvOf(pages: AsyncIterable<readonly BookRow[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + HEADERS.map((header) => line(header.map(quoted))).join('');
  for await (const rows of pages) {
    yield rows.map((row) => line(COLUMN_NAMES.map((name) => shown(row[name] ?? null)))).join('');
  }
}

const line = (cells: readonly string[]): string => `${cells.join(';')}\r\n`;

function shown(cell: Cell): string {
  if (cell === null) return '';
  if ('text' in cell) return quoted(cell.text);
  if ('whole' in cell) return String(cell.whole);
  if ('day' in cell) return agencyDate(cell.day).replaceAll('-', '/');
  return hundredths(cell.hundredths);
}

function quoted(text: string): string {
  const cell = uncomputed(text);
  return /[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Exact: no amount goes through a fraction. */
function hundredths(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`;
}
