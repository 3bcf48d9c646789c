import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';
import { LRUCache } from 'lru-cache';
import type { Face } from './style.ts';

const require = createRequire(import.meta.url);

const family = (name: string, file: string): Record<Face, string> => ({
  regular: `${name}/400Regular/${file}_400Regular.ttf`,
  semibold: `${name}/600SemiBold/${file}_600SemiBold.ttf`,
});
/** Of these fonts of ten megabytes a document has one face: both would be in the memory of every rendering thread. */
const large = (name: string, file: string): Record<Face, string> => {
  const { regular } = family(name, file);
  return { regular, semibold: regular };
};

/**
 * Noto Sans (SIL Open Font License 1.1), by script. `latin` is Latin, Greek and Cyrillic, and all that most documents
 * need; the others are opened when a text wants them. Of characters that several have, the first one's are used.
 */
const FAMILIES = {
  latin: family('noto-sans', 'NotoSans'),
  hebrew: family('noto-sans-hebrew', 'NotoSansHebrew'),
  arabic: family('noto-sans-arabic', 'NotoSansArabic'),
  devanagari: family('noto-sans-devanagari', 'NotoSansDevanagari'),
  thai: family('noto-sans-thai', 'NotoSansThai'),
  han: large('noto-sans-sc', 'NotoSansSC'),
  korean: large('noto-sans-kr', 'NotoSansKR'),
} as const;

export type Family = keyof typeof FAMILIES;

/**
 * How large a script is drawn beside Latin of the same size, where its letters reach further up and down: the lines of
 * all scripts have the same distance, and the dots of a final ي would touch a hamza in the line below.
 */
const SCALES: Readonly<Partial<Record<Family, number>>> = { arabic: 0.92, thai: 0.87 };

export function scaleOf(name: Family): number {
  return SCALES[name] ?? 1;
}

export const families = Object.keys(FAMILIES) as Family[];

type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number };
type Shape = {
  readonly glyphs: readonly fontkit.Glyph[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
};

export const UNITS_PER_EM = 1_000;
/** Words repeat from invoice to invoice, and figures within one; some megabytes at most. */
const SHAPES_KEPT = 4_000;
/** Longer than any word of a language that writes spaces: not worth keeping, nor worth the price of kerning. */
const LONGEST_WORD = 40;
/** "ﬁ" as one glyph would be copied, and searched for, as one character. */
const NO_LIGATURES = { liga: false };
/** Marks where the letter before them ends, instead of where its font places them. */
const MARKS_UNPLACED = { ...NO_LIGATURES, mark: false, mkmk: false };
/** Figures are all of one width and know no kerning. */
const FIGURES = /^[\d.,\-+ \u00a0€%/]*$/;

/**
 * A font whose shaping remembers. Shaping one word costs fontkit some 40 µs, most of a page's price, and neither
 * words nor figures change from document to document. pdfkit takes a font object as it is and asks it for `layout`.
 */
function openFont(file: string, needsShaping: boolean): fontkit.Font {
  const opened = fontkit.create(readFileSync(file));
  if (!('createSubset' in opened)) throw new Error(`${file} is not a single font`);
  const font = opened;
  // pdfkit scales the positions that it is given, where they stand, to a thousand units: only such are left as they are
  // and may be given out again.
  if (font.unitsPerEm !== UNITS_PER_EM) throw new Error(`${file} has ${font.unitsPerEm} units to the em`);
  // fontkit remembers for each glyph the characters that first led to it, and pdfkit writes those into the document
  // (space and no-break space share a glyph). Meeting all characters in one order makes documents independent of
  // what was printed before them.
  for (const codePoint of font.characterSet.toSorted((a, b) => a - b)) font.glyphForCodePoint(codePoint);
  const shape = font.layout.bind(font);
  const words = new LRUCache<string, Shape>({ max: SHAPES_KEPT });
  const figures = new LRUCache<string, Shape>({ max: SHAPES_KEPT });

  function layout(text: string): Shape {
    const isLong = text.length > LONGEST_WORD;
    const isFigure = FIGURES.test(text);
    const kept = isFigure ? figures : words;
    const known = isLong ? undefined : kept.get(text);
    if (known !== undefined) return known;
    const isPlain = isFigure || (isLong && !needsShaping);
    const { glyphs, positions } = isPlain ? glyphByGlyph(font, text) : shapedBy(shape, text);
    const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    const shaped = { glyphs, positions, advanceWidth };
    if (!isLong) kept.set(text, shaped);
    return shaped;
  }

  return Object.assign(font, { layout: layout as unknown as fontkit.Font['layout'] });
}

/**
 * fontkit throws where a font has no place for a kind of mark on a letter (the lower dot of U+06A2): the marks of that text
 * then go unplaced, so that its document can be drawn.
 */
function shapedBy(shape: fontkit.Font['layout'], text: string): Omit<Shape, 'advanceWidth'> {
  try {
    return shape(text, NO_LIGATURES);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return shape(text, MARKS_UNPLACED);
  }
}

function glyphByGlyph(font: fontkit.Font, text: string): Omit<Shape, 'advanceWidth'> {
  const glyphs = font.glyphsForString(text);
  const positions = glyphs.map((glyph) => ({
    xAdvance: glyph.advanceWidth,
    yAdvance: 0,
    xOffset: 0,
    yOffset: 0,
  }));
  return { glyphs, positions };
}

/** Letters join, stack or reorder in these whatever the length of the word. */
const SHAPED: ReadonlySet<Family> = new Set<Family>(['arabic', 'devanagari', 'thai']);

const opened = new Map<string, fontkit.Font>();

/** The font of a family, opened once a thread. */
export function fontOf(name: Family, face: Face): fontkit.Font {
  const file = FAMILIES[name][face];
  const before = opened.get(file);
  if (before !== undefined) return before;
  const font = openFont(require.resolve(`@expo-google-fonts/${file}`), SHAPED.has(name));
  if (opened.size === 0) rememberOutlines(font);
  opened.set(file, font);
  return font;
}

/** What the font is called in a document. */
export function fontName(name: Family, face: Face): string {
  return name === 'latin' ? face : FAMILIES[name][face];
}

/** Each document's subset reads the outline of each of its glyphs anew, only to look whether it has parts. For all fonts. */
function rememberOutlines(font: fontkit.Font): void {
  const glyphs = Object.getPrototypeOf(font.getGlyph(0)) as { _decode(): unknown };
  const decode = glyphs._decode;
  const outlines = new WeakMap<object, unknown>();
  glyphs._decode = function (this: object) {
    if (!outlines.has(this)) outlines.set(this, decode.call(this));
    return outlines.get(this);
  };
}
