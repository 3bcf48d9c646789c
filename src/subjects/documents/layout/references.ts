import type { InvoiceContent } from '../content.ts';
import { rectifiedAmounts } from '../rectified-amounts.ts';
import { extensionFacts } from './extensions.ts';
import { printable } from './printable.ts';
import { type Box, fullWidth, IN_SPANISH, type Sheet } from './sheet.ts';
import { colours, page, styles, type TextStyle } from './style.ts';
import { mention, referenceList, type Wording, wordingOf } from './wording.ts';
import { wrap } from './wrap.ts';

const PADDING = 8;
const BETWEEN = 3;
const LABEL_WIDTH = 106;
const GAP = 12;
const inner: Box = { x: page.left + PADDING, width: page.right - page.left - 2 * PADDING };
const HALF_WIDTH = (inner.width - GAP) / 2;

type Column = { readonly labels: Box; readonly values: Box };

function columnOf({ x, width }: Box): Column {
  return {
    labels: { x, width: LABEL_WIDTH },
    values: { x: x + LABEL_WIDTH, width: width - LABEL_WIDTH },
  };
}

const whole = columnOf(inner);
const halves = [
  columnOf({ x: inner.x, width: HALF_WIDTH }),
  columnOf({ x: inner.x + HALF_WIDTH + GAP, width: HALF_WIDTH }),
] as const;

const LABEL: TextStyle = { ...styles.body, ink: colours.muted };

/** Paragraphs under a label: in Spanish and, paler, the translation. */
type Value = { readonly text: string; readonly style: TextStyle; readonly options: Record<string, string> };
type Fact = { readonly label: string; readonly values: readonly Value[] };

/**
 * Which invoices this one corrects or replaces, why and how (RD 1619/2012 art. 15), and the orders and days of its
 * request. Empty for other invoices.
 */
export function drawReferences(sheet: Sheet, content: InvoiceContent): void {
  const wording = wordingOf(content);
  const rows = [
    ...lawFacts(content, wording).map((fact) => lineUp(fact, whole)),
    ...rowsOf(ownFacts(content)),
  ];
  if (rows.length === 0) return;
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

/**
 * Short facts are printed two in a row if each value fits on a line of half the width; otherwise each has its own
 * row.
 */
function rowsOf(facts: readonly Fact[]): Line[][] {
  const isShort = ({ values }: Fact) =>
    values.every(({ text, style }) => wrap(printable(text), style, halves[0].values.width).length === 1);
  if (facts.length < 2 || !facts.every(isShort)) return facts.map((fact) => lineUp(fact, whole));
  const pairs = Array.from({ length: Math.ceil(facts.length / 2) }, (_, row) =>
    facts.slice(2 * row, 2 * row + 2),
  );
  return pairs.map((pair) => {
    const columns = pair.map((fact, index) => lineUp(fact, halves[index as 0 | 1]));
    const height = Math.max(...columns.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) => columns.flatMap((cells) => cells[line] ?? []));
  });
}

function drawLine(sheet: Sheet, line: Line): void {
  const { leading } = styles.body;
  if (leading > sheet.room) sheet.newPage();
  const { y } = sheet;
  band(sheet, leading);
  for (const { column, label, text, style, options } of line) {
    if (label !== '') sheet.leaf('P', () => sheet.line(label, column.labels, y, LABEL));
    if (text !== '') sheet.leaf('P', () => sheet.line(text, column.values, y, style), options);
  }
}

/** A strip of the panel, as high as the next row. */
function band(sheet: Sheet, height: number): void {
  // Slightly higher than the step, so that no gap shows between strips.
  sheet.artifact(() => sheet.area(fullWidth, sheet.y, height + 0.2, colours.wash));
  sheet.y += height;
}

type Cell = {
  readonly column: Column;
  readonly label: string;
  readonly text: string;
  readonly style: TextStyle;
  readonly options: Record<string, string>;
};
/** The content of one row of the panel. */
type Line = readonly Cell[];

/** Label and values side by side, all wrapped. */
function lineUp({ label, values: paragraphs }: Fact, column: Column): Cell[][] {
  const left = wrap(label, LABEL, column.labels.width - 10);
  const right = paragraphs.flatMap(({ text, style, options }) =>
    wrap(printable(text), style, column.values.width).map((line) => ({ text: line, style, options })),
  );
  const rows = Math.max(left.length, right.length);
  const none = { text: '', style: styles.body, options: {} };
  return Array.from({ length: rows }, (_, row) => [
    { column, ...(right[row] ?? none), label: left[row] ?? '' },
  ]);
}

/** The content of `drawReferences`: paragraphs under labels. */
export function factsOf(content: InvoiceContent, wording: Wording): Fact[] {
  return [...lawFacts(content, wording), ...ownFacts(content)];
}

/** The orders and days of the request. */
function ownFacts(content: InvoiceContent): Fact[] {
  return extensionFacts(content).map(([label, text]) => ({ label, values: plain(text) }));
}

function lawFacts(content: InvoiceContent, wording: Wording): Fact[] {
  const { kind, rectification, exchanged } = content;
  const facts: Fact[] = [];
  const { texts, format } = wording;
  const w = texts.rectification;
  if (rectification !== null) {
    const { references, period, reason } = rectification;
    const label = references.length === 1 ? w.reference : w.references;
    facts.push(
      period == null
        ? { label, values: plain(referenceList(references, wording)) }
        : { label: w.period, values: plain(`${format.date(period.from)} – ${format.date(period.to)}`) },
    );
    if (reason !== null) {
      facts.push({ label: w.reason, values: inBoth(wording, ({ texts: { law } }) => law.reasons[reason]) });
    }
    const method = kind === 'rectifying_substitution' ? 'substitution' : 'differences';
    facts.push({ label: w.method, values: inBoth(wording, ({ texts: { law } }) => law[method]) });
    const money = (cents: number) => format.money(cents, content.currency);
    for (const [label, text] of rectifiedAmounts(content, texts, money)) {
      facts.push({ label, values: plain(text) });
    }
  }
  if (exchanged.length > 0) {
    const { ticket, tickets } = texts.exchange;
    const label = exchanged.length === 1 ? ticket : tickets;
    facts.push({ label, values: plain(referenceList(exchanged, wording)) });
  }
  return facts;
}

function plain(text: string): Value[] {
  return [{ text, style: styles.body, options: {} }];
}

/** The statements required by law, in Spanish and in the document's language. */
function inBoth(wording: Wording, textOf: (wording: Wording) => string): Value[] {
  const { spanish, translation } = mention(wording, textOf);
  if (translation === null) return plain(spanish);
  return [
    { text: spanish, style: styles.body, options: IN_SPANISH },
    { text: translation, style: LABEL, options: {} },
  ];
}
