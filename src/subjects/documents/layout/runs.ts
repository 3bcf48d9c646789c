import { createRequire } from 'node:module';
import type { Bidi } from 'bidi-js';
import type * as fontkit from 'fontkit';
import { type Family, families, fontName, fontOf, scaleOf } from './font-families.ts';
import { graphemesOf, isPicture, mayHavePictures } from './graphemes.ts';
import type { FontWeight } from './style.ts';

/** A part of a line: text with one font and one direction, drawn at `scale` of the line's size. */
export type Run = {
  readonly name: string;
  readonly font: fontkit.Font;
  readonly scale: number;
  readonly text: string;
};

// Its type declarations describe another export format than the one that Node resolves.
const makeBidi: () => Bidi = createRequire(import.meta.url)('bidi-js');
const bidi = makeBidi();

/** Texts of these characters use the first font and are written from left to right. */
const WESTERN = /^[\x20-\u058f\u1e00-\u1fff\u2010-\u2027\u2030-\u206f\u20a0-\u20ff\u2100-\u218f]*$/;
const HANGUL = /\p{Script=Hangul}/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Marks that stay with the preceding letter, whichever font has that letter. */
const ATTACHED = /[\p{M}\u200c\u200d]/u;

/** Whether a letter of the text belongs to a script written from right to left. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * The runs of a printable line in drawing order, left to right (Unicode Bidirectional Algorithm). The line's base
 * direction is that of its first letter.
 */
export function runsOf(line: string, weight: FontWeight): Run[] {
  if (line === '') return [];
  if (WESTERN.test(line)) return [runIn('latin', weight, line)];
  if (!isRightToLeft(line)) return byFont(line, weight);
  return visualOrder(line).flatMap(({ text, isReversed }) => {
    const runs = byFont(text, weight);
    // A shaper reverses the letters of a word; the order of words must be reversed here.
    return isReversed ? runs.reverse().flatMap(reversedWords) : runs;
  });
}

/** The width of a run, in thousandths of the line's size. */
export function unitsOf({ font, scale, text }: Run): number {
  let units = 0;
  for (const piece of text.match(/[^ ]* |[^ ]+$/g) ?? []) units += font.layout(piece).advanceWidth;
  return units * scale;
}

function runIn(family: Family, weight: FontWeight, text: string): Run {
  return { name: fontName(family, weight), font: fontOf(family, weight), scale: scaleOf(family), text };
}

function byFont(text: string, weight: FontWeight): Run[] {
  const runs: Run[] = [];
  let family: Family | null = null;
  let gathered = '';
  // The characters of an emoji are one glyph together, so none of them may be drawn with another font.
  const characters = mayHavePictures(text) ? graphemesOf(text).flatMap(pictureOrCharacters) : text;
  for (const character of characters) {
    const next = familyFor(character, weight, family);
    if (next !== family && family !== null) {
      runs.push(runIn(family, weight, gathered));
      gathered = '';
    }
    family = next;
    gathered += character;
  }
  if (family !== null) runs.push(runIn(family, weight, gathered));
  return runs;
}

const pictureOrCharacters = (grapheme: string): string[] =>
  isPicture(grapheme) ? [grapheme] : [...grapheme];

function familyFor(character: string, weight: FontWeight, before: Family | null): Family {
  if (mayHavePictures(character) && isPicture(character)) return 'emoji';
  const codePoint = character.codePointAt(0) ?? 0;
  const has = (family: Family) => fontOf(family, weight).hasGlyphForCodePoint(codePoint);
  // A space of the emoji's font is as wide as an emoji.
  const mayStay = before !== null && before !== 'emoji' && (character === ' ' || ATTACHED.test(character));
  if (mayStay && has(before)) return before;
  if (HANGUL.test(character)) return 'korean';
  return families.find(has) ?? 'latin';
}

type Stretch = { readonly text: string; readonly isReversed: boolean };

/** Runs of one level, in visual order; brackets of right-to-left runs are mirrored. */
function visualOrder(line: string): Stretch[] {
  const { levels } = bidi.getEmbeddingLevels(line, 'auto');
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const stretches: { text: string; level: number }[] = [];
  for (let index = 0; index < line.length; index += 1) {
    const level = levels[index] ?? 0;
    const character = mirrored.get(index) ?? line[index]!;
    const last = stretches.at(-1);
    if (last !== undefined && last.level === level) last.text += character;
    else stretches.push({ text: character, level });
  }
  // Rule L2: from the highest level down, every sequence at that level or above is reversed.
  const highest = Math.max(...stretches.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) reverseFrom(stretches, level);
  return stretches.map(({ text, level }) => ({ text, isReversed: level % 2 === 1 }));
}

function reverseFrom(stretches: { text: string; level: number }[], level: number): void {
  let start = 0;
  while (start < stretches.length) {
    if (stretches[start]!.level < level) {
      start += 1;
      continue;
    }
    let end = start;
    while (end < stretches.length && stretches[end]!.level >= level) end += 1;
    stretches.splice(start, end - start, ...stretches.slice(start, end).reverse());
    start = end;
  }
}

/**
 * Words and the spaces between them, in reverse order. A shaper does not reverse text without right-to-left
 * letters.
 */
function reversedWords(run: Run): Run[] {
  return (run.text.match(/[^ \u00a0]+|[ \u00a0]+/g) ?? [])
    .reverse()
    .map((text) => ({ ...run, text: isRightToLeft(text) ? text : [...text].reverse().join('') }));
}
