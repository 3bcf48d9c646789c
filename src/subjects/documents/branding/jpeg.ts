import { decode } from 'jpeg-js';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { Logo } from './branding.ts';
import { refuseLogo, tooManyPixels } from './refuse-logo.ts';

type Segment = { readonly marker: number; readonly whole: Buffer; readonly data: Buffer };

/** Markers of ITU-T T.81, table B.1. */
const START = Buffer.from([0xff, 0xd8]);
const END = 0xd9;
const SCAN = 0xda;
/** Baseline, extended and progressive: what PDF readers decode (DCTDecode, ISO 32000-1, 7.4.8). */
const FRAMES = [0xc0, 0xc1, 0xc2];
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const EXIF = 0xe1;
/** Tables, frame, restart interval, scans, JFIF's and Adobe's headers; not the metadata of cameras and programs. */
const NEEDED = new Set([0xdb, 0xc4, 0xdd, SCAN, END, 0xe0, 0xee, ...FRAMES]);
/** Encoders produce about ten; each is another pass over all the pixels. */
const MAX_SCANS = 64;
const MEGAPIXELS_OF_DECODER = 2;
const MEGABYTES_OF_DECODER = 128;

const broken = (detail: string) => refuseLogo('broken', `is no whole JPEG: ${detail}`);
const unsupported = (detail: string) => refuseLogo('unsupported', detail);

/** Checks a whole JPEG. It is embedded as it is, without the metadata of cameras and programs. */
export function readJpeg(bytes: Buffer): Outcome<Logo> {
  const segments = segmentsOf(bytes);
  if (isRefusal(segments)) return segments;
  const size = sizeOf(segments);
  if (isRefusal(size)) return size;
  if (segments.some(isTurned)) return unsupported('is turned by a note in the file: save it upright');
  const kept = segments.filter(({ marker }) => NEEDED.has(marker)).map(({ whole }) => whole);
  const bare = Buffer.concat([START, ...kept]);
  return decodes(bare, size) ? { type: 'jpeg', bytes: bare, ...size } : broken('its pixels make no sense');
}

function segmentsOf(bytes: Buffer): Outcome<Segment[]> {
  const segments: Segment[] = [];
  let position = START.length;
  while (position + 4 <= bytes.length || (position + 2 <= bytes.length && bytes[position + 1] === END)) {
    const marker = bytes.readUInt8(position + 1);
    if (bytes[position] !== 0xff) return broken('its parts do not join');
    if (marker === END) {
      segments.push({ marker, whole: bytes.subarray(position, position + 2), data: Buffer.alloc(0) });
      return segments;
    }
    let end = position + 2 + bytes.readUInt16BE(position + 2);
    const data = bytes.subarray(position + 4, end);
    if (marker === SCAN) end = endOfScan(bytes, end);
    if (end > bytes.length || data.length === 0) break;
    segments.push({ marker, whole: bytes.subarray(position, end), data });
    position = end;
  }
  return broken('it breaks off');
}

/** The position of the next segment: a marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  let position = start;
  for (;;) {
    position = bytes.indexOf(0xff, position);
    const next = bytes[position + 1];
    if (position < 0 || next === undefined) return bytes.length + 1;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return position;
    position += next === 0xff ? 1 : 2;
  }
}

function sizeOf(segments: readonly Segment[]): Outcome<{ width: number; height: number }> {
  const frames = segments.filter(({ marker }) => isFrame(marker));
  const [frame] = frames;
  if (frame === undefined || frames.length > 1 || frame.data.length < 6) return broken('its head is missing');
  if (!FRAMES.includes(frame.marker) || frame.data.readUInt8(0) !== 8) {
    return unsupported('is packed in a way that few programs read: save it as an ordinary JPEG');
  }
  const channels = frame.data.readUInt8(5);
  // PDF/A-3b requires one colour profile for the whole file, and ours is sRGB (ISO 19005-3, 6.2.4).
  if (channels !== 1 && channels !== 3)
    return unsupported('has the colours of a press (CMYK): save it as RGB');
  if (segments.filter(({ marker }) => marker === SCAN).length > MAX_SCANS) {
    return unsupported('is packed in too many layers: save it as an ordinary JPEG');
  }
  const size = { height: frame.data.readUInt16BE(1), width: frame.data.readUInt16BE(3) };
  const limit = tooManyPixels(size.width, size.height);
  return isRefusal(limit) ? limit : size;
}

/** Whether the Exif metadata states that the image is rotated (tag 0x0112, Exif 2.32, 4.6.4). */
function isTurned({ marker, data }: Segment): boolean {
  if (marker !== EXIF || data.toString('latin1', 0, 6) !== 'Exif\0\0' || data.length < 14) return false;
  const tiff = data.subarray(6);
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const word = (at: number) =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < word(directory); entry += 1) {
    const at = directory + 2 + entry * 12;
    if (word(at) === 0x0112) return word(at + 8) > 1;
  }
  return false;
}

function decodes(bytes: Buffer, size: { width: number; height: number }): boolean {
  try {
    const { width, height } = decode(bytes, {
      useTArray: true,
      formatAsRGBA: false,
      tolerantDecoding: false,
      maxResolutionInMP: MEGAPIXELS_OF_DECODER,
      maxMemoryUsageInMB: MEGABYTES_OF_DECODER,
    });
    return width === size.width && height === size.height;
  } catch {
    return false;
  }
}
