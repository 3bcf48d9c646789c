import { type ExemptMention, partsOfMention } from '../../taxes/classification.ts';
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

const ABOVE_MENTIONS = 14;
const BETWEEN_MENTIONS = 2;
const ABOVE_NOTES = 14;
const NOTES_HEAD_HEIGHT = styles.head.leading + 2;
const BLANK_LINE_HEIGHT = styles.body.leading / 2;

/** The height of the remarks, all on one page. */
export function remarksHeight(content: InvoiceContent): number {
  const mentions = mentionsOf(content, wordingOf(content)).map(
    (mention) => layoutOf(mention).height + BETWEEN_MENTIONS,
  );
  const notes = content.notes === null ? [] : notesOf(content.notes);
  const lines = notes.map(({ length }) => (length === 0 ? BLANK_LINE_HEIGHT : length * styles.body.leading));
  const sum = (heights: readonly number[]) => heights.reduce((all, height) => all + height, 0);
  return (
    (mentions.length === 0 ? 0 : ABOVE_MENTIONS - BETWEEN_MENTIONS + sum(mentions)) +
    (lines.length === 0 ? 0 : ABOVE_NOTES + NOTES_HEAD_HEIGHT + sum(lines))
  );
}

/** The mentions required by law, and below them the merchant's own text. */
export function drawRemarks(sheet: Sheet, content: InvoiceContent): void {
  const wording = wordingOf(content);
  const mentions = mentionsOf(content, wording);
  if (mentions.length > 0) sheet.y += ABOVE_MENTIONS;
  mentions.forEach((mention, index) => {
    if (index > 0) sheet.y += BETWEEN_MENTIONS;
    drawMention(sheet, mention);
  });
  if (content.notes !== null) drawNotes(sheet, content.notes, wording);
}

/**
 * The statement that it is a copy, and the mentions of its taxes without duplicates; those with a wording
 * prescribed by law are added where missing.
 */
export function mentionsOf({ breakdown, recipient, imported }: InvoiceContent, wording: Wording): Mention[] {
  const mentions = new Map<string, Mention>();
  const add = (mention: Mention) => mentions.set(mention.spanish, mention);
  const addOwn = (textOf: (wording: Wording) => string) => add(mention(wording, textOf));
  if (imported) addOwn(({ texts: { law } }) => law.copy);
  for (const { legalMention } of breakdown)
    if (legalMention !== null) add(fromCatalog(legalMention, wording));
  const has = (text: string) => [...mentions.keys()].some((mention) => mention.includes(text));
  const isReversed = breakdown.some(
    ({ type }) => type === 'es_inversion_sujeto_pasivo' || type === 'eu_b2b_services',
  );
  const { reverseCharge, cashAccounting } = spanish.texts.law;
  if (isReversed && !has(reverseCharge)) addOwn(({ texts: { law } }) => law.reverseCharge);
  const isCashAccounting = breakdown.some(({ regimeKey }) => regimeKey === '07');
  if (isCashAccounting && !has(cashAccounting)) addOwn(({ texts: { law } }) => law.cashAccounting);
  const country = recipient?.country;
  const isForeignVat = breakdown.some(({ type }) => type === 'eu_oss');
  if (isForeignVat && typeof country === 'string') {
    addOwn(({ texts: { law }, format }) => law.ossCountry(format.country(country)));
  }
  return [...mentions.values()];
}

/** A company may reword its mentions: a translation is known only for those that it left unchanged. */
function fromCatalog(text: string, wording: Wording): Mention {
  const known = Object.entries(spanish.texts.law.mentions).find(([, original]) => original === text);
  const tax = known?.[0] as keyof Wording['texts']['law']['mentions'] | undefined;
  if (tax !== undefined) return mention(wording, ({ texts: { law } }) => law.mentions[tax]);
  const exempt = partsOfMention(text);
  return exempt === null
    ? { spanish: text, translation: null }
    : mention(wording, (other) => exemptIn(other, exempt));
}

const TAX_TYPES_OF = { '01': 'vat', '02': 'ipsi', '03': 'igic', '05': 'other' } as const;

/** A law is cited by the name that it has, whatever the language. */
function exemptIn({ texts: { law } }: Wording, { agencyTax, exemption, provision }: ExemptMention): string {
  const asExport = agencyTax === '01' && exemption === 'E3';
  const words = asExport ? law.exemptAsExport : law.exempt(law.taxes[TAX_TYPES_OF[agencyTax]]);
  return `${words} (${provision})`;
}

type Column = {
  readonly box: Box;
  readonly style: TextStyle;
  readonly lines: readonly string[];
  readonly options: Record<string, unknown>;
};

/** A mention over the whole width, or with its translation beside it. */
function layoutOf({ spanish: text, translation }: Mention): {
  readonly columns: readonly [Column, ...Column[]];
  readonly height: number;
} {
  const column = (box: Box, style: TextStyle, mention: string, options: Record<string, unknown>): Column => {
    return { box, style, lines: wrap(printable(mention), style, box.width), options };
  };
  const columns: readonly [Column, ...Column[]] =
    translation === null
      ? [column(fullWidth, styles.body, text, {})]
      : [column(leftHalf, styles.body, text, IN_SPANISH), column(rightHalf, TRANSLATION, translation, {})];
  return { columns, height: Math.max(...columns.map(({ lines }) => lines.length)) * styles.body.leading };
}

function drawMention(sheet: Sheet, mention: Mention): void {
  const { columns, height } = layoutOf(mention);
  if (columns.length === 1) {
    drawParagraph(sheet, columns[0].lines);
    return;
  }
  sheet.ensure(height);
  for (const { box, style, lines, options } of columns) {
    sheet.leaf('P', () => sheet.lines(lines, box, sheet.y, style), options);
  }
  sheet.y += height;
}

/** The paragraphs of the notes, cut into lines. */
const notesOf = (notes: string): string[][] =>
  paragraphsOf(notes).map((text) => wrap(text, styles.body, contentWidth));

function drawNotes(sheet: Sheet, notes: string, { texts }: Wording): void {
  const paragraphs = notesOf(notes);
  if (paragraphs.length === 0) return;
  sheet.y += ABOVE_NOTES;
  // A heading is not left alone at the bottom of a page.
  const first = Math.min(2, paragraphs.flat().length);
  sheet.ensure(NOTES_HEAD_HEIGHT + first * styles.body.leading);
  sheet.leaf('H2', () => sheet.line(texts.notes, fullWidth, sheet.y, styles.head));
  sheet.y += NOTES_HEAD_HEIGHT;
  for (const lines of paragraphs) {
    if (lines.length > 0) drawParagraph(sheet, lines);
    else sheet.y += BLANK_LINE_HEIGHT;
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
