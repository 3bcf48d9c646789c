import { fontOf } from './font-families.ts';
import { hasGlyph } from './fonts.ts';
import { graphemesOf, isPicture } from './graphemes.ts';

/** Almost every text consists of these only: nothing to do. */
const PLAIN = /^[\x20-\x7e¡-¬®-ÿ€]*$/;
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const SPACE = /[\t\p{Zs}]/gu;
/**
 * Controls, direction marks, joiners, variation selectors, private and unassigned characters: invisible, or able to
 * make the printed text read differently from the recorded one. Joiners after an Arabic or Devanagari letter are
 * part of the spelling.
 */
const INVISIBLE =
  /(?!(?<=[\p{Script=Arabic}\p{Script=Devanagari}])[\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Variation_Selector}]/gu;
/** No language stacks more marks on a letter; more would overlap the neighbouring lines. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
const JOINER = /[\u200c\u200d]/;
/** Replaces a character that no font has. */
const MISSING = '\ufffd';

function isShowable(grapheme: string): boolean {
  for (const character of grapheme) {
    if (!JOINER.test(character) && !hasGlyph(character.codePointAt(0) ?? 0)) return false;
  }
  return true;
}

/** What ties the characters of an emoji together. */
const TIES = /\u200d|\ufe0f|[\u{e0020}-\u{e007f}]/gu;

/** An emoji as its font draws it: as one picture, or else as those that it is made of; null if it has one of them not. */
function picture(grapheme: string): string | null {
  const font = fontOf('emoji', 'regular');
  const parts = grapheme.replace(TIES, '');
  for (const part of parts) if (!font.hasGlyphForCodePoint(part.codePointAt(0) ?? 0)) return null;
  const { glyphs } = font.layout(grapheme);
  return glyphs.length === 1 && glyphs[0]!.id !== 0 ? grapheme : parts;
}

/**
 * The text as it can be printed on one line: composed, without invisible characters, and with the replacement
 * character for what no font has and for a text that would otherwise be empty. Issuing refuses both; this is for
 * invoices that were issued before it did. PDF/A forbids the font's own "missing" glyph.
 */
export function printable(text: string): string {
  const shown = visible(text);
  return shown === '' && text !== '' ? MISSING : shown;
}

function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  const composed = text
    .normalize('NFC')
    .replace(LINE_BREAK, ' ')
    .replace(SPACE, (space) => (space === '\u00a0' ? space : ' '))
    .replace(PILED_MARKS, '$1');
  let result = '';
  for (const grapheme of graphemesOf(composed)) {
    const drawn = isPicture(grapheme) ? picture(grapheme) : null;
    const visible = drawn ?? grapheme.replace(INVISIBLE, '');
    result += drawn !== null || isShowable(visible) ? visible : MISSING;
  }
  return result;
}

/** A text that may be wrapped, as printable paragraphs. Of consecutive empty lines one is kept. */
export function paragraphsOf(text: string): string[] {
  const paragraphs = text
    .split(LINE_BREAK)
    .map((line) => visible(line).trimEnd())
    .filter((line, index, lines) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  while (paragraphs.at(-1) === '') paragraphs.pop();
  return paragraphs;
}
