import type { InvoiceContent } from '../content.ts';
import { disbursementList, foreignTotals, paymentBox } from './extensions.ts';
import { paragraphsOf, printable } from './printable.ts';
import { drawQrCode } from './qr-code.ts';
import { grossPrice, quantityAndPrice } from './quantities.ts';
import {
  type Block,
  centred,
  facts,
  gap,
  inner,
  paragraph,
  ROLL,
  ROLL_TEXT,
  rule,
  withFigure,
} from './roll-blocks.ts';
import type { Align, Box } from './sheet.ts';
import { taxName } from './tax-names.ts';
import { type TaxRow, taxRows, totalAmounts } from './totals.ts';
import type { Wording } from './wording.ts';
import { wrap } from './wrap.ts';

/** Each line: the description, and below it quantity, price and tax, with its net amount. */
export function lineBlocks(content: InvoiceContent, { texts, format }: Wording): Block[] {
  return content.lines.flatMap((line) => {
    const [quantity, price] = quantityAndPrice(line, content);
    const taxes = line.taxItems.map((tax) => taxName(tax, content)).join(' + ');
    const gross = grossPrice(line, content);
    return [
      ...paragraph(printable(line.description), ROLL_TEXT.body),
      ...(line.sku === null ? [] : paragraph(texts.lines.sku(printable(line.sku)), ROLL_TEXT.body)),
      ...(line.corrects == null ? [] : paragraph(texts.lines.corrects(line.corrects), ROLL_TEXT.body)),
      ...(gross === null ? [] : paragraph(gross, ROLL_TEXT.body)),
      ...withFigure(`${quantity} × ${price}  ${taxes}`, format.amount(line.subtotal), ROLL_TEXT.body),
      gap(2),
    ];
  });
}

/** The taxes, base by base, and the totals. */
export function amountBlocks(content: InvoiceContent, wording: Wording): Block[] {
  const taxes = taxRows(content);
  const totals = totalAmounts(content, taxes, wording).flatMap(({ label, cents, grand }) =>
    withFigure(
      label,
      wording.format.money(cents, content.currency),
      grand ? ROLL_TEXT.total : ROLL_TEXT.body,
    ),
  );
  const { tax, base, amount } = wording.texts.breakdown;
  return [
    tableRow([tax, base, amount], ROLL_TEXT.strong),
    ...taxes.flatMap((row) => taxBlocks(row, wording)),
    rule(),
    ...totals,
    ...foreignBlocks(content),
  ];
}

/** The totals in another currency. */
function foreignBlocks(content: InvoiceContent): Block[] {
  const foreign = foreignTotals(content);
  if (foreign === null) return [];
  return [
    gap(4),
    ...paragraph(foreign.heading, ROLL_TEXT.strong),
    ...paragraph(printable(foreign.rate), ROLL_TEXT.body),
    ...foreign.rows.flatMap(([label, value]) => withFigure(label, value, ROLL_TEXT.body)),
  ];
}

function taxBlocks(row: TaxRow, { texts, format }: Wording): Block[] {
  const name = row.rate === null ? row.name : `${row.name} ${format.rate(row.rate)}`;
  const figures = [format.amount(row.base), format.amount(row.tax)] as const;
  const cut = wrap(name, ROLL_TEXT.body, COLUMNS[0].width - 4);
  return [
    ...cut.slice(0, -1).flatMap((line) => paragraph(line, ROLL_TEXT.body)),
    tableRow([cut.at(-1) ?? '', ...figures], ROLL_TEXT.body),
    ...(row.surchargeRate === null
      ? []
      : withFigure(
          `${texts.totals.surcharge} ${format.rate(row.surchargeRate)}`,
          format.amount(row.surcharge),
          ROLL_TEXT.body,
        )),
  ];
}

const THIRD = inner.width / 3;
/** Amounts of twelve digits fit into the two columns at the right. */
const COLUMNS: readonly [Box, Box, Box] = [
  { x: inner.x, width: THIRD * 0.8 },
  { x: inner.x + THIRD * 0.8, width: THIRD * 1.1 },
  { x: inner.x + THIRD * 1.9, width: THIRD * 1.1 },
];

function tableRow(
  cells: readonly [string, string, string],
  style: (typeof ROLL_TEXT)['body' | 'strong'],
): Block {
  return {
    height: style.leading,
    draw: (sheet) =>
      sheet.leaf('P', () => {
        cells.forEach((cell, index) => {
          const align: Align = index === 0 ? 'left' : 'right';
          sheet.line(cell, COLUMNS[index]!, sheet.y, style, align);
        });
      }),
  };
}

/** Each amount that was paid in the customer's name. */
export function disbursementBlocks(content: InvoiceContent, { format }: Wording): Block[] {
  const list = disbursementList(content);
  if (list === null) return [];
  return [
    rule(),
    ...paragraph(list.heading, ROLL_TEXT.strong),
    ...list.rows.flatMap(({ text, reference, cents }) => [
      ...withFigure(printable(text), format.amount(cents), ROLL_TEXT.body),
      ...(reference === null ? [] : paragraph(printable(reference), ROLL_TEXT.body)),
    ]),
  ];
}

/**
 * How to pay; its code is far below the tax QR code. The totals above have the amount payable, and the head
 * has the due date. Empty when the request did not state a means of payment.
 */
export function paymentBlocks(content: InvoiceContent): Block[] {
  const box = paymentBox(content, 'roll');
  if (box === null) return [];
  const rows = box.facts.map(([label, text]) => [label, printable(text)] as const);
  return [
    rule(),
    ...paragraph(box.heading, ROLL_TEXT.strong),
    ...facts(rows),
    ...(box.code === null ? [] : codeBlocks(box.code)),
  ];
}

function codeBlocks({ text, label }: { readonly text: string; readonly label: string }): Block[] {
  const { side, quiet } = ROLL.epc;
  const x = (ROLL.width - side) / 2;
  const code: Block = {
    height: side + 2 * quiet,
    draw: (sheet) => {
      const y = sheet.y + quiet;
      const bbox = [x, y, x + side, y + side];
      sheet.leaf('Figure', () => drawQrCode(sheet, text, { x, y, side }), { alt: label, bbox });
    },
  };
  return [gap(6), ...centred(label, ROLL_TEXT.body), code];
}

/** The merchant's own text. */
export function noteBlocks({ notes }: InvoiceContent, { texts }: Wording): Block[] {
  const paragraphs = notes === null ? [] : paragraphsOf(notes);
  if (paragraphs.length === 0) return [];
  return [
    gap(6),
    ...paragraph(texts.notes, ROLL_TEXT.strong),
    ...paragraphs.flatMap((text) => {
      const lines = paragraph(text, ROLL_TEXT.body);
      return lines.length === 0 ? [gap(ROLL_TEXT.body.leading / 2)] : lines;
    }),
  ];
}
