import type { Logo } from '../branding/branding.ts';
import type { Sheet } from './sheet.ts';
import { mm } from './style.ts';

/** High enough for a square logo to be recognizable, and lower than the QR code beside it. */
const HIGHEST = mm(22);
/** At a lower resolution pixels would be visible: the logo is drawn smaller instead. */
const COARSEST = 100;
const POINTS_PER_INCH = 72;

/** The size of a logo in an area of that width: as large as possible without visible pixels. */
function logoSize({ type, width, height }: Logo, room: number): { width: number; height: number } {
  const max = type === 'svg' ? Number.POSITIVE_INFINITY : POINTS_PER_INCH / COARSEST;
  const scale = Math.min(room / width, HIGHEST / height, max);
  return { width: width * scale, height: height * scale };
}

/** Draws a logo with its top left corner at `x` and `y`; `alt` is the text for screen readers. */
export function drawLogo(
  sheet: Sheet,
  logo: Logo,
  {
    x,
    y,
    room,
    alt,
  }: { readonly x: number; readonly y: number; readonly room: number; readonly alt: string },
): number {
  const { width, height } = logoSize(logo, room);
  const bbox = [x, y, x + width, y + height];
  sheet.leaf('Figure', () => sheet.picture(logo, { x, width }, y, height), { alt, bbox });
  return height;
}
