import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { Logo } from './branding.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import { refuseLogo } from './refuse-logo.ts';
import { readSvg } from './svg.ts';

/** With a more extreme aspect ratio the area leaves less than 6 mm in one direction. */
const FLATTEST = 9;
const NARROWEST = 1 / 3;

const names = { png: 'a PNG', jpeg: 'a JPEG', svg: 'an SVG' } as const;

/**
 * The logo as it will be printed. The file is not trusted: its content must match its declared type, every part of
 * it is parsed once, and what is stored is encoded again, without metadata (a photo contains its location) and
 * without transparency, which white paper does not show. Refuses with `invalid_request`, field `logo.content`;
 * codes: `too_big`, `wrong_type`, `broken`, `too_many_pixels`, `bad_shape`, `unsupported`, `forbidden`.
 */
export function readLogo(type: Logo['type'], bytes: Buffer): Outcome<Logo> {
  const max = (type === 'svg' ? DOCUMENT_LIMITS.logoDrawing : DOCUMENT_LIMITS.logoImage).value;
  if (bytes.length > max) return refuseLogo('too_big', `${names[type]} may have ${max / 1024} KiB at most`);
  const found = typeOf(bytes);
  if (found !== type) {
    const what = found === null ? 'no picture of these types' : names[found];
    return refuseLogo('wrong_type', `is said to be ${names[type]}, but is ${what}`);
  }
  const logo = readers[type](bytes);
  if (isRefusal(logo)) return logo;
  // Without transparency an image may have become larger.
  if (logo.bytes.length > max) return refuseLogo('too_big', 'has too many details: make it smaller');
  const shape = logo.width / logo.height;
  if (shape <= FLATTEST && shape >= NARROWEST) return logo;
  return refuseLogo(
    'bad_shape',
    `must be at most ${FLATTEST} times as wide as high, and 3 times as high as wide`,
  );
}

const readers: Record<Logo['type'], (bytes: Buffer) => Outcome<Logo>> = {
  png: readPng,
  jpeg: readJpeg,
  svg: readSvg,
};

/** The type by the first bytes: the declared type proves nothing. */
function typeOf(bytes: Buffer): Logo['type'] | null {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'png';
  if (bytes.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1'))) return 'jpeg';
  return /^(\ufeff|\u00ef\u00bb\u00bf)?\s*</.test(bytes.toString('latin1', 0, 100)) ? 'svg' : null;
}
