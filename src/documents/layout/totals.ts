import type { InvoiceContent, PrintedLine } from '../content.ts';
import { amount, money, rate } from './format.ts';
import { printable } from './printable.ts';
import type { Align, Box, Sheet } from './sheet.ts';
import { colours, page, styles, type TextStyle } from './style.ts';
import { words } from './words.ts';
import { wrap } from './wrap.ts';

const PADDING = 3.5;
const GAP = 12;
const SPACE_ABOVE = 16;
const TOTALS: Box = { x: page.right - 236, width: 236 };
const INSET = 8;

/** Base, rate and amount of one tax on the page: the law wants them apart (RD 1619/2012 art. 6.1.g and h). */
type TaxRow = {
  readonly name: string;
  readonly rate: number | null;
  readonly surchargeRate: number | null;
  base: number;
  tax: number;
  surcharge: number;
};

type Column = Box & { readonly title: string; readonly align: Align };
type Total = { readonly label: string; readonly value: string; readonly style: TextStyle };

/** Breakdown and totals, laid out: `height` is what they take, `draw` puts them at the sheet's pen. */
export function closing(content: InvoiceContent): { height: number; draw: (sheet: Sheet) => void } {
  const taxes = taxRows(content.lines);
  const totals = totalsOf(content, taxes);
  const columns = columnsFor(taxes);
  const rows = taxes.map((tax) => cellsOf(tax, columns));
  const rowHeights = rows.map((cells) => (cells[0]?.length ?? 1) * styles.body.leading + 2 * PADDING);
  const headHeight = styles.head.leading + 2 * PADDING;
  const totalsHeight = totals.reduce((sum, { style }) => sum + style.leading + 2 * PADDING, 0);
  const height = SPACE_ABOVE + headHeight + sumOf(rowHeights) + 10 + totalsHeight + 4;
  return {
    height,
    draw: (sheet) => {
      sheet.ensure(height);
      sheet.y += SPACE_ABOVE;
      drawTaxes(sheet, columns, rows, rowHeights, headHeight);
      sheet.y += 10;
      drawTotals(sheet, totals);
      sheet.y += 4;
    },
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The lines by tax, rate and surcharge, in the order of their first appearance. */
function taxRows(lines: readonly PrintedLine[]): TaxRow[] {
  const rows = new Map<string, TaxRow>();
  for (const { subtotal, taxItems } of lines) {
    const [tax, surcharge] = taxItems;
    if (tax === undefined) continue;
    const key = [tax.type, tax.name, tax.rate, surcharge?.rate].join('\u0000');
    let row = rows.get(key);
    if (row === undefined) {
      // Only rated taxes have their rate in their name ("IVA 21%"); the others have none to show.
      const isRated = tax.name.endsWith('%');
      row = {
        name: printable(tax.name.replace(/ [\d,]+%$/, '')),
        rate: isRated ? tax.rate : null,
        surchargeRate: surcharge?.rate ?? null,
        base: 0,
        tax: 0,
        surcharge: 0,
      };
      rows.set(key, row);
    }
    row.base += subtotal;
    row.tax += tax.amount;
    row.surcharge += surcharge?.amount ?? 0;
  }
  return [...rows.values()];
}

function columnsFor(taxes: readonly TaxRow[]): Column[] {
  const w = words.breakdown;
  let right = page.right;
  const place = (title: string, width: number, align: Align): Column => {
    right -= width;
    const column = { title, x: right, width, align };
    right -= GAP;
    return column;
  };
  const columns: Column[] = [];
  if (taxes.some(({ surchargeRate }) => surchargeRate !== null)) {
    columns.push(place(w.surcharge, 84, 'right'), place(w.surchargeRate, 46, 'right'));
  }
  columns.push(place(w.amount, 88, 'right'), place(w.rate, 44, 'right'), place(w.base, 92, 'right'));
  columns.push(place(w.tax, right - page.left, 'left'));
  return columns.reverse();
}

function cellsOf(tax: TaxRow, columns: readonly Column[]): string[][] {
  const percent = (value: number | null) => (value === null ? words.breakdown.none : rate(value));
  const name = wrap(tax.name, styles.body, columns[0]!.width);
  const cells = [name, [amount(tax.base)], [percent(tax.rate)], [amount(tax.tax)]];
  if (columns.length > cells.length) {
    const surcharge = tax.surchargeRate === null ? words.breakdown.none : amount(tax.surcharge);
    cells.push([percent(tax.surchargeRate)], [surcharge]);
  }
  return cells;
}

function drawTaxes(
  sheet: Sheet,
  columns: readonly Column[],
  rows: readonly string[][][],
  rowHeights: readonly number[],
  headHeight: number,
): void {
  sheet.group('Table', () => {
    sheet.group('TR', () => {
      for (const column of columns) {
        const draw = () => sheet.line(column.title, column, sheet.y + PADDING, styles.head, column.align);
        sheet.leaf('TH', draw, { scope: 'Column' });
      }
    });
    sheet.y += headHeight;
    sheet.artifact(() => sheet.rule(sheet.y, colours.accent, 0.9));
    rows.forEach((cells, index) => {
      sheet.group('TR', () => {
        cells.forEach((lines, position) => {
          const column = columns[position]!;
          const draw = () => sheet.lines(lines, column, sheet.y + PADDING, styles.body, column.align);
          sheet.leaf('TD', draw);
        });
      });
      sheet.y += rowHeights[index]!;
      sheet.artifact(() => sheet.rule(sheet.y, colours.hairline, 0.5));
    });
  });
}

function totalsOf({ subtotal, total, currency, tax }: InvoiceContent, taxes: readonly TaxRow[]): Total[] {
  const w = words.totals;
  const surcharge = sumOf(taxes.map((row) => row.surcharge));
  const hasSurcharge = taxes.some(({ surchargeRate }) => surchargeRate !== null);
  const names = new Set(taxes.filter((row) => row.rate !== null).map(({ name }) => name));
  const [onlyName] = names;
  const taxLabel = names.size === 1 && onlyName !== undefined ? w.tax(onlyName) : w.taxes;
  const plain = (label: string, value: number): Total => ({
    label,
    value: money(value, currency),
    style: styles.body,
  });
  return [
    plain(w.net, subtotal),
    plain(taxLabel, tax - surcharge),
    ...(hasSurcharge ? [plain(w.surcharge, surcharge)] : []),
    { label: w.total, value: money(total, currency), style: styles.total },
  ];
}

function drawTotals(sheet: Sheet, totals: readonly Total[]): void {
  const inner = { x: TOTALS.x + INSET, width: TOTALS.width - 2 * INSET };
  for (const { label, value, style } of totals) {
    const height = style.leading + 2 * PADDING;
    const { y } = sheet;
    if (style === styles.total) sheet.artifact(() => sheet.area(TOTALS, y, height, colours.wash));
    sheet.leaf('P', () => {
      sheet.line(label, inner, y + PADDING, style);
      sheet.line(value, inner, y + PADDING, style, 'right');
    });
    sheet.y += height;
  }
}
