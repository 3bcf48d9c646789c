import type { Branding } from '../branding/branding.ts';
import { type Colour, readableOn } from '../branding/colour.ts';
import { colours, OUR_ACCENT } from './style.ts';

/** The company's colour as it is printed: in lines as it is, in letters so dark that they can be read. */
export type Accent = { readonly line: Colour; readonly ink: Colour };

/** The accent of a branding. Letters stand on white and on the wash behind the total, which is the darker of the two. */
export function accentOf({ accentColour }: Pick<Branding, 'accentColour'>): Accent {
  const line = accentColour ?? OUR_ACCENT;
  return { line, ink: readableOn(colours.wash, line) };
}
