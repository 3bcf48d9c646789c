import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';
import { LRUCache } from 'lru-cache';
import type { FontWeight } from './style.ts';

const require = createRequire(import.meta.url);

const family = (name: string, file: string): Record<FontWeight, string> => ({
  regular: `${name}/400Regular/${file}_400Regular.ttf`,
  semibold: `${name}/600SemiBold/${file}_600SemiBold.ttf`,
});
/**
 * A document uses one weight of these fonts of ten megabytes: two would both be in the memory of every rendering
 * thread.
 */
const large = (name: string, file: string): Record<FontWeight, string> => {
  const { regular } = family(name, file);
  return { regular, semibold: regular };
};

/**
 * Noto Sans and Noto Emoji (SIL Open Font License 1.1), by script. `latin` covers Latin, Greek and Cyrillic, which is enough for
 * most documents; the others are opened when a text needs them. For characters in several fonts, the first font is
 * used.
 */
const FAMILIES = {
  latin: family('noto-sans', 'NotoSans'),
  hebrew: family('noto-sans-hebrew', 'NotoSansHebrew'),
  arabic: family('noto-sans-arabic', 'NotoSansArabic'),
  devanagari: family('noto-sans-devanagari', 'NotoSansDevanagari'),
  thai: family('noto-sans-thai', 'NotoSansThai'),
  han: large('noto-sans-sc', 'NotoSansSC'),
  korean: large('noto-sans-kr', 'NotoSansKR'),
  emoji: large('noto-emoji', 'NotoEmoji'),
} as const;

export type Family = keyof typeof FAMILIES;

/**
 * The scale of a script relative to Latin of the same size, where its letters extend further up and down: all
 * scripts have the same line distance, and the dots of a final ي would touch a hamza in the next line. Emoji are wider
 * than they are high.
 */
const SCALES: Readonly<Partial<Record<Family, number>>> = { arabic: 0.92, thai: 0.87, emoji: 0.85 };

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
/** Words repeat across invoices, and figures within one; a few megabytes at most. */
const SHAPES_KEPT = 4_000;
/** Longer than any word of a language that uses spaces: not worth caching, nor the cost of kerning. */
const LONGEST_WORD = 40;
/** With a glyph for "ﬁ" the text would be copied and searched as one character. */
const NO_LIGATURES = { liga: false };
/** Places marks at the end of the preceding letter instead of where its font positions them. */
const MARKS_UNPLACED = { ...NO_LIGATURES, mark: false, mkmk: false };
/** Figures have equal widths and need no kerning. */
const FIGURES = /^[\d.,\-+ \u00a0€%/]*$/;

/**
 * A font that caches shaping. Shaping one word costs fontkit about 40 µs, most of a page's cost, and words and
 * figures repeat across documents. pdfkit accepts a font object and calls its `layout`.
 */
function openFont(file: string, needsShaping: boolean): fontkit.Font {
  const opened = fontkit.create(readFileSync(file));
  if (!('createSubset' in opened)) throw new Error(`${file} is not a single font`);
  const font = opened;
  // pdfkit scales positions in place to a thousand units per em: with another size it gets a copy of those that are kept.
  const scale = UNITS_PER_EM / font.unitsPerEm;
  // fontkit remembers for each glyph the characters that first led to it, and pdfkit writes those into the document
  // (space and no-break space share a glyph). Loading all characters in a fixed order makes documents independent
  // of what was printed before.
  for (const codePoint of font.characterSet.toSorted((a, b) => a - b)) font.glyphForCodePoint(codePoint);
  const shape = font.layout.bind(font);
  const shapes = new LRUCache<string, Shape>({ max: SHAPES_KEPT });
  const figures = new LRUCache<string, Shape>({ max: SHAPES_KEPT });

  function layout(text: string): Shape {
    const isLong = text.length > LONGEST_WORD;
    const isFigure = FIGURES.test(text);
    const kept = isFigure ? figures : shapes;
    const known = isLong ? undefined : kept.get(text);
    if (known !== undefined) return scale === 1 ? known : copyOf(known);
    const isPlain = isFigure || (isLong && !needsShaping);
    const { glyphs, positions } = isPlain ? glyphByGlyph(font, text) : shapedBy(shape, text);
    const advanceWidth = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) * scale;
    const shaped = { glyphs, positions, advanceWidth };
    if (!isLong) kept.set(text, scale === 1 ? shaped : copyOf(shaped));
    return shaped;
  }

  return Object.assign(font, { layout: layout as unknown as fontkit.Font['layout'] });
}

function copyOf({ glyphs, positions, advanceWidth }: Shape): Shape {
  return { glyphs, positions: positions.map((position) => ({ ...position })), advanceWidth };
}

/**
 * fontkit throws when a font has no position for a kind of mark on a letter (the lower dot of U+06A2): the marks of
 * that text are then not positioned, so that the document can be drawn.
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

/** In these scripts letters join, stack or reorder regardless of the word's length, and emoji join to one. */
const SHAPED: ReadonlySet<Family> = new Set<Family>(['arabic', 'devanagari', 'thai', 'emoji']);

const opened = new Map<string, fontkit.Font>();

/** The font of a family, opened once per thread. */
export function fontOf(name: Family, weight: FontWeight): fontkit.Font {
  const file = FAMILIES[name][weight];
  const before = opened.get(file);
  if (before !== undefined) return before;
  const font = openFont(require.resolve(`@expo-google-fonts/${file}`), SHAPED.has(name));
  if (opened.size === 0) cacheOutlines(font);
  opened.set(file, font);
  return font;
}

/** The font's name in a document. */
export function fontName(name: Family, weight: FontWeight): string {
  return name === 'latin' ? weight : FAMILIES[name][weight];
}

/**
 * Each document's subset parses the outline of each of its glyphs again, only to check for composite glyphs.
 * Patched for all fonts.
 */
function cacheOutlines(font: fontkit.Font): void {
  const glyphs = Object.getPrototypeOf(font.getGlyph(0)) as { _decode(): unknown };
  const decode = glyphs._decode;
  const outlines = new WeakMap<object, unknown>();
  glyphs._decode = function (this: object) {
    if (!outlines.has(this)) outlines.set(this, decode.call(this));
    return outlines.get(this);
  };
}
