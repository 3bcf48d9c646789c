import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';

/**
 * The room for a logo is 55 by 22 mm: at 600 dots per inch, which is finer than printers and screens show, 0.7 million
 * pixels. A third more, for square ones; looking through so many takes some tenths of a second.
 */
const MAX_PIXELS = 1_000_000;

/** The refusal of a logo: 400 `invalid_request` whose one entry names the field and says what to do about it. */
export function refuseLogo(code: string, message: string): Outcome<never> {
  return invalidField('logo.content', code, message);
}

/** Null, or the refusal of a picture of more dots than are ever seen: said by its head, before anything is unpacked. */
export function tooManyPixels(width: number, height: number): Outcome<null> {
  if (width < 1 || height < 1) return refuseLogo('broken', 'has no width or no height');
  if (width * height <= MAX_PIXELS) return null;
  const most = MAX_PIXELS.toLocaleString('en');
  return refuseLogo('too_many_pixels', `has ${width} × ${height} pixels; ${most} are the most`);
}
