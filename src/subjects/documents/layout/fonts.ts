import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';
import { LRUCache } from 'lru-cache';
import type { Face, TextStyle } from './style.ts';

const require = createRequire(import.meta.url);
const FILES: Record<Face, string> = {
  regular: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  semibold: require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
};

type Position = { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number };
type Shape = {
  readonly glyphs: readonly fontkit.Glyph[];
  readonly positions: readonly Position[];
  readonly advanceWidth: number;
};

const UNITS_PER_EM = 1_000;
/** Words repeat from invoice to invoice, and figures within one; some megabytes at most. */
const SHAPES_KEPT = 4_000;
/** Longer than any word of a language: not worth keeping, nor worth the price of kerning. */
const LONGEST_WORD = 40;
/** "ﬁ" as one glyph would be copied, and searched for, as one character. */
const NO_LIGATURES = { liga: false };
/** Figures are all of one width and know no kerning. */
const FIGURES = /^[\d.,\-+ \u00a0€%/]*$/;

/**
 * A font whose shaping remembers. Shaping one word costs fontkit some 40 µs, most of a page's price, and neither
 * words nor figures change from document to document. pdfkit takes a font object as it is and asks it for `layout`.
 */
function openFont(file: string): fontkit.Font {
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
    const { glyphs, positions } = isLong || isFigure ? glyphByGlyph(font, text) : shape(text, NO_LIGATURES);
    const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    const shaped = { glyphs, positions, advanceWidth };
    if (!isLong) kept.set(text, shaped);
    return shaped;
  }

  return Object.assign(font, { layout: layout as unknown as fontkit.Font['layout'] });
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

/**
 * Noto Sans (SIL Open Font License 1.1): Latin, Greek and Cyrillic. Opened once a thread. Two faces and not three: each
 * one that a page uses adds half a millisecond and two and a half kilobytes.
 */
export const fonts: Readonly<Record<Face, fontkit.Font>> = {
  regular: openFont(FILES.regular),
  semibold: openFont(FILES.semibold),
};

rememberOutlines(fonts.regular);

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

/** Whether every face can show the character. */
export function hasGlyph(codePoint: number): boolean {
  return fonts.regular.hasGlyphForCodePoint(codePoint);
}

/** The width in points that a text takes in one line. */
export function widthOf(text: string, style: TextStyle): number {
  const font = fonts[style.face];
  let units = 0;
  for (const piece of text.match(/[^ ]* |[^ ]+$/g) ?? []) units += font.layout(piece).advanceWidth;
  return (units * style.size) / UNITS_PER_EM;
}
