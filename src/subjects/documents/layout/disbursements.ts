import type { InvoiceContent } from '../content.ts';
import { disbursementList } from './extensions.ts';
import { printable } from './printable.ts';
import { type Box, fullWidth, type Sheet } from './sheet.ts';
import { colours, page, styles } from './style.ts';
import { wordingOf } from './wording.ts';
import { wrap } from './wrap.ts';

const SPACE_ABOVE = 14;
const PADDING = 3;
const HEAD_HEIGHT = styles.head.leading + 4;
const FIGURES: Box = { x: page.right - 110, width: 110 };
const TEXTS: Box = { x: page.left, width: page.right - page.left - FIGURES.width - 12 };

/**
 * Each amount that was paid in the customer's name, below the totals, of which it is no part. Over as many pages as needed.
 * Whether anything was drawn.
 */
export function drawDisbursements(sheet: Sheet, content: InvoiceContent): boolean {
  const list = disbursementList(content);
  if (list === null) return false;
  const { format } = wordingOf(content);
  const rows = list.rows.map(({ text, reference, cents }) => {
    const description = wrap(printable(text), styles.body, TEXTS.width);
    const document = reference === null ? [] : wrap(printable(reference), styles.small, TEXTS.width);
    const height = description.length * styles.body.leading + document.length * styles.small.leading;
    return {
      description,
      document,
      figure: format.money(cents, content.currency),
      height: height + 2 * PADDING,
    };
  });
  sheet.y += SPACE_ABOVE;
  // A heading is not left alone at the bottom of a page.
  sheet.ensure(HEAD_HEIGHT + (rows[0]?.height ?? 0));
  sheet.leaf('H2', () => sheet.line(list.heading, fullWidth, sheet.y, styles.head));
  sheet.y += HEAD_HEIGHT;
  sheet.artifact(() => sheet.rule(sheet.y, colours.accentLine, 0.9));
  for (const { description, document, figure, height } of rows) {
    sheet.ensure(height);
    sheet.leaf('P', () => {
      const top = sheet.y + PADDING;
      const below = top + sheet.lines(description, TEXTS, top, styles.body);
      sheet.lines(document, TEXTS, below, styles.small);
      sheet.line(figure, FIGURES, top, styles.body, 'right');
    });
    sheet.y += height;
    sheet.artifact(() => sheet.rule(sheet.y, colours.hairline, 0.5));
  }
  return true;
}
