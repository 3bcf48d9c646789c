import type { InvoiceContent } from '../content.ts';
import { paymentBox } from './extensions.ts';
import { printable } from './printable.ts';
import { drawQrCode } from './qr-code.ts';
import { type Box, fullWidth, type Sheet } from './sheet.ts';
import { colours, epc, page, styles, type TextStyle } from './style.ts';
import { wrap } from './wrap.ts';

const SPACE_ABOVE = 14;
const LABEL: TextStyle = { ...styles.body, ink: colours.muted };
const labels: Box = { x: page.left, width: 124 };
/** The code stands at the right edge, under what it is for. */
const CODE_WIDTH = 118;
const codeBox: Box = { x: page.right - CODE_WIDTH, width: CODE_WIDTH };

/** How the invoice is to be paid. Nothing when its request did not say. */
export function drawPayment(sheet: Sheet, content: InvoiceContent): void {
  const box = paymentBox(content);
  if (box === null) return;
  const { heading, facts, code } = box;
  const right = code === null ? page.right : codeBox.x - 16;
  const values: Box = { x: labels.x + labels.width, width: right - labels.x - labels.width };
  const rows = facts.map(([label, text]) => ({
    label: wrap(label, LABEL, labels.width - 10),
    value: wrap(printable(text), styles.body, values.width),
  }));
  const leading = styles.body.leading;
  const heightOf = (row: (typeof rows)[number]) => Math.max(row.label.length, row.value.length) * leading;
  const textHeight = rows.reduce((sum, row) => sum + heightOf(row), 0);
  const caption = code === null ? [] : wrap(code.label, styles.small, CODE_WIDTH);
  const codeHeight = code === null ? 0 : caption.length * styles.small.leading + 2 * epc.quiet + epc.side;
  const headHeight = styles.head.leading + 4;
  sheet.y += SPACE_ABOVE;
  // In one piece: account, reference and code belong together.
  sheet.ensure(headHeight + Math.max(textHeight, codeHeight));
  sheet.leaf('H2', () => sheet.line(heading, fullWidth, sheet.y, styles.head));
  const top = sheet.y + headHeight;
  let y = top;
  for (const row of rows) {
    sheet.leaf('P', () => {
      sheet.lines(row.label, labels, y, LABEL);
      sheet.lines(row.value, values, y, styles.body);
    });
    y += heightOf(row);
  }
  if (code !== null) drawCode(sheet, code, caption, sheet.y);
  sheet.y = Math.max(y, sheet.y + codeHeight);
}

function drawCode(
  sheet: Sheet,
  { text, label }: { readonly text: string; readonly label: string },
  caption: readonly string[],
  top: number,
): void {
  const x = codeBox.x + (codeBox.width - epc.side) / 2;
  sheet.leaf('P', () => sheet.lines(caption, codeBox, top, styles.small, 'center'));
  const y = top + caption.length * styles.small.leading + epc.quiet;
  const bbox = [x, y, x + epc.side, y + epc.side];
  sheet.leaf('Figure', () => drawQrCode(sheet, text, { x, y, side: epc.side }), { alt: label, bbox });
}
