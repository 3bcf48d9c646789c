import type { InvoiceContent } from '../content.ts';
import { paragraphsOf, printable } from './printable.ts';
import { type Box, fullWidth, IN_SPANISH, type Sheet } from './sheet.ts';
import { colours, contentWidth, page, styles, type TextStyle } from './style.ts';
import { type Mention, mention, spanish, type Wording, wordingOf } from './wording.ts';
import { wrap } from './wrap.ts';

const BETWEEN = 16;
/** A mention in Spanish, and beside it its translation. */
const leftHalf: Box = { x: page.left, width: (contentWidth - BETWEEN) / 2 };
const rightHalf: Box = { x: page.right - leftHalf.width, width: leftHalf.width };
const TRANSLATION: TextStyle = { ...styles.body, ink: colours.muted };

/** The mentions required by law, and below them the merchant's own text. */
export function drawRemarks(sheet: Sheet, content: InvoiceContent): void {
  const wording = wordingOf(content);
  const mentions = mentionsOf(content, wording);
  if (mentions.length > 0) sheet.y += 14;
  mentions.forEach((said, index) => {
    if (index > 0) sheet.y += 2;
    drawMention(sheet, said);
  });
  if (content.notes !== null) drawNotes(sheet, content.notes, wording);
}

/**
 * The statement that it is a copy, and the mentions of its taxes without duplicates; those with a wording
 * prescribed by law are added where missing.
 */
export function mentionsOf({ breakdown, recipient, imported }: InvoiceContent, wording: Wording): Mention[] {
  const mentions = new Map<string, Mention>();
  const add = (said: Mention) => mentions.set(said.spanish, said);
  const addOwn = (say: (wording: Wording) => string) => add(mention(wording, say));
  if (imported) addOwn(({ words: { law } }) => law.copy);
  for (const { legalMention } of breakdown)
    if (legalMention !== null) add(fromCatalog(legalMention, wording));
  const has = (text: string) => [...mentions.keys()].some((said) => said.includes(text));
  const isReversed = breakdown.some(
    ({ type }) => type === 'es_inversion_sujeto_pasivo' || type === 'eu_b2b_services',
  );
  const { reverseCharge, cashAccounting } = spanish.words.law;
  if (isReversed && !has(reverseCharge)) addOwn(({ words: { law } }) => law.reverseCharge);
  const isCashAccounting = breakdown.some(({ regimeKey }) => regimeKey === '07');
  if (isCashAccounting && !has(cashAccounting)) addOwn(({ words: { law } }) => law.cashAccounting);
  const country = recipient?.country;
  const isForeignVat = breakdown.some(({ type }) => type === 'eu_oss');
  if (isForeignVat && typeof country === 'string') {
    addOwn(({ words: { law }, format }) => law.ossCountry(format.country(country)));
  }
  return [...mentions.values()];
}

/** A company may reword its mentions: a translation is known only for those that it left unchanged. */
function fromCatalog(text: string, wording: Wording): Mention {
  const known = Object.entries(spanish.words.law.mentions).find(([, original]) => original === text);
  const tax = known?.[0] as keyof Wording['words']['law']['mentions'] | undefined;
  return tax === undefined
    ? { spanish: text, translation: null }
    : mention(wording, ({ words: { law } }) => law.mentions[tax]);
}

function drawMention(sheet: Sheet, said: Mention): void {
  const original = printable(said.spanish);
  if (said.translation === null) {
    drawParagraph(sheet, wrap(original, styles.body, contentWidth));
    return;
  }
  const columns = [
    {
      box: leftHalf,
      style: styles.body,
      lines: wrap(original, styles.body, leftHalf.width),
      options: IN_SPANISH,
    },
    {
      box: rightHalf,
      style: TRANSLATION,
      lines: wrap(printable(said.translation), TRANSLATION, rightHalf.width),
      options: {},
    },
  ];
  const height = Math.max(...columns.map(({ lines }) => lines.length)) * styles.body.leading;
  sheet.ensure(height);
  for (const { box, style, lines, options } of columns) {
    sheet.leaf('P', () => sheet.lines(lines, box, sheet.y, style), options);
  }
  sheet.y += height;
}

function drawNotes(sheet: Sheet, notes: string, { words }: Wording): void {
  const paragraphs = paragraphsOf(notes).map((text) => wrap(text, styles.body, contentWidth));
  if (paragraphs.length === 0) return;
  const { leading } = styles.head;
  sheet.y += 14;
  // A heading is not left alone at the bottom of a page.
  const first = Math.min(2, paragraphs.flat().length);
  sheet.ensure(leading + 2 + first * styles.body.leading);
  sheet.leaf('H2', () => sheet.line(words.notes, fullWidth, sheet.y, styles.head));
  sheet.y += leading + 2;
  for (const lines of paragraphs) {
    if (lines.length > 0) drawParagraph(sheet, lines);
    else sheet.y += styles.body.leading / 2;
  }
}

/** Lines over as many pages as needed. */
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
