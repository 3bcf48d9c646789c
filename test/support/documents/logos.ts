import { crc32 } from 'node:zlib';
import { encode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { isRefusal } from '../../../src/ground/errors/refusal.ts';
import type { Logo } from '../../../src/subjects/documents/branding/branding.ts';
import { readLogo } from '../../../src/subjects/documents/branding/logo.ts';

/** A logo as a drawing program saves it: classes, a gradient that refers to another, a clip, a half-transparent shape. */
export const svgLogo = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 260 80">
  <title>Ñandú</title>
  <style>.roof{fill:#E4572E}.sky{fill:url(#falling)}</style>
  <defs>
    <linearGradient id="colours"><stop offset="0" stop-color="#17BEBB"/><stop offset="1" stop-color="#0B4F6C"/></linearGradient>
    <linearGradient id="falling" xlink:href="#colours" x1="0" x2="0" y1="0" y2="1"/>
    <clipPath id="round"><circle cx="40" cy="40" r="38"/></clipPath>
  </defs>
  <g clip-path="url(#round)">
    <rect class="sky" width="80" height="80"/>
    <path class="roof" d="M0 62 L40 22 L80 62 V80 H0Z"/>
    <circle cx="58" cy="22" r="9" style="fill:#FFD166;fill-opacity:.9"/>
  </g>
  <g fill="#0B4F6C" transform="translate(98 18)">
    <path d="M0 44V0h9l19 27V0h9v44h-9L9 17v27z"/>
    <path d="M62 12a16 16 0 1 0 0 32 16 16 0 0 0 0-32zm0 8a8 8 0 1 1 0 16 8 8 0 0 1 0-16z" fill-rule="evenodd"/>
    <rect x="92" width="9" height="44"/>
  </g>
  <line x1="214" x2="250" y1="58" y2="58" stroke="#E4572E" stroke-width="8" stroke-linecap="round"/>
</svg>`;

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** The pixels of a picture, each by its place. */
export function pixels(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) data.set(colourAt(x, y), (y * width + x) * 4);
  }
  return data;
}

/** A disc with soft edges on nothing, or on a colour. */
export function disc(size: number, ground: Colour): Buffer {
  const middle = size / 2;
  return pixels(size, size, (x, y) => {
    const inside = middle - 2 - Math.hypot(x + 0.5 - middle, y + 0.5 - middle);
    const cover = Math.min(1, Math.max(0, inside));
    if (cover === 0) return ground;
    return [228, Math.round((87 * x) / size) + 40, 46, Math.round(255 * cover)];
  });
}

/** A PNG of pixels with transparency; `options` are those of pngjs. */
export function pngOf(
  data: Buffer,
  width: number,
  height: number,
  options: { colorType?: 0 | 2 | 4 | 6; bitDepth?: 8 | 16 } = {},
): Buffer {
  const png = new PNG({ width, height });
  data.copy(png.data);
  return PNG.sync.write(png, { ...options, inputHasAlpha: true, inputColorType: 6 });
}

export const pngLogo = pngOf(disc(240, [0, 0, 0, 0]), 240, 240);

export const jpegLogo = encode(
  { width: 300, height: 120, data: pixels(300, 120, (x, y) => [x % 256, 120, y * 2, 255]) },
  85,
).data;

/** One of the three as it is kept. */
export function acceptedLogo(type: Logo['type']): Logo {
  const files = { png: pngLogo, jpeg: jpegLogo, svg: Buffer.from(svgLogo) };
  const logo = readLogo(type, files[type]);
  if (isRefusal(logo)) throw new Error(logo.detail);
  return logo;
}

/** A chunk of a PNG with its checksum. */
export function chunk(type: string, data: Buffer | string): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data as string)]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(body.length - 4, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), whole.length - 4);
  return whole;
}

/** The PNG with another head before the same pixels. */
export function withHead(
  png: Buffer,
  head: { width: number; height: number; interlace?: number; colour?: number },
): Buffer {
  const data = Buffer.from(png.subarray(16, 29));
  data.writeUInt32BE(head.width, 0);
  data.writeUInt32BE(head.height, 4);
  data.writeUInt8(head.colour ?? data.readUInt8(9), 9);
  data.writeUInt8(head.interlace ?? data.readUInt8(12), 12);
  return Buffer.concat([png.subarray(0, 8), chunk('IHDR', data), png.subarray(33)]);
}
