import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';

/**
 * The area for a logo is 55 by 22 mm: at 600 dots per inch, finer than printers and screens show, that is 0.7
 * million pixels. A third more for square ones; checking so many takes some tenths of a second.
 */
const MAX_PIXELS = 1_000_000;

/** The refusal of a logo: 400 `invalid_request` with one issue that names the field and how to mend it. */
export function refuseLogo(code: string, message: string): Outcome<never> {
  return invalidField('logo.content', code, message);
}

/**
 * Null, or the refusal of an image with more pixels than can be seen: decided by its header, before anything is
 * decoded.
 */
export function tooManyPixels(width: number, height: number): Outcome<null> {
  if (width < 1 || height < 1) return refuseLogo('broken', 'has no width or no height');
  if (width * height <= MAX_PIXELS) return null;
  const most = MAX_PIXELS.toLocaleString('en');
  return refuseLogo('too_many_pixels', `has ${width} × ${height} pixels; ${most} are the most`);
}
