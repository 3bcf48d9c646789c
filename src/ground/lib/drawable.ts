import { DRAWABLE } from './drawable-ranges.ts';

const bounds = DRAWABLE.split(' ').map((range) => {
  const [first = '', last = first] = range.split('-');
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
});

/** Whether the fonts of documents have the character; decided without opening a font. */
export function isDrawable(codePoint: number): boolean {
  let low = 0;
  let high = bounds.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = bounds[middle]!;
    if (codePoint < first) high = middle - 1;
    else if (codePoint > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** Almost every text consists of these only: all of them can be drawn. */
export const PLAIN = /^[\x20-\x7e¡-¬®-ÿ€\r\n\t]*$/;
/** Characters that need not be drawn: joiners, direction marks, variation selectors, spaces and line breaks. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\p{Z}\r\n\t]/u;

/**
 * The first character of a text that none of the fonts can draw, or null. Letters with combining marks are checked in
 * composed form.
 */
export function undrawable(text: string): string | null {
  if (PLAIN.test(text)) return null;
  for (const character of text.normalize('NFC')) {
    if (!INVISIBLE.test(character) && !isDrawable(character.codePointAt(0) ?? 0)) return character;
  }
  return null;
}

/** Whether anything of a text would be visible. */
export function hasVisibleCharacter(text: string): boolean {
  return PLAIN.test(text) ? text.trim() !== '' : [...text].some((character) => !INVISIBLE.test(character));
}
