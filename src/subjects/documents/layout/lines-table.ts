import type { InvoiceContent, PrintedLine } from '../content.ts';
import { widthOf } from './fonts.ts';
import { printable } from './printable.ts';
import { grossPrice, quantityAndPrice } from './quantities.ts';
import { type Align, type Box, fullWidth, type Sheet } from './sheet.ts';
import { colours, page, styles, type TextStyle } from './style.ts';
import { taxName } from './tax-names.ts';
import { type Wording, wordingOf } from './wording.ts';
import { wrap } from './wrap.ts';

const GAP = 12;
const PADDING = 4.5;
const HEAD_HEIGHT = styles.head.leading + 2 * PADDING;
const CARRY_HEIGHT = styles.bodyStrong.leading + 2 * PADDING;
/** Names of taxes may be sentences; a wider column would leave the description too little space. */
const MAX_TAX_WIDTH = 86;

type Column = Box & { readonly title: string; readonly align: Align };
type CellLine = { readonly text: string; readonly style: TextStyle };
type Row = {
  readonly cells: readonly (readonly CellLine[])[];
  readonly height: number;
  readonly subtotal: number;
};

/**
 * The table of lines over as many pages as needed, with its header repeated and the running sum carried over.
 * `closingHeight` is the height of what must be on the same page as the last line: totals are never alone on a
 * page.
 */
export function drawLines(sheet: Sheet, content: InvoiceContent, closingHeight: number): void {
  const { lines } = content;
  const wording = wordingOf(content);
  const figures = lines.map((line) => figuresOf(line, content, wording));
  const columns = columnsFor(figures, wording);
  const rows = lines.map((line, index) => rowOf(line, figures[index]!, columns, content));
  const first = rows[0];
  sheet.ensure(HEAD_HEIGHT + (first?.height ?? 0) + (rows.length === 1 ? closingHeight : CARRY_HEIGHT));
  sheet.group('Table', () => {
    sheet.group('TR', () =>
      drawHeadRow(sheet, columns, (draw) => sheet.leaf('TH', draw, { scope: 'Column' })),
    );
    let carried = 0;
    let onPage = 0;
    rows.forEach((row, index) => {
      const reserved = index === rows.length - 1 ? closingHeight : CARRY_HEIGHT;
      if (onPage > 0 && row.height + reserved > sheet.room) {
        carryOver(sheet, columns, carried, wording);
        onPage = 0;
      }
      drawRow(sheet, columns, row);
      carried += row.subtotal;
      onPage += 1;
    });
  });
}

/** Quantity, price, tax and amount as printed. */
type Figures = readonly [quantity: string, unitAmount: string, tax: string, amount: string];

function figuresOf(line: PrintedLine, content: InvoiceContent, { format }: Wording): Figures {
  const tax = line.taxItems.map((tax) => taxName(tax, content)).join(' + ');
  return [...quantityAndPrice(line, content), tax, format.amount(line.subtotal)];
}

/** Columns as wide as their widest figure; the description gets the remaining width. */
function columnsFor(figures: readonly Figures[], { texts }: Wording): readonly Column[] {
  const { quantity, unitAmount, tax, amount: amountTitle, description } = texts.lines;
  const widestOf = (title: string, position: 0 | 1 | 2 | 3) =>
    figures.reduce(
      (width, texts) => Math.max(width, widthOf(texts[position], styles.body)),
      widthOf(title, styles.head),
    );
  let right = page.right;
  const place = (title: string, width: number, align: Align): Column => {
    right -= width;
    const column = { title, x: right, width, align };
    right -= GAP;
    return column;
  };
  // The carried sums are the widest figures of the last column and not known yet: a tenth more is reserved.
  const amountColumn = place(amountTitle, Math.max(62, widestOf(amountTitle, 3) * 1.1), 'right');
  const taxColumn = place(tax, Math.min(MAX_TAX_WIDTH, widestOf(tax, 2)), 'left');
  const unitColumn = place(unitAmount, widestOf(unitAmount, 1), 'right');
  const quantityColumn = place(quantity, widestOf(quantity, 0), 'right');
  const descriptionColumn = place(description, right - page.left, 'left');
  return [descriptionColumn, quantityColumn, unitColumn, taxColumn, amountColumn];
}

function rowOf(
  line: PrintedLine,
  figures: Figures,
  columns: readonly Column[],
  content: InvoiceContent,
): Row {
  const { texts } = wordingOf(content);
  const cell = (text: string, style: TextStyle, column: number) =>
    wrap(text, style, columns[column]!.width).map((part): CellLine => ({ text: part, style }));
  const description = cell(printable(line.description), styles.body, 0);
  if (line.sku !== null) description.push(...cell(printable(texts.lines.sku(line.sku)), styles.small, 0));
  if (line.corrects != null) description.push(...cell(texts.lines.corrects(line.corrects), styles.small, 0));
  const gross = grossPrice(line, content);
  if (gross !== null) description.push(...cell(gross, styles.small, 0));
  const cells = [description, ...figures.map((text, index) => cell(text, styles.body, index + 1))];
  const height = Math.max(...cells.map((parts) => parts.reduce((sum, { style }) => sum + style.leading, 0)));
  return { cells, height: height + 2 * PADDING, subtotal: line.subtotal };
}

function drawHeadRow(sheet: Sheet, columns: readonly Column[], cell: (draw: () => void) => void): void {
  const y = sheet.y + PADDING;
  for (const column of columns) {
    cell(() => sheet.line(column.title, column, y, styles.head, column.align));
  }
  sheet.y += HEAD_HEIGHT;
  sheet.artifact(() => sheet.rule(sheet.y, colours.accentLine, 0.9));
}

function drawRow(sheet: Sheet, columns: readonly Column[], row: Row): void {
  sheet.group('TR', () => {
    row.cells.forEach((parts, index) => {
      const column = columns[index]!;
      sheet.leaf('TD', () => {
        let y = sheet.y + PADDING;
        for (const { text, style } of parts) {
          sheet.line(text, column, y, style, column.align);
          y += style.leading;
        }
      });
    });
  });
  sheet.y += row.height;
  sheet.artifact(() => sheet.rule(sheet.y, colours.hairline, 0.5));
}

function carryOver(sheet: Sheet, columns: readonly Column[], sum: number, { texts, format }: Wording): void {
  const figure = format.amount(sum);
  drawCarry(sheet, texts.lines.carriedOver, figure);
  sheet.newPage();
  sheet.artifact(() => drawHeadRow(sheet, columns, (draw) => draw()));
  drawCarry(sheet, texts.lines.broughtForward, figure);
  sheet.artifact(() => sheet.rule(sheet.y, colours.hairline, 0.5));
}

/** Carried sums help the reader and are not part of the table's content. */
function drawCarry(sheet: Sheet, label: string, sum: string): void {
  const y = sheet.y + PADDING;
  const labelBox = { x: page.left, width: fullWidth.width - 120 };
  sheet.artifact(() => {
    sheet.line(label, labelBox, y, styles.bodyStrong, 'right');
    sheet.line(sum, fullWidth, y, styles.bodyStrong, 'right');
  });
  sheet.y += CARRY_HEIGHT;
}
