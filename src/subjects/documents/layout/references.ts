import type { InvoiceContent, PrintedReference } from '../content.ts';
import { extensionFacts } from './extensions.ts';
import { printable } from './printable.ts';
import { type Box, fullWidth, IN_SPANISH, type Sheet } from './sheet.ts';
import { colours, page, styles, type TextStyle } from './style.ts';
import { mention, type Wording, wordingOf } from './wording.ts';
import { wrap } from './wrap.ts';

const PADDING = 8;
const BETWEEN = 3;
const labels: Box = { x: page.left + PADDING, width: 106 };
const values: Box = { x: labels.x + labels.width, width: page.right - PADDING - labels.x - labels.width };

const LABEL: TextStyle = { ...styles.body, ink: colours.muted };

/** Paragraphs under a label: in Spanish and, paler, what that means. */
type Value = { readonly text: string; readonly style: TextStyle; readonly options: Record<string, string> };
type Fact = { readonly label: string; readonly values: readonly Value[] };

/**
 * Which invoices this one corrects or was exchanged for, why and how (RD 1619/2012 art. 15), and what its request said of
 * orders and days. Nothing for the rest.
 */
export function drawReferences(sheet: Sheet, content: InvoiceContent): void {
  const facts = factsOf(content, wordingOf(content));
  if (facts.length === 0) return;
  const rows = facts.map(lineUp);
  const { leading } = styles.body;
  sheet.ensure(2 * PADDING + Math.min(rows.flat().length, 4) * leading);
  band(sheet, PADDING);
  rows.forEach((lines, index) => {
    if (index > 0 && sheet.room > leading) band(sheet, BETWEEN);
    for (const line of lines) drawLine(sheet, line);
  });
  band(sheet, PADDING);
  sheet.y += 14;
}

function drawLine(sheet: Sheet, { label, text, style, options }: Line): void {
  const { leading } = styles.body;
  if (leading > sheet.room) sheet.newPage();
  const { y } = sheet;
  band(sheet, leading);
  if (label !== '') sheet.leaf('P', () => sheet.line(label, labels, y, LABEL));
  if (text !== '') sheet.leaf('P', () => sheet.line(text, values, y, style), options);
}

/** A strip of the panel, as high as what comes next. */
function band(sheet: Sheet, height: number): void {
  // A hair higher than the step, so that no seam shows between strips.
  sheet.artifact(() => sheet.area(fullWidth, sheet.y, height + 0.2, colours.wash));
  sheet.y += height;
}

type Line = {
  readonly label: string;
  readonly text: string;
  readonly style: TextStyle;
  readonly options: Record<string, string>;
};

/** Label and values side by side, all wrapped. */
function lineUp({ label, values: paragraphs }: Fact): Line[] {
  const left = wrap(label, LABEL, labels.width - 10);
  const right = paragraphs.flatMap(({ text, style, options }) =>
    wrap(printable(text), style, values.width).map((line) => ({ text: line, style, options })),
  );
  const rows = Math.max(left.length, right.length);
  const none = { text: '', style: styles.body, options: {} };
  return Array.from({ length: rows }, (_, row) => ({ ...(right[row] ?? none), label: left[row] ?? '' }));
}

/** What `drawReferences` says: paragraphs under labels. */
export function factsOf(content: InvoiceContent, wording: Wording): Fact[] {
  const { kind, currency, rectification, exchanged } = content;
  const facts: Fact[] = [];
  const { words, format } = wording;
  const w = words.rectification;
  if (rectification !== null) {
    const { references, reason, base, tax, surcharge } = rectification;
    const label = references.length === 1 ? w.reference : w.references;
    facts.push({ label, values: plain(listOf(references, wording)) });
    if (reason !== null) {
      facts.push({ label: w.reason, values: inBoth(wording, ({ words: { law } }) => law.reasons[reason]) });
    }
    const method = kind === 'rectifying_substitution' ? 'substitution' : 'differences';
    facts.push({ label: w.method, values: inBoth(wording, ({ words: { law } }) => law[method]) });
    if (base !== null && tax !== null) {
      const money = (cents: number) => format.money(cents, currency);
      const parts = {
        base: money(base),
        tax: money(tax),
        surcharge: surcharge === null ? null : money(surcharge),
      };
      facts.push({ label: w.amounts, values: plain(w.amountsText(parts)) });
    }
  }
  if (exchanged.length > 0) {
    const { ticket, tickets } = words.exchange;
    const label = exchanged.length === 1 ? ticket : tickets;
    facts.push({ label, values: plain(listOf(exchanged, wording)) });
  }
  for (const [label, text] of extensionFacts(content)) facts.push({ label, values: plain(text) });
  return facts;
}

function plain(text: string): Value[] {
  return [{ text, style: styles.body, options: {} }];
}

/** What the law wants stated, in Spanish and in the document's language. */
function inBoth(wording: Wording, say: (wording: Wording) => string): Value[] {
  const { spanish, translation } = mention(wording, say);
  if (translation === null) return plain(spanish);
  return [
    { text: spanish, style: styles.body, options: IN_SPANISH },
    { text: translation, style: LABEL, options: {} },
  ];
}

/** In running text: there can be a thousand. */
function listOf(references: readonly PrintedReference[], { format }: Wording): string {
  return references.map(({ number, issuedOn }) => `${number}\u00a0(${format.date(issuedOn)})`).join('; ');
}
