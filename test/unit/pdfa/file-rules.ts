import {
  contentStreams,
  dictionaries,
  dictionary,
  ofType,
  operators,
  type Pdf,
  type Value,
} from './objects.ts';

/** A clause of ISO 19005-3:2012 (PDF/A-3), what of it can be seen in a file, and what of a file breaks it. */
export type Rule = {
  readonly clause: string;
  readonly requirement: string;
  readonly faults: (pdf: Pdf) => string[];
};

export const fault = (isWrong: boolean, what: string): string[] => (isWrong ? [what] : []);

const STANDARD_FILTERS = [
  '/ASCIIHexDecode',
  '/ASCII85Decode',
  '/FlateDecode',
  '/RunLengthDecode',
  '/CCITTFaxDecode',
  '/JBIG2Decode',
  '/DCTDecode',
  '/JPXDecode',
];

const filtersOf = (value: Value | undefined): string[] =>
  (Array.isArray(value) ? value : [value ?? null]).filter((filter) => filter !== null).map(String);

/** Clause 6.1, the file's structure. */
export const fileRules: readonly Rule[] = [
  {
    clause: '6.1.2',
    requirement: 'begins with %PDF-1.n and a comment of at least four bytes over 127',
    faults: ({ file }) => {
      const [, comment = ''] = /^%PDF-1\.[0-7][\r\n]+%([^\r\n]*)/.exec(file.toString('latin1', 0, 40)) ?? [];
      return fault(
        !/^[\x80-\xff]{4}/.test(comment),
        `begins with ${JSON.stringify(file.toString('latin1', 0, 20))}`,
      );
    },
  },
  {
    clause: '6.1.3',
    requirement: 'the trailer has an ID and no Encrypt; nothing but an end of line follows %%EOF',
    faults: ({ file, trailer }) => [
      ...fault(!Array.isArray(trailer['/ID']) || trailer['/ID'].length !== 2, 'no ID'),
      ...fault(trailer['/Encrypt'] !== undefined, 'Encrypt'),
      ...fault(
        !/%%EOF(\r\n|\r|\n)?$/.test(file.toString('latin1', file.length - 10)),
        'something after %%EOF',
      ),
    ],
  },
  {
    clause: '6.1.4',
    requirement: 'cross references are in a table of entries of 20 bytes that lead to their objects',
    faults: ({ file }) => {
      const raw = file.toString('latin1');
      const start = Number(/startxref\s+(\d+)\s+%%EOF/.exec(raw)?.[1] ?? -1);
      const [head = '', count] =
        /^xref(?:\r\n|\r|\n)0 (\d+)(?:\r\n|\r|\n)/.exec(raw.slice(start, start + 40)) ?? [];
      if (head === '') return ['no table where startxref leads'];
      return Array.from({ length: Number(count) }, (_, number) => {
        const entry = raw.slice(start + head.length + number * 20, start + head.length + number * 20 + 20);
        const [, offset, kind] = /^(\d{10}) \d{5} ([fn])(?: \r| \n|\r\n)$/.exec(entry) ?? [];
        if (offset === undefined) return [`entry ${number} is ${JSON.stringify(entry)}`];
        const leads = raw.startsWith(`${number} 0 obj`, Number(offset));
        return fault(kind === 'n' && !leads, `entry ${number} leads elsewhere`);
      }).flat();
    },
  },
  {
    clause: '6.1.6',
    requirement: 'hexadecimal texts have an even number of digits',
    faults: ({ file }) =>
      [...file.toString('latin1').matchAll(/\/(?:ID|T[ij]) ?\[?<([^<>]*)>/g)].flatMap(([, digits = '']) =>
        fault(!/^([\da-fA-F]{2})*$/.test(digits), `<${digits}>`),
      ),
  },
  {
    clause: '6.1.7.1',
    requirement: 'the length of a stream is that of its bytes, which are in the file',
    faults: (pdf) => {
      const raw = pdf.file.toString('latin1');
      return [...pdf.streams].flatMap(([name, stream]) => {
        const begin = raw.indexOf(`\n${name.replace(' R', '')} obj`);
        const data = /stream(\r\n|\n)/g;
        data.lastIndex = begin;
        const from = data.exec(raw) === null ? -1 : data.lastIndex;
        const length = Number(/\/Length (\d+)/.exec(raw.slice(begin, from))?.[1] ?? -1);
        return [
          ...fault(
            !/^\r?\n?endstream/.test(raw.slice(from + length, from + length + 12)),
            `${name}: wrong Length`,
          ),
          ...['/F', '/FFilter', '/FDecodeParms'].flatMap((key) =>
            fault(stream.dictionary[key] !== undefined, `${name}: ${key}`),
          ),
        ];
      });
    },
  },
  {
    clause: '6.1.7.2',
    requirement: 'streams have none but standard filters, neither LZW nor Crypt',
    faults: (pdf) =>
      [...pdf.file.toString('latin1').matchAll(/\/Filter ?\[?((?: ?\/\w+)+)/g)].flatMap(([, list = '']) =>
        filtersOf(list.trim().split(/ ?(?=\/)/)).flatMap((filter) =>
          fault(!STANDARD_FILTERS.includes(filter), filter),
        ),
      ),
  },
  {
    clause: '6.1.9',
    requirement: 'an object begins after its numbers and obj on one line, and ends with endobj',
    faults: ({ file }) => {
      const raw = file.toString('latin1');
      const begins = raw.match(/(^|\n)\d+ 0 obj\n/g)?.length ?? 0;
      const ends = raw.match(/\nendobj\n/g)?.length ?? 0;
      return fault(begins === 0 || begins !== ends, `${begins} begin and ${ends} end`);
    },
  },
  {
    clause: '6.1.12',
    requirement: 'no permissions',
    faults: ({ catalog }) => fault(catalog['/Perms'] !== undefined, 'Perms'),
  },
  {
    clause: '6.1.13',
    requirement: 'integers, texts and names are within the limits of implementations',
    faults: (pdf) =>
      dictionaries(pdf).flatMap((found) =>
        Object.entries(found).flatMap(([key, value]) => [
          ...fault(Buffer.byteLength(key) > 128, `a name of ${key.length}`),
          ...fault(typeof value === 'number' && Math.abs(value) > 2_147_483_647, `${key} ${value}`),
          ...fault(typeof value === 'string' && Buffer.byteLength(value) > 32_767, `${key} is too long`),
        ]),
      ),
  },
  {
    clause: '6.1.13',
    requirement: 'a page is 3 to 14,400 units wide and high',
    faults: (pdf) =>
      ofType(pdf, '/Page').flatMap((page) => {
        const [left = 0, bottom = 0, right = 0, top = 0] = (page['/MediaBox'] as number[]) ?? [];
        const sides = [right - left, top - bottom];
        return fault(
          sides.some((side) => side < 3 || side > 14_400),
          `a page of ${sides.join(' by ')}`,
        );
      }),
  },
  {
    clause: '6.1.13',
    requirement: 'graphics states are saved at most 28 deep, and restored as often',
    faults: (pdf) =>
      contentStreams(pdf).flatMap((contents) => {
        let [depth, deepest, least] = [0, 0, 0];
        for (const { operator } of operators(contents)) {
          if (operator === 'q') depth += 1;
          if (operator === 'Q') depth -= 1;
          [deepest, least] = [Math.max(deepest, depth), Math.min(least, depth)];
        }
        return fault(deepest > 28 || least < 0 || depth !== 0, `${deepest} deep, ${depth} left`);
      }),
  },
  {
    clause: '6.3',
    requirement: 'there are no annotations',
    faults: (pdf) => [
      ...ofType(pdf, '/Page').flatMap((page) => fault(page['/Annots'] !== undefined, 'Annots')),
      ...ofType(pdf, '/Annot').map(() => 'Annot'),
    ],
  },
  {
    clause: '6.4',
    requirement: 'there are no forms',
    faults: ({ catalog }) =>
      fault(catalog['/AcroForm'] !== undefined || catalog['/NeedsRendering'] === true, 'a form'),
  },
  {
    clause: '6.5',
    requirement: 'nothing acts',
    faults: (pdf) => [
      ...['/OpenAction', '/AA'].flatMap((key) =>
        dictionaries(pdf).flatMap((found) => fault(found[key] !== undefined, key)),
      ),
      ...ofType(pdf, '/Action').map(() => 'Action'),
      ...fault(dictionary(pdf, pdf.catalog['/Names'])['/JavaScript'] !== undefined, 'JavaScript'),
    ],
  },
  {
    clause: '6.9, 6.10, 6.11',
    requirement: 'no optional content, alternate presentations, transitions or requirements',
    faults: (pdf) => [
      ...['/OCProperties', '/Requirements'].flatMap((key) => fault(pdf.catalog[key] !== undefined, key)),
      ...fault(
        dictionary(pdf, pdf.catalog['/Names'])['/AlternatePresentations'] !== undefined,
        'AlternatePresentations',
      ),
      ...ofType(pdf, '/Page').flatMap((page) => fault(page['/PresSteps'] !== undefined, 'PresSteps')),
    ],
  },
];
