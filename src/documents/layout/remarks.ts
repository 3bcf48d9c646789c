import type { InvoiceContent } from '../content.ts';
import { country } from './format.ts';
import { paragraphsOf, printable } from './printable.ts';
import { fullWidth, type Sheet } from './sheet.ts';
import { contentWidth, styles } from './style.ts';
import { words } from './words.ts';
import { wrap } from './wrap.ts';

/** What the law wants said in words, and below it the merchant's own text. */
export function drawRemarks(sheet: Sheet, content: InvoiceContent): void {
  const mentions = mentionsOf(content);
  if (mentions.length > 0) {
    sheet.y += 14;
    for (const mention of mentions) drawParagraph(sheet, wrap(printable(mention), styles.body, contentWidth));
  }
  if (content.notes !== null) drawNotes(sheet, content.notes);
}

/** That it is a copy, and the mentions of its taxes, each once; those that the law words itself are added where missing. */
function mentionsOf({ breakdown, recipient, imported }: InvoiceContent): string[] {
  const mentions = new Set<string>();
  if (imported) mentions.add(words.copy.mention);
  for (const { legalMention } of breakdown) if (legalMention !== null) mentions.add(legalMention);
  const has = (text: string) => [...mentions].some((mention) => mention.includes(text));
  const isReversed = breakdown.some(
    ({ type }) => type === 'es_inversion_sujeto_pasivo' || type === 'eu_b2b_services',
  );
  if (isReversed && !has(words.reverseCharge)) mentions.add(words.reverseCharge);
  const isCashAccounting = breakdown.some(({ regimeKey }) => regimeKey === '07');
  if (isCashAccounting && !has(words.cashAccounting)) mentions.add(words.cashAccounting);
  const isForeignVat = breakdown.some(({ type }) => type === 'eu_oss');
  if (isForeignVat && typeof recipient?.country === 'string') {
    mentions.add(words.ossCountry(country(recipient.country)));
  }
  return [...mentions];
}

function drawNotes(sheet: Sheet, notes: string): void {
  const paragraphs = paragraphsOf(notes).map((text) => wrap(text, styles.body, contentWidth));
  if (paragraphs.length === 0) return;
  const { leading } = styles.head;
  sheet.y += 14;
  // A heading is not left alone at the bottom of a page.
  sheet.ensure(leading + 2 + 2 * styles.body.leading);
  sheet.leaf('H2', () => sheet.line(words.notes, fullWidth, sheet.y, styles.head));
  sheet.y += leading + 2;
  for (const lines of paragraphs) {
    if (lines.length > 0) drawParagraph(sheet, lines);
    else sheet.y += styles.body.leading / 2;
  }
}

/** Lines over as many pages as they take. */
function drawParagraph(sheet: Sheet, lines: readonly string[]): void {
  const { leading } = styles.body;
  let start = 0;
  while (start < lines.length) {
    if (sheet.room < leading) sheet.newPage();
    const part = lines.slice(start, start + Math.floor(sheet.room / leading));
    sheet.leaf('P', () => sheet.lines(part, fullWidth, sheet.y, styles.body));
    sheet.y += part.length * leading;
    start += part.length;
  }
}
