import type { Branding } from '../branding/branding.ts';
import { type Colour, readableOn } from '../branding/colour.ts';
import { colours, OUR_ACCENT } from './style.ts';

/** The company's colour in print: unchanged in lines, dark enough to be readable in letters. */
export type Accent = { readonly line: Colour; readonly ink: Colour };

/**
 * The accent of a branding. Letters are printed on white and on the tinted background of the total, the darker of
 * the two.
 */
export function accentOf({ accentColour }: Pick<Branding, 'accentColour'>): Accent {
  const line = accentColour ?? OUR_ACCENT;
  return { line, ink: readableOn(colours.wash, line) };
}
