import * as fontkit from 'fontkit';
import type { Rule } from './file-rules.ts';
import { fault } from './file-rules.ts';
import {
  contentStreams,
  type Dictionary,
  dictionaries,
  dictionary,
  ofType,
  operators,
  type Pdf,
  resolve,
  text,
} from './objects.ts';

/** The operators of ISO 32000-1, annex A, that do not set a colour in a device's own space but that of the output intent. */
const OPERATORS = new Set(
  (
    'b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J l m M MP n q Q re RG rg ri s S SC sc ' +
    'SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y \' "'
  ).split(' '),
);

const BLEND_MODES = [
  '/Normal',
  '/Compatible',
  '/Multiply',
  '/Screen',
  '/Overlay',
  '/Darken',
  '/Lighten',
  '/ColorDodge',
  '/ColorBurn',
  '/HardLight',
  '/SoftLight',
  '/Difference',
  '/Exclusion',
  '/Hue',
  '/Saturation',
  '/Color',
  '/Luminosity',
];

const INTENTS = ['/RelativeColorimetric', '/AbsoluteColorimetric', '/Perceptual', '/Saturation'];

const groups = (pdf: Pdf): Dictionary[] =>
  dictionaries(pdf).flatMap(({ '/Group': group }) => (group === undefined ? [] : [dictionary(pdf, group)]));

const images = (pdf: Pdf): Dictionary[] =>
  dictionaries(pdf).filter((found) => found['/Subtype'] === '/Image');

const composites = (pdf: Pdf): Dictionary[] =>
  ofType(pdf, '/Font').filter((font) => font['/Subtype'] === '/Type0');

function descendant(pdf: Pdf, font: Dictionary): Dictionary {
  return dictionary(pdf, (font['/DescendantFonts'] as string[] | undefined)?.[0]);
}

function programOf(pdf: Pdf, font: Dictionary): Buffer | undefined {
  const descriptor = dictionary(pdf, descendant(pdf, font)['/FontDescriptor']);
  const reference = descriptor['/FontFile2'] ?? descriptor['/FontFile3'];
  return pdf.streams.get(String(reference))?.bytes;
}

/** The numbers of the glyphs that contents show, by the name of the font in its page's resources. */
function shownGlyphs(pdf: Pdf): Map<Dictionary, Set<number>> {
  const shown = new Map<Dictionary, Set<number>>();
  for (const page of ofType(pdf, '/Page')) {
    const fonts = dictionary(pdf, dictionary(pdf, page['/Resources'])['/Font']);
    const contents = pdf.streams.get(String(page['/Contents']))?.bytes.toString('latin1') ?? '';
    let current: Set<number> | undefined;
    for (const { operator, operands } of operators(contents)) {
      if (operator === 'Tf') {
        const font = dictionary(pdf, fonts[operands[0] ?? '']);
        current = shown.get(font) ?? new Set();
        shown.set(font, current);
      } else if (operator === 'TJ' || operator === 'Tj') {
        for (const [, digits = ''] of operands.join('').matchAll(/<([\da-fA-F]*)>/g)) {
          for (const glyph of digits.match(/.{4}/g) ?? []) current?.add(Number.parseInt(glyph, 16));
        }
      }
    }
  }
  return shown;
}

/** Clause 6.2, graphics. */
export const graphicsRules: readonly Rule[] = [
  {
    clause: '6.2.2',
    requirement: 'contents have only operators of ISO 32000-1, and pages name their resources themselves',
    faults: (pdf) => [
      ...contentStreams(pdf).flatMap((contents) =>
        operators(contents).flatMap(({ operator }) => fault(!OPERATORS.has(operator), operator)),
      ),
      ...ofType(pdf, '/Page').flatMap((page) =>
        fault(page['/Resources'] === undefined, 'a page without resources'),
      ),
    ],
  },
  {
    clause: '6.2.3',
    requirement: 'one output intent GTS_PDFA1 with a profile for monitors or printers of version 4 or before',
    faults: (pdf) => {
      const intents = (resolve(pdf, pdf.catalog['/OutputIntents']) as string[] | null) ?? [];
      const intent = dictionary(pdf, intents[0]);
      const profile = pdf.streams.get(String(intent['/DestOutputProfile']))?.bytes ?? Buffer.alloc(128);
      const [version, kind, space] = [
        profile[8]!,
        profile.toString('latin1', 12, 16),
        profile.toString('latin1', 16, 20),
      ];
      return [
        ...fault(intents.length !== 1 || intent['/S'] !== '/GTS_PDFA1', 'no single GTS_PDFA1'),
        ...fault(intent['/OutputConditionIdentifier'] === undefined, 'no identifier'),
        ...fault(profile.toString('latin1', 36, 40) !== 'acsp', 'no ICC profile'),
        ...fault(profile.readUInt32BE(0) !== profile.length, 'a profile of another size'),
        ...fault(!['mntr', 'prtr'].includes(kind) || version > 4, `a profile ${kind} ${version}`),
        ...fault(space !== 'RGB ', `a profile of ${space}`),
      ];
    },
  },
  {
    clause: '6.2.4.3',
    requirement: 'colours of devices are RGB or grey, which the output intent covers',
    faults: (pdf) => [
      ...contentStreams(pdf).flatMap((contents) =>
        operators(contents).flatMap(({ operator, operands }) => [
          ...fault(operator === 'k' || operator === 'K', 'CMYK'),
          ...fault(
            /^cs$/i.test(operator) && !/^\/(DeviceRGB|DeviceGray|Pattern|Cs|Sh)/.test(operands[0] ?? ''),
            `space ${operands[0]}`,
          ),
        ]),
      ),
      ...images(pdf).flatMap((image) => fault(image['/ColorSpace'] === '/DeviceCMYK', 'a picture in CMYK')),
    ],
  },
  {
    clause: '6.2.5',
    requirement: 'graphics states have no transfer functions or halftones of their own',
    faults: (pdf) =>
      ofType(pdf, '/ExtGState').flatMap((state) => [
        ...['/TR', '/HTP', '/HTO'].flatMap((key) => fault(state[key] !== undefined, key)),
        ...fault(state['/TR2'] !== undefined && state['/TR2'] !== '/Default', '/TR2'),
      ]),
  },
  {
    clause: '6.2.6',
    requirement: 'rendering intents are the four of ISO 32000-1',
    faults: (pdf) => [
      ...contentStreams(pdf).flatMap((contents) =>
        operators(contents).flatMap(({ operator, operands }) =>
          fault(operator === 'ri' && !INTENTS.includes(operands[0] ?? ''), `intent ${operands[0]}`),
        ),
      ),
      ...[
        ...images(pdf).map((image) => image['/Intent']),
        ...ofType(pdf, '/ExtGState').map((state) => state['/RI']),
      ].flatMap((intent) =>
        fault(intent !== undefined && !INTENTS.includes(String(intent)), `intent ${intent}`),
      ),
    ],
  },
  {
    clause: '6.2.8, 6.2.9',
    requirement:
      'pictures and forms have no alternates, no interpolation, no PostScript and refer to no other file',
    faults: (pdf) => [
      ...images(pdf).flatMap((image) => [
        ...['/Alternates', '/OPI'].flatMap((key) => fault(image[key] !== undefined, key)),
        ...fault(image['/Interpolate'] === true, 'Interpolate'),
      ]),
      ...ofType(pdf, '/XObject').flatMap((form) => [
        ...['/Ref', '/PS', '/Subtype2'].flatMap((key) => fault(form[key] !== undefined, key)),
        ...fault(form['/Subtype'] === '/PS', 'PostScript'),
      ]),
    ],
  },
  {
    clause: '6.2.10',
    requirement:
      'blend modes are those of ISO 32000-1, and groups blend in the space of the output intent or in grey',
    faults: (pdf) => [
      ...ofType(pdf, '/ExtGState').flatMap(({ '/BM': mode }) =>
        fault(mode !== undefined && !BLEND_MODES.includes(String(mode)), String(mode)),
      ),
      ...groups(pdf).flatMap((group) => {
        const space = group['/CS'];
        const isCovered = space === undefined || space === '/DeviceRGB' || space === '/DeviceGray';
        return fault(group['/S'] !== '/Transparency' || !isCovered, `a group in ${space}`);
      }),
    ],
  },
  {
    clause: '6.2.11.2, 6.2.11.3',
    requirement: 'fonts are composite, of the order of Identity, with glyphs numbered as in their programs',
    faults: (pdf) =>
      ofType(pdf, '/Font').flatMap((font) => {
        if (!['/Type0', '/CIDFontType0', '/CIDFontType2'].includes(String(font['/Subtype'])))
          return [String(font['/Subtype'])];
        if (font['/Subtype'] === '/Type0')
          return fault(font['/Encoding'] !== '/Identity-H', String(font['/Encoding']));
        const { '/Registry': registry, '/Ordering': ordering } = dictionary(pdf, font['/CIDSystemInfo']);
        return [
          ...fault(text(registry) !== 'Adobe' || text(ordering) !== 'Identity', 'another order'),
          ...fault(
            font['/Subtype'] === '/CIDFontType2' && font['/CIDToGIDMap'] !== '/Identity',
            'no CIDToGIDMap',
          ),
        ];
      }),
  },
  {
    clause: '6.2.11.4',
    requirement:
      'the program of each font is in the file, with every glyph that is shown; no incomplete CIDSet',
    faults: (pdf) => [
      ...composites(pdf).flatMap((font) =>
        fault(programOf(pdf, font) === undefined, `${font['/BaseFont']} is not embedded`),
      ),
      ...ofType(pdf, '/FontDescriptor').flatMap((found) => fault(found['/CIDSet'] !== undefined, 'CIDSet')),
      ...[...shownGlyphs(pdf)].flatMap(([font, glyphs]) => {
        const program = programOf(pdf, font);
        if (program === undefined) return ['a text in no font'];
        const { numGlyphs } = fontkit.create(program) as fontkit.Font;
        return [...glyphs].flatMap((glyph) =>
          fault(glyph >= numGlyphs, `no glyph ${glyph} in ${font['/BaseFont']}`),
        );
      }),
    ],
  },
  {
    clause: '6.2.11.5',
    requirement: 'the widths in the dictionary are those of the program',
    faults: (pdf) =>
      composites(pdf).flatMap((font) => {
        const program = programOf(pdf, font);
        if (program === undefined) return ['no program'];
        const opened = fontkit.create(program) as fontkit.Font;
        const [first, widths] = descendant(pdf, font)['/W'] as unknown as [number, number[]];
        return widths.flatMap((width, index) => {
          const own = (opened.getGlyph(first + index).advanceWidth * 1_000) / opened.unitsPerEm;
          return fault(
            Math.abs(own - width) > 1,
            `glyph ${first + index} of ${font['/BaseFont']}: ${width}, not ${own}`,
          );
        });
      }),
  },
  {
    // What level U adds: texts can be searched and copied, though level B does not request it.
    clause: '6.2.11.7',
    requirement: 'each font tells which characters its glyphs are',
    faults: (pdf) =>
      composites(pdf).flatMap((font) => {
        const map = pdf.streams.get(String(font['/ToUnicode']))?.bytes.toString('latin1') ?? '';
        return fault(!/beginbf(char|range)/.test(map), `no ToUnicode of ${font['/BaseFont']}`);
      }),
  },
  {
    clause: '6.2.11.8',
    requirement: 'the glyph .notdef is not shown',
    faults: (pdf) => [...shownGlyphs(pdf).values()].flatMap((glyphs) => fault(glyphs.has(0), '.notdef')),
  },
];
