import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { encode } from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { Logo } from '../../src/subjects/documents/branding/branding.ts';
import { readLogo } from '../../src/subjects/documents/branding/logo.ts';
import { readLogoInWorker } from '../../src/subjects/documents/branding/logo-in-worker.ts';
import {
  chunk,
  disc,
  jpegLogo,
  pixels,
  pngLogo,
  pngOf,
  svgLogo,
  withHead,
} from '../support/documents/logos.ts';
import { gapsDuring } from '../support/processes/event-loop.ts';

const WHITE = [255, 255, 255, 255] as const;

function accepted(type: Logo['type'], bytes: Buffer | string): Logo & { bytes: Buffer } {
  const logo = readLogo(type, Buffer.from(bytes));
  if (isRefusal(logo)) throw new Error(logo.detail);
  return { ...logo, bytes: Buffer.from(logo.bytes) };
}

/** The code of the refusal; every one is 400 and names the field. */
const refused = (type: Logo['type'], bytes: Buffer | string): string =>
  issueOf(type, bytes)?.code ?? 'accepted';

function issueOf(type: Logo['type'], bytes: Buffer | string): { code: string; message: string } | undefined {
  const logo = readLogo(type, Buffer.from(bytes));
  if (!isRefusal(logo)) return undefined;
  expect(logo.code).toBe('invalid_request');
  expect(logo.errors).toHaveLength(1);
  expect(logo.errors[0]?.field).toBe('logo.content');
  expect(logo.errors[0]?.message.length).toBeLessThan(200);
  return logo.errors[0];
}

const drawing = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" ${attributes}>${inside}</svg>`;
const SHAPE = '<rect width="40" height="20" fill="#123456"/>';

describe('what is printed of a logo', () => {
  test('is a PNG without transparency: transparent parts become white', () => {
    const { data, alpha } = PNG.sync.read(accepted('png', pngLogo).bytes) as PNG & { alpha: boolean };
    expect(alpha).toBe(false);
    const at = (x: number, y: number) => [...data.subarray((y * 240 + x) * 4, (y * 240 + x) * 4 + 4)];
    expect(at(0, 0)).toEqual([255, 255, 255, 255]);
    expect(at(120, 120)).toEqual([228, 84, 46, 255]);
  });

  test.each([
    ['grey with transparency', { colorType: 4 }],
    ['sixteen bits', { colorType: 2, bitDepth: 16 }],
    ['opaque', { colorType: 2 }],
    ['grey', { colorType: 0 }],
  ] as const)('is an ordinary PNG, for any input: %s', (_kind, options) => {
    const { bytes } = accepted('png', pngOf(disc(60, WHITE), 60, 60, options));
    const [depth, colour, , , interlace] = bytes.subarray(24, 29);
    expect({ depth, interlace }).toEqual({ depth: 8, interlace: 0 });
    expect([0, 2]).toContain(colour);
  });

  test('is the image only: neither text nor metadata in a PNG, nothing of the camera in a JPEG', () => {
    const opaque = pngOf(disc(60, WHITE), 60, 60, { colorType: 2 });
    const talking = Buffer.concat([
      opaque.subarray(0, 33),
      chunk('tEXt', 'Author\0Ana'),
      opaque.subarray(33),
    ]);
    expect(accepted('png', talking).bytes).toEqual(opaque);
    const exif = segment(0xe1, Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0GPS 40.4', 'latin1'));
    const comment = segment(0xfe, Buffer.from('Ana'));
    const withComments = Buffer.concat([jpegLogo.subarray(0, 2), exif, comment, jpegLogo.subarray(2)]);
    expect(accepted('jpeg', withComments).bytes).toEqual(jpegLogo);
  });

  test('is an SVG of shapes only, styled by attributes', () => {
    const { bytes, width, height } = accepted('svg', svgLogo);
    const text = bytes.toString();
    expect({ width, height }).toEqual({ width: 260, height: 80 });
    expect(text).not.toMatch(/class|style|title|DOCTYPE|<\?/);
    expect(text).toContain('fill="#FFD166" fill-opacity=".9"');
    expect(accepted('svg', text).bytes.toString()).toBe(text);
  });

  test('is the drawing without the editor’s metadata', () => {
    const noted = drawing(
      `<metadata><rdf:RDF xmlns:rdf="x"><a/></rdf:RDF></metadata><sodipodi:namedview pagecolor="red"/><g inkscape:label="l">${SHAPE}</g><!-- by Ana -->`,
      'sodipodi:docname="logo.svg"',
    );
    expect(accepted('svg', noted).bytes.toString()).not.toMatch(/inkscape|sodipodi|metadata|Ana/);
  });
});

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

describe('a logo whose content is not of its declared type is refused', () => {
  test.each([
    ['a JPEG as PNG', 'png', jpegLogo],
    ['a PNG as JPEG', 'jpeg', pngLogo],
    ['an SVG as PNG', 'png', Buffer.from(svgLogo)],
    ['a PNG as SVG', 'svg', pngLogo],
    ['a GIF as PNG', 'png', Buffer.from('GIF89a')],
    ['a PDF as SVG', 'svg', Buffer.from('%PDF-1.7')],
    ['nothing as JPEG', 'jpeg', Buffer.alloc(0)],
  ] as const)('%s', (_kind, type, bytes) => {
    expect(refused(type, bytes)).toBe('wrong_type');
  });

  test('HTML as SVG', () => {
    expect(refused('svg', '<html><body/></html>')).toBe('broken');
  });
});

describe('a logo with a false size is refused, before it is unpacked', () => {
  test('more pixels than may be, by its header', () => {
    expect(refused('png', withHead(pngLogo, { width: 60_000, height: 60_000 }))).toBe('too_many_pixels');
    const huge = Buffer.from(jpegLogo);
    const frame = huge.indexOf(Buffer.from([0xff, 0xc0]));
    huge.writeUInt16BE(65_000, frame + 5);
    expect(refused('jpeg', huge)).toBe('too_many_pixels');
    expect(refused('png', withHead(pngLogo, { width: 0, height: 10 }))).toBe('broken');
  });

  test('a picture of ten pixels that unpacks to a hundred megabytes is refused without unpacking it', () => {
    const packed = deflateSync(Buffer.alloc(100 * 1024 * 1024), { level: 9 });
    expect(packed.length).toBeLessThan(256 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    for (const interlace of [0, 1]) {
      const head = withHead(pngLogo, { width: 10, height: 10, interlace }).subarray(0, 33);
      const bomb = Buffer.concat([head, chunk('IDAT', packed), chunk('IEND', '')]);
      expect(issueOf('png', bomb)).toMatchObject({
        code: 'broken',
        message: expect.stringContaining('more than it says'),
      });
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  });

  test('fewer or more rows than its header declares', () => {
    expect(refused('png', withHead(pngLogo, { width: 240, height: 239 }))).toBe('broken');
    expect(refused('png', withHead(pngLogo, { width: 240, height: 241 }))).toBe('broken');
    const taller = Buffer.from(jpegLogo);
    taller.writeUInt16BE(900, taller.indexOf(Buffer.from([0xff, 0xc0])) + 5);
    expect(refused('jpeg', taller)).toBe('broken');
  });

  test('more bytes than may be', () => {
    expect(refused('png', Buffer.concat([pngLogo, Buffer.alloc(256 * 1024)]))).toBe('too_big');
    expect(refused('svg', drawing(SHAPE.repeat(2_000)))).toBe('too_big');
    expect(refused('svg', drawing('<g/>'.repeat(2_001)))).toBe('too_big');
    expect(refused('svg', drawing('<g>'.repeat(30) + SHAPE + '</g>'.repeat(30)))).toBe('too_big');
    const gradient = (stops: number) =>
      `<linearGradient id="a">${'<stop offset="0"/>'.repeat(stops)}</linearGradient>`;
    expect(accepted('svg', drawing(gradient(64) + SHAPE)).type).toBe('svg');
    expect(refused('svg', drawing(gradient(65) + SHAPE))).toBe('too_big');
  });

  test('more bytes once it is written again without transparency', () => {
    const shades = randomBytes(400 * 400);
    const grey = pngOf(
      pixels(400, 400, (x, y) => {
        const lightness = shades[400 * y + x]!;
        return [lightness, lightness, lightness, 128];
      }),
      400,
      400,
      { colorType: 4 },
    );
    expect(grey.length).toBeLessThan(256 * 1024);
    expect(issueOf('png', grey)).toMatchObject({
      code: 'too_big',
      message: expect.stringContaining('smaller'),
    });
  });

  test('a style sheet that is longer than a logo’s', () => {
    const sheet = (length: number) => `<style>.a{fill:red}/*${'x'.repeat(length - 16)}*/</style>`;
    expect(accepted('svg', drawing(sheet(16_384) + SHAPE)).type).toBe('svg');
    expect(refused('svg', drawing(sheet(16_385) + SHAPE))).toBe('forbidden');
  });

  test('a shape without room', () => {
    expect(refused('png', pngOf(Buffer.alloc(400 * 20 * 4, 255), 400, 20))).toBe('bad_shape');
    expect(refused('png', pngOf(Buffer.alloc(20 * 100 * 4, 255), 20, 100))).toBe('bad_shape');
    expect(refused('svg', '<svg viewBox="0 0 1000 1"><rect width="5" height="5"/></svg>')).toBe('bad_shape');
  });
});

/** Its true head, and before the pixels one that would have a decoder work for minutes. */
function withAnotherHead(png: Buffer): Buffer {
  const head = Buffer.from(png.subarray(16, 29));
  head.writeUInt32BE(65_535, 0);
  head.writeUInt32BE(65_535, 4);
  return Buffer.concat([png.subarray(0, 33), chunk('IHDR', head), png.subarray(33)]);
}

describe('an incomplete logo is refused', () => {
  test.each([
    ['breaks off', pngLogo.subarray(0, 3_000), 'it breaks off'],
    ['goes on', Buffer.concat([pngLogo, Buffer.from('<script>')]), 'something follows its end'],
    ['has a wrong checksum', Buffer.from(pngLogo).fill(7, 40, 41), 'a checksum is wrong'],
    [
      'has a colour type that is none',
      withHead(pngLogo, { width: 240, height: 240, colour: 5 }),
      'its head makes no sense',
    ],
    ['has a second head, of four thousand million pixels', withAnotherHead(pngLogo), 'it has several heads'],
  ])('a PNG that %s', (_fault, bytes, why) => {
    expect(issueOf('png', bytes)).toMatchObject({ code: 'broken', message: expect.stringContaining(why) });
  });

  test.each([
    ['breaks off', jpegLogo.subarray(0, 2_000)],
    ['is a head alone', jpegLogo.subarray(0, 3)],
    ['has its pixels overwritten', Buffer.from(jpegLogo).fill(0x55, 700, 3_000)],
  ])('a JPEG that %s', (_fault, bytes) => {
    expect(refused('jpeg', bytes)).toBe('broken');
  });

  test('a JPEG that would not be shown as intended: CMYK, or rotated by its EXIF data', () => {
    const press = Buffer.from(jpegLogo);
    press.writeUInt8(4, press.indexOf(Buffer.from([0xff, 0xc0])) + 9);
    expect(refused('jpeg', press)).toBe('unsupported');
    const turn = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0', 'latin1');
    const turned = Buffer.concat([jpegLogo.subarray(0, 2), segment(0xe1, turn), jpegLogo.subarray(2)]);
    expect(refused('jpeg', turned)).toBe('unsupported');
  });

  test.each([
    ['is not well-formed', drawing('<g>')],
    ['is not UTF-8', Buffer.from(`\xff${drawing(SHAPE)}`, 'latin1').fill(0xff, 50, 51)],
    ['shows nothing', drawing('<defs><rect id="a" width="5" height="5"/></defs>')],
    ['has no size', `<svg>${SHAPE}</svg>`],
    ['is two drawings', drawing(SHAPE) + drawing(SHAPE)],
    ['refers to what is not there', drawing('<rect width="5" height="5" fill="url(#gone)"/>')],
  ])('an SVG that %s', (_fault, text) => {
    expect(['broken', 'wrong_type']).toContain(refused('svg', text));
  });
});

describe('an SVG that is more than a drawing is refused', () => {
  test.each([
    ['a program', `<script>alert(1)</script>${SHAPE}`],
    ['a program on an event', '<rect width="5" height="5" onclick="alert(1)"/>'],
    ['HTML', `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>${SHAPE}`],
    ['a picture from elsewhere', '<image xlink:href="http://example.com/a.png" width="9" height="9"/>'],
    ['a file of this machine', '<image href="file:///etc/passwd" width="9" height="9"/>'],
    ['a picture inside', '<image href="data:image/png;base64,AAAA" width="9" height="9"/>'],
    ['a use of something', `<defs><g id="a">${SHAPE}</g></defs><use href="#a"/>`],
    ['a link', `<a href="https://example.com">${SHAPE}</a>`],
    ['text', '<text x="1" y="9">Hello</text>'],
    ['loose text', `${SHAPE}hello`],
    ['a style sheet from elsewhere', `<style>@import url(http://example.com/a.css);</style>${SHAPE}`],
    ['a style that fetches', '<rect width="5" height="5" style="fill:url(http://example.com/#a)"/>'],
    ['a paint from elsewhere', '<rect width="5" height="5" fill="url(http://example.com/#a)"/>'],
    ['a gradient from elsewhere', `<linearGradient id="a" xlink:href="http://example.com/#a"/>${SHAPE}`],
    [
      'a background that fetches',
      '<rect width="5" height="5" style="background:url(http://example.com/a)"/>',
    ],
    ['a class that fetches one', `<style>.a{background:url(http://example.com/a)}</style>${SHAPE}`],
    ['a style rule for everything', `<style>*{fill:red}</style>${SHAPE}`],
    ['a mask', `<mask id="m">${SHAPE}</mask>${SHAPE}`],
    ['a filter', '<rect width="5" height="5" filter="url(#f)"/>'],
    ['a pattern', `<pattern id="p" width="1" height="1">${SHAPE}</pattern>${SHAPE}`],
    ['an animation', `<rect width="5" height="5"><animate attributeName="x" to="9"/></rect>`],
    ['a drawing in a drawing', `<svg>${SHAPE}</svg>`],
    ['a clip of a clip', `<clipPath id="c"><g clip-path="url(#c)">${SHAPE}</g></clipPath>${SHAPE}`],
    ['numbers beyond measure', '<rect width="1e99" height="5"/>'],
    ['a path of something else', '<path d="M0 0 calc(1)"/>'],
  ])('%s', (_what, inside) => {
    expect(refused('svg', drawing(inside))).toBe('forbidden');
  });

  test('a gradient that refers to itself, or to an endless series', () => {
    const chain = (...ids: string[]) =>
      ids.map((id, index) => `<linearGradient id="${id}" href="#${ids[index + 1] ?? ids[0]}"/>`).join('');
    expect(refused('svg', drawing(chain('a') + SHAPE))).toBe('broken');
    expect(refused('svg', drawing(chain('a', 'b', 'c') + SHAPE))).toBe('broken');
  });

  test.each([
    ['a line far longer than its dashes', '<path d="M0 5L1000000 5" stroke="red" stroke-dasharray=".01"/>'],
    [
      'many lines of dashes',
      `<g stroke-dasharray="1 .5">${'<path d="M0 5H99" stroke="red"/>'.repeat(90)}</g>`,
    ],
    ['dashes of less than nothing', '<path d="M0 5H9" stroke="red" stroke-dasharray="-1 1.01"/>'],
  ])('%s', (_what, inside) => {
    expect(refused('svg', drawing(inside))).toBe('too_big');
  });

  test('but not one of some dashes', () => {
    const dashed = '<path d="M0 5H99" stroke="red" stroke-dasharray="4 2"/>';
    expect(accepted('svg', drawing(dashed)).bytes.toString()).toContain('stroke-dasharray="4 2"');
  });

  test.each([
    ['more groups than a parser goes down', drawing('<g>'.repeat(5_000) + SHAPE + '</g>'.repeat(5_000))],
    ['a name that a parser takes for an attack', drawing(`<__proto__/>${SHAPE}`)],
  ])('%s', (_what, text) => {
    expect(refused('svg', text)).toBe('broken');
  });

  test.each([
    ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${drawing(SHAPE)}`],
    ['entities from elsewhere', `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${drawing(SHAPE)}`],
    ['a definition from elsewhere', `<!DOCTYPE svg SYSTEM "http://example.com/a.dtd">${drawing(SHAPE)}`],
    ['a style sheet by an instruction', `<?xml-stylesheet href="a.css"?>${drawing(SHAPE)}`],
  ])('%s', (_what, text) => {
    expect(refused('svg', text)).toBe('forbidden');
  });
});

test('any upload gives a logo or a refusal, soon', () => {
  const samples: [Logo['type'], Buffer][] = [
    ['png', pngOf(disc(24, [0, 0, 0, 0]), 24, 24)],
    [
      'jpeg',
      encode({ width: 24, height: 24, data: pixels(24, 24, (x, y) => [x * 9, y * 9, 9, 255]) }, 80).data,
    ],
    ['svg', Buffer.from(svgLogo)],
  ];
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ maxLength: 6 }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(change, { maxLength: 4 }),
      ([type, sample], changes) => {
        const bytes = Buffer.from(sample);
        for (const { at, bytes: patch } of changes)
          bytes.set(patch.subarray(0, 6), Math.floor(at * (bytes.length - 7)));
        const logo = readLogo(type, bytes);
        expect(isRefusal(logo) || logo.width > 0).toBe(true);
      },
    ),
    { numRuns: 400 },
  );
});

const asBuffer = (logo: ReturnType<typeof readLogo>) =>
  isRefusal(logo) ? logo : { ...logo, bytes: Buffer.from(logo.bytes) };

test('the largest picture is read while other callers are served, to the same', async () => {
  const picture = new PNG({ width: 1_000, height: 1_000 });
  // Half transparent, so that every dot is written anew.
  picture.data.fill(0x7f);
  const bytes = PNG.sync.write(picture);
  const { answer, longestGap } = await gapsDuring(() => readLogoInWorker('png', bytes));
  expect(longestGap).toBeLessThan(200);
  expect(answer).toEqual(asBuffer(readLogo('png', bytes)));
  expect(answer).toMatchObject({ width: 1_000, height: 1_000 });
  expect(await readLogoInWorker('jpeg', bytes)).toEqual(readLogo('jpeg', bytes));
});
