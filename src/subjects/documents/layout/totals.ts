import type { InvoiceContent } from '../content.ts';
import { foreignTotals, totalsBelow } from './extensions.ts';
import { widthOf } from './fonts.ts';
import { printable } from './printable.ts';
import type { Align, Box, Sheet } from './sheet.ts';
import { colours, page, styles, type TextStyle } from './style.ts';
import { bareTaxName, isRated, lawfulTaxName } from './tax-names.ts';
import { type Wording, wordingOf } from './wording.ts';
import { wrap } from './wrap.ts';

const PADDING = 3.5;
const GAP = 12;
const SPACE_ABOVE = 16;
const TOTALS: Box = { x: page.right - 236, width: 236 };
const INSET = 8;
const INNER: Box = { x: TOTALS.x + INSET, width: TOTALS.width - 2 * INSET };

/**
 * Base, rate and amount of one tax on the page: the law requires them separately (RD 1619/2012 art. 6.1.g and h).
 */
export type TaxRow = {
  readonly name: string;
  /** The same in the document's language alone. */
  readonly ownName: string;
  readonly rate: number | null;
  readonly surchargeRate: number | null;
  base: number;
  tax: number;
  surcharge: number;
};

type Column = Box & { readonly title: string; readonly align: Align };
type Total = { readonly label: readonly string[]; readonly value: string; readonly style: TextStyle };

/**
 * The position of the totals on their page: the area left of `x` is free, from the height of their first text on.
 */
export type TotalsPlace = { readonly top: number; readonly x: number };

/**
 * Breakdown and totals, laid out: `height` is the height that they need, `draw` draws them at the sheet's position.
 */
export function closing(content: InvoiceContent): { height: number; draw: (sheet: Sheet) => TotalsPlace } {
  const wording = wordingOf(content);
  const taxes = taxRows(content);
  const totals = totalsOf(content, taxes, wording);
  const figures = taxes.map((tax) => figuresOf(tax, wording));
  const columns = columnsFor(taxes, figures, wording);
  const rows = taxes.map((tax, index) => [
    wrap(tax.name, styles.body, columns[0]!.width),
    ...figures[index]!.slice(0, columns.length - 1).map((figure) => [figure]),
  ]);
  const rowHeights = rows.map((cells) => (cells[0]?.length ?? 1) * styles.body.leading + 2 * PADDING);
  const headHeight = styles.head.leading + 2 * PADDING;
  const totalsHeight = sumOf(totals.map(heightOf));
  const height = SPACE_ABOVE + headHeight + sumOf(rowHeights) + 10 + totalsHeight + 4;
  return {
    height,
    draw: (sheet) => {
      sheet.ensure(height);
      sheet.y += SPACE_ABOVE;
      drawTaxes(sheet, columns, rows, rowHeights, headHeight);
      sheet.y += 10;
      const top = sheet.y + PADDING;
      drawTotals(sheet, totals);
      sheet.y += 4;
      return { top, x: TOTALS.x };
    },
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The lines by tax, rate, surcharge and said exemption, in the order of their first appearance. */
export function taxRows(content: InvoiceContent): TaxRow[] {
  const rows = new Map<string, TaxRow>();
  for (const { subtotal, taxItems } of content.lines) {
    const [tax, surcharge] = taxItems;
    if (tax === undefined) continue;
    const key = [tax.type, tax.name, tax.rate, surcharge?.rate, tax.provision].join('\u0000');
    let row = rows.get(key);
    if (row === undefined) {
      row = {
        name: lawfulTaxName(tax, content),
        ownName: bareTaxName(tax, content),
        rate: isRated(tax) ? tax.rate : null,
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

/** Base, rate, amount, rate and amount of the surcharge, as printed. */
type Figures = readonly [string, string, string, string, string];

const NONE = '—';

function figuresOf(tax: TaxRow, { format }: Wording): Figures {
  const percent = (value: number | null) => (value === null ? NONE : format.rate(value));
  const surcharge = tax.surchargeRate === null ? NONE : format.amount(tax.surcharge);
  const { base, rate, surchargeRate } = tax;
  return [format.amount(base), percent(rate), format.amount(tax.tax), percent(surchargeRate), surcharge];
}

/** Columns as wide as their widest figure or title, with a minimum that keeps them from shifting between pages. */
function columnsFor(taxes: readonly TaxRow[], figures: readonly Figures[], { texts }: Wording): Column[] {
  const w = texts.breakdown;
  let right = page.right;
  const place = (title: string, width: number, align: Align): Column => {
    right -= width;
    const column = { title, x: right, width, align };
    right -= GAP;
    return column;
  };
  const figureColumn = (title: string, position: 0 | 1 | 2 | 3 | 4, least: number) => {
    const widths = figures.map((texts) => widthOf(texts[position], styles.body));
    return place(title, Math.max(least, widthOf(title, styles.head), ...widths), 'right');
  };
  const columns: Column[] = [];
  if (taxes.some(({ surchargeRate }) => surchargeRate !== null)) {
    columns.push(figureColumn(w.surcharge, 4, 72), figureColumn(w.surchargeRate, 3, 44));
  }
  columns.push(figureColumn(w.amount, 2, 84), figureColumn(w.rate, 1, 44), figureColumn(w.base, 0, 88));
  columns.push(place(w.tax, right - page.left, 'left'));
  return columns.reverse();
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
    sheet.artifact(() => sheet.rule(sheet.y, colours.accentLine, 0.9));
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

/** The totals of the invoice, one per line; `grand` ones are emphasized. */
export function totalAmounts(
  content: InvoiceContent,
  taxes: readonly TaxRow[],
  { texts }: Wording,
): { readonly label: string; readonly cents: number; readonly grand: boolean }[] {
  const { subtotal, total, tax } = content;
  const w = texts.totals;
  const surcharge = sumOf(taxes.map((row) => row.surcharge));
  const hasSurcharge = taxes.some(({ surchargeRate }) => surchargeRate !== null);
  const names = new Set(taxes.filter((row) => row.rate !== null).map(({ ownName }) => ownName));
  const [onlyName] = names;
  const taxLabel = names.size === 1 && onlyName !== undefined ? w.tax(onlyName) : w.taxes;
  const row = (label: string, cents: number, grand = false) => ({ label, cents, grand });
  const below = totalsBelow(content);
  return [
    row(w.net, subtotal),
    row(taxLabel, tax - surcharge),
    ...(hasSurcharge ? [row(w.surcharge, surcharge)] : []),
    row(w.total, total, true),
    ...below.map(([label, cents], index) => row(label, cents, index === below.length - 1)),
  ];
}

function totalsOf(content: InvoiceContent, taxes: readonly TaxRow[], wording: Wording): Total[] {
  const row = (label: string, value: string, style: TextStyle): Total => {
    // A company may give its tax a long name.
    return { label: wrap(label, style, INNER.width - widthOf(value, style) - GAP), value, style };
  };
  const rows = totalAmounts(content, taxes, wording).map(({ label, cents, grand }) =>
    row(label, wording.format.money(cents, content.currency), grand ? styles.total : styles.body),
  );
  const foreign = foreignTotals(content);
  if (foreign === null) return rows;
  return [
    ...rows,
    row(foreign.heading, '', styles.bodyStrong),
    row(printable(foreign.rate), '', styles.small),
    ...foreign.rows.map(([label, value]) => row(label, value, styles.body)),
  ];
}

function heightOf({ label, style }: Total): number {
  return label.length * style.leading + 2 * PADDING;
}

function drawTotals(sheet: Sheet, totals: readonly Total[]): void {
  for (const total of totals) {
    const { label, value, style } = total;
    const { y } = sheet;
    if (style === styles.total) sheet.artifact(() => sheet.area(TOTALS, y, heightOf(total), colours.wash));
    sheet.leaf('P', () => {
      sheet.lines(label, INNER, y + PADDING, style);
      sheet.line(value, INNER, y + PADDING, style, 'right');
    });
    sheet.y += heightOf(total);
  }
}
