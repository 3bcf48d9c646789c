import type { InvoiceContent, PrintedReference } from '../content.ts';
import { printable } from './printable.ts';
import { type Box, fullWidth, type Sheet } from './sheet.ts';
import { colours, page, styles, type TextStyle } from './style.ts';
import { mention, type Wording, wordingOf } from './wording.ts';
import { wrap } from './wrap.ts';

const PADDING = 8;
const labels: Box = { x: page.left + PADDING, width: 106 };
const values: Box = { x: labels.x + labels.width, width: page.right - PADDING - labels.x - labels.width };

const LABEL: TextStyle = { ...styles.body, ink: colours.muted };

/** A label and its paragraphs. */
type Fact = readonly [label: string, values: readonly string[]];

/** Which invoices this one corrects or was exchanged for, why and how (RD 1619/2012 art. 15). Nothing for the rest. */
export function drawReferences(sheet: Sheet, content: InvoiceContent): void {
  const facts = factsOf(content, wordingOf(content));
  if (facts.length === 0) return;
  const lines = facts.flatMap(lineUp);
  const { leading } = styles.body;
  sheet.ensure(2 * PADDING + Math.min(lines.length, 4) * leading);
  band(sheet, PADDING);
  for (const [label, text] of lines) {
    if (leading > sheet.room) sheet.newPage();
    const { y } = sheet;
    band(sheet, leading);
    sheet.leaf('P', () => {
      sheet.line(label, labels, y, LABEL);
      sheet.line(text, values, y, styles.body);
    });
  }
  band(sheet, PADDING);
  sheet.y += 14;
}

/** A strip of the panel, as high as what comes next. */
function band(sheet: Sheet, height: number): void {
  // A hair higher than the step, so that no seam shows between strips.
  sheet.artifact(() => sheet.area(fullWidth, sheet.y, height + 0.2, colours.wash));
  sheet.y += height;
}

/** Label and value side by side, both wrapped. */
function lineUp([label, paragraphs]: Fact): [label: string, value: string][] {
  const left = wrap(label, LABEL, labels.width - 10);
  const right = paragraphs.flatMap((text) => wrap(printable(text), styles.body, values.width));
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, row) => [left[row] ?? '', right[row] ?? '']);
}

function factsOf({ kind, currency, rectification, exchanged }: InvoiceContent, wording: Wording): Fact[] {
  const facts: Fact[] = [];
  const { words, format } = wording;
  const w = words.rectification;
  if (rectification !== null) {
    const { references, reason, base, tax, surcharge } = rectification;
    facts.push([references.length === 1 ? w.reference : w.references, [listOf(references, wording)]]);
    if (reason !== null) facts.push([w.reason, inBoth(wording, ({ words: { law } }) => law.reasons[reason])]);
    const method = kind === 'rectifying_substitution' ? 'substitution' : 'differences';
    facts.push([w.method, inBoth(wording, ({ words: { law } }) => law[method])]);
    if (base !== null && tax !== null) {
      const money = (cents: number) => format.money(cents, currency);
      const parts = {
        base: money(base),
        tax: money(tax),
        surcharge: surcharge === null ? null : money(surcharge),
      };
      facts.push([w.amounts, [w.amountsText(parts)]]);
    }
  }
  if (exchanged.length > 0) {
    const { ticket, tickets } = words.exchange;
    facts.push([exchanged.length === 1 ? ticket : tickets, [listOf(exchanged, wording)]]);
  }
  return facts;
}

/** What the law wants stated, in Spanish and in the document's language. */
function inBoth(wording: Wording, say: (wording: Wording) => string): string[] {
  const { spanish, translation } = mention(wording, say);
  return translation === null ? [spanish] : [spanish, translation];
}

/** In running text: there can be a thousand. */
function listOf(references: readonly PrintedReference[], { format }: Wording): string {
  return references.map(({ number, issuedOn }) => `${number}\u00a0(${format.date(issuedOn)})`).join('; ');
}
