import { crc32, inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { Logo } from './branding.ts';
import { refuseLogo, tooManyPixels } from './refuse-logo.ts';

type Chunk = { readonly type: string; readonly data: Buffer; readonly whole: Buffer };
type Head = {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly channels: number;
  readonly hasAlpha: boolean;
  readonly interlaced: boolean;
};

const SIGNATURE_BYTES = 8;
const HEAD_BYTES = 13;
/** Colour types of the PNG specification (ISO/IEC 15948, 11.2.2): channels and the allowed bit depths. */
const COLOURS = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16], hasAlpha: false }],
  [2, { channels: 3, depths: [8, 16], hasAlpha: false }],
  [3, { channels: 1, depths: [1, 2, 4, 8], hasAlpha: false }],
  [4, { channels: 2, depths: [8, 16], hasAlpha: true }],
  [6, { channels: 4, depths: [8, 16], hasAlpha: true }],
]);
/** The chunks that an opaque image needs to be shown. */
const NEEDED = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);
const WHITE = { red: 255, green: 255, blue: 255 };

const broken = (detail: string) => refuseLogo('broken', `is no whole PNG: ${detail}`);

/**
 * Checks a whole PNG. Images that cannot be embedded as they are (transparent, interlaced, 16 bits) are encoded
 * again on white.
 */
export function readPng(bytes: Buffer): Outcome<Logo> {
  const chunks = chunksOf(bytes);
  if (isRefusal(chunks)) return chunks;
  const head = headOf(chunks);
  if (isRefusal(head)) return head;
  const { width, height } = head;
  const limit = tooManyPixels(width, height);
  if (isRefusal(limit)) return limit;
  const size = measure(chunks, head);
  if (isRefusal(size)) return size;
  const picture = decode(bytes);
  if (isRefusal(picture)) return picture;
  const isPlain = !head.hasAlpha && !head.interlaced && head.depth <= 8;
  const isOpaque = isPlain && chunks.every(({ type }) => type !== 'tRNS');
  return { type: 'png', bytes: isOpaque ? bare(bytes, chunks) : onWhite(picture), width, height };
}

/** The chunks of the file, each with its checksum verified; the last one ends the file. */
function chunksOf(bytes: Buffer): Outcome<Chunk[]> {
  const chunks: Chunk[] = [];
  let position = SIGNATURE_BYTES;
  while (position + 12 <= bytes.length) {
    const end = position + 12 + bytes.readUInt32BE(position);
    if (end > bytes.length) return broken('it breaks off');
    const whole = bytes.subarray(position, end);
    if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)) {
      return broken('a checksum is wrong');
    }
    const type = whole.toString('latin1', 4, 8);
    chunks.push({ type, data: whole.subarray(8, -4), whole });
    position = end;
    if (type !== 'IEND') continue;
    return position === bytes.length ? chunks : broken('something follows its end');
  }
  return broken('it breaks off');
}

function headOf(chunks: readonly Chunk[]): Outcome<Head> {
  const [first] = chunks;
  if (first?.type !== 'IHDR' || first.data.length !== HEAD_BYTES) return broken('its head is missing');
  // A decoder may believe the last one, and unpack far more than the first one states.
  if (chunks.filter(({ type }) => type === 'IHDR').length > 1) return broken('it has several heads');
  const { data } = first;
  const depth = data.readUInt8(8);
  const colour = COLOURS.get(data.readUInt8(9));
  if (colour?.depths.includes(depth) !== true || data.readUInt8(12) > 1)
    return broken('its head makes no sense');
  const { channels, hasAlpha } = colour;
  const size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
  return { ...size, depth, channels, hasAlpha, interlaced: data.readUInt8(12) === 1 };
}

/** Inflates the pixels, at most as many as the header allows, and requires exactly that many. */
function measure(chunks: readonly Chunk[], head: Head): Outcome<null> {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const expected = bytesOf(head);
  try {
    if (inflateSync(packed, { maxOutputLength: expected }).length === expected) return null;
    return broken('it holds less than it says');
  } catch (error) {
    const isMore = error instanceof RangeError;
    return broken(isMore ? 'it holds more than it says' : 'its pixels cannot be unpacked');
  }
}

/**
 * The size of the inflated pixels: each row with a byte for its filter; interlaced ones in seven passes (Adam7).
 */
function bytesOf({ width, height, depth, channels, interlaced }: Head): number {
  const pass = (columns: number, rows: number) =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((columns * channels * depth) / 8));
  if (!interlaced) return pass(width, height);
  return ADAM7.reduce((sum, [x, y, stepX, stepY]) => {
    const columns = Math.ceil((width - x) / stepX);
    return sum + pass(Math.max(0, columns), Math.max(0, Math.ceil((height - y) / stepY)));
  }, 0);
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function decode(bytes: Buffer): Outcome<PNG> {
  try {
    return PNG.sync.read(bytes);
  } catch {
    return broken('its pixels make no sense');
  }
}

function bare(bytes: Buffer, chunks: readonly Chunk[]): Buffer {
  const kept = chunks.filter(({ type }) => NEEDED.has(type)).map(({ whole }) => whole);
  return Buffer.concat([bytes.subarray(0, SIGNATURE_BYTES), ...kept]);
}

function onWhite(picture: PNG): Buffer {
  return PNG.sync.write(picture, {
    colorType: 2,
    inputColorType: 6,
    bgColor: WHITE,
    inputHasAlpha: true,
    deflateStrategy: 0,
  });
}
