import type { InvoiceContent } from '../content.ts';
import { type PaymentBox, paymentBox } from './extensions.ts';
import { printable } from './printable.ts';
import { drawQrCode } from './qr-code.ts';
import { type Box, fullWidth, type Sheet } from './sheet.ts';
import { colours, epc, page, styles, type TextStyle } from './style.ts';
import type { TotalsPlace } from './totals.ts';
import { wrap } from './wrap.ts';

const SPACE_ABOVE = 14;
const LABEL: TextStyle = { ...styles.body, ink: colours.muted };
const HEAD_HEIGHT = styles.head.leading + 4;
const GAP = 16;

/** The payment box, laid out for one place: `draw` draws it at the given height. */
type Placed = { readonly height: number; readonly draw: (sheet: Sheet, top: number) => void };

/**
 * How to pay the invoice, as one block: account, reference and code belong together. It is placed below the totals;
 * if the page has space only beside them, from `totals.top` on, it is placed there, so that no page is added for
 * the box alone, nor for the remarks below it, which need `remarks`; `totals` is null where something else follows them. Empty when the request did not state a means of payment.
 */
export function drawPayment(
  sheet: Sheet,
  content: InvoiceContent,
  { totals, remarks }: { readonly totals: TotalsPlace | null; readonly remarks: number },
): void {
  const box = paymentBox(content);
  if (box === null) return;
  const below = placedBelow(box);
  if (totals !== null) {
    const besideTotals = placeBeside(box, totals.x - GAP);
    const endBelow = sheet.y + SPACE_ABOVE + below.height;
    const bottomBeside = Math.max(sheet.y, totals.top + besideTotals.height);
    const avoidsPage = (height: number) =>
      endBelow + height > page.bottom && bottomBeside + height <= page.bottom;
    if (avoidsPage(0) || avoidsPage(remarks)) {
      besideTotals.draw(sheet, totals.top);
      sheet.y = bottomBeside;
      return;
    }
  }
  sheet.y += SPACE_ABOVE;
  sheet.ensure(below.height);
  below.draw(sheet, sheet.y);
  sheet.y += below.height;
}

/** Full width: labels, values, and the code at the right edge. */
function placedBelow({ heading, facts, code }: PaymentBox): Placed {
  const codeBox: Box = { x: page.right - CODE_WIDTH, width: CODE_WIDTH };
  const labels: Box = { x: page.left, width: 124 };
  const right = code === null ? page.right : codeBox.x - GAP;
  const list = listOf(facts, labels, { x: labels.x + labels.width, width: right - labels.x - labels.width });
  const scanned = code === null ? null : codeIn(codeBox, code);
  return {
    height: Math.max(HEAD_HEIGHT + list.height, scanned?.height ?? 0),
    draw: (sheet, top) => {
      drawHeading(sheet, heading, top);
      list.draw(sheet, top + HEAD_HEIGHT);
      scanned?.draw(sheet, top);
    },
  };
}

/**
 * Left of the totals, up to `right`: with a code the labels are above their values, otherwise an account would not
 * fit.
 */
function placeBeside({ heading, facts, code }: PaymentBox, right: number): Placed {
  const codeBox: Box = { x: page.left, width: epc.side };
  const textLeft = code === null ? page.left : codeBox.x + codeBox.width + GAP;
  const width = right - textLeft;
  const list =
    code === null
      ? listOf(facts, { x: textLeft, width: 96 }, { x: textLeft + 96, width: width - 96 })
      : stackOf(facts, { x: textLeft, width });
  const scanned = code === null ? null : codeIn(codeBox, code);
  return {
    height: HEAD_HEIGHT + Math.max(list.height, scanned?.height ?? 0),
    draw: (sheet, top) => {
      drawHeading(sheet, heading, top);
      scanned?.draw(sheet, top + HEAD_HEIGHT);
      list.draw(sheet, top + HEAD_HEIGHT);
    },
  };
}

function drawHeading(sheet: Sheet, heading: string, top: number): void {
  sheet.leaf('H2', () => sheet.line(heading, fullWidth, top, styles.head));
}

/** Each value beside its label. */
function listOf(facts: PaymentBox['facts'], labels: Box, values: Box): Placed {
  const rows = facts.map(([label, text]) => ({
    label: wrap(label, LABEL, labels.width - 10),
    value: wrap(printable(text), styles.body, values.width),
  }));
  return oneBelowAnother(
    rows,
    ({ label, value }) => Math.max(label.length, value.length) * styles.body.leading,
    (sheet, { label, value }, top) => {
      sheet.lines(label, labels, top, LABEL);
      sheet.lines(value, values, top, styles.body);
    },
  );
}

/** Each value below its label. */
function stackOf(facts: PaymentBox['facts'], box: Box): Placed {
  const rows = facts.map(([label, text]) => ({
    label: wrap(label, styles.small, box.width),
    value: wrap(printable(text), styles.body, box.width),
  }));
  return oneBelowAnother(
    rows,
    ({ label, value }) => label.length * styles.small.leading + value.length * styles.body.leading,
    (sheet, { label, value }, top) => {
      const labelHeight = sheet.lines(label, box, top, styles.small);
      sheet.lines(value, box, top + labelHeight, styles.body);
    },
  );
}

/** Rows of a list, each a paragraph for screen readers. */
function oneBelowAnother<Row>(
  rows: readonly Row[],
  heightOf: (row: Row) => number,
  draw: (sheet: Sheet, row: Row, top: number) => void,
): Placed {
  return {
    height: rows.reduce((sum, row) => sum + heightOf(row), 0),
    draw: (sheet, top) => {
      let y = top;
      for (const row of rows) {
        const at = y;
        sheet.leaf('P', () => draw(sheet, row, at));
        y += heightOf(row);
      }
    },
  };
}

const CODE_WIDTH = 106;

/** The code for banking apps under its label, centred in its box. */
function codeIn(box: Box, { text, label }: NonNullable<PaymentBox['code']>): Placed {
  const caption = wrap(label, styles.small, box.width);
  const captionHeight = caption.length * styles.small.leading + epc.quiet;
  return {
    height: captionHeight + epc.side + epc.quiet,
    draw: (sheet, top) => {
      sheet.leaf('P', () => sheet.lines(caption, box, top, styles.small, 'center'));
      const x = box.x + (box.width - epc.side) / 2;
      const y = top + captionHeight;
      const bbox = [x, y, x + epc.side, y + epc.side];
      sheet.leaf('Figure', () => drawQrCode(sheet, text, { x, y, side: epc.side }), { alt: label, bbox });
    },
  };
}
