import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib';
import Negotiator from 'negotiator';

/** The content codings of answers. If two are requested with the same preference, the first of this list is used. */
const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Brotli's default quality takes a second for a megabyte; this one is as fast as gzip and still smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The coding that a request prefers (RFC 9110 section 12.5.3), or null for none. */
export function codingFor(headers: {
  readonly 'accept-encoding'?: string | string[] | undefined;
}): Coding | null {
  const acceptEncoding = headers['accept-encoding'];
  if (acceptEncoding === undefined || acceptEncoding === '') return null;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': String(acceptEncoding) } });
  const [best] = negotiator.encodings([...CODINGS, 'identity']);
  return best === undefined || best === 'identity' ? null : (best as Coding);
}

/** The bytes in that coding. The work is done in another thread. */
export function compress(bytes: string | Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'br' ? toBrotli(bytes, BROTLI) : toGzip(bytes, gzipFor(Buffer.byteLength(bytes)));
}

/** The part of gzip's window that does not hold what came before. */
const LOOKAHEAD = 262;

/**
 * As much memory as gzip needs for so many bytes, with the same result. By default it takes 270 KiB for an answer of 1 KiB, and
 * Node keeps 16 KiB of output until the next full garbage collection.
 */
function gzipFor(length: number): ZlibOptions {
  const windowBits = Math.min(15, Math.ceil(Math.log2(length + LOOKAHEAD)));
  return {
    windowBits,
    // One block holds as many symbols as the window holds bytes.
    memLevel: Math.min(8, windowBits - 6),
    chunkSize: Math.min(constants.Z_DEFAULT_CHUNK, Math.max(constants.Z_MIN_CHUNK, length)),
  };
}

/** Whether `If-None-Match` contains the tag, by weak comparison as the header requires (RFC 9110 section 13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, tag: string): boolean {
  const held = (ifNoneMatch ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return held.includes('*') || held.includes(tag.replace(/^W\//, ''));
}
