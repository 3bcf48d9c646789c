import type * as fontkit from 'fontkit';
import { isDrawable } from '../../../ground/lib/drawable.ts';
import { fontOf, UNITS_PER_EM } from './font-families.ts';
import { runsOf, unitsOf } from './runs.ts';
import type { FontWeight, TextStyle } from './style.ts';

/**
 * The fonts of documents: Latin, Greek and Cyrillic. Two weights and not three: each one that a page uses adds half a
 * millisecond and two and a half kilobytes.
 */
export const fonts: Readonly<Record<FontWeight, fontkit.Font>> = {
  regular: fontOf('latin', 'regular'),
  semibold: fontOf('latin', 'semibold'),
};

/** Whether a font of each weight has the character. */
export function hasGlyph(codePoint: number): boolean {
  return fonts.regular.hasGlyphForCodePoint(codePoint) || isDrawable(codePoint);
}

/** The width in points of a text on one line. */
export function widthOf(text: string, style: TextStyle): number {
  const units = runsOf(text, style.weight).reduce((sum, run) => sum + unitsOf(run), 0);
  return (units * style.size) / UNITS_PER_EM;
}
