import { invalidField, type Outcome } from '../../../ground/errors/refusal.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';

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
  if (width * height <= DOCUMENT_LIMITS.logoPixels.value) return null;
  const max = DOCUMENT_LIMITS.logoPixels.value.toLocaleString('en');
  return refuseLogo('too_many_pixels', `has ${width} × ${height} pixels; ${max} are the most`);
}
