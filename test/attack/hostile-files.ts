import { deflateSync } from 'node:zlib';
import { pdfWith, zipOf } from '../unit/reading-containers.ts';

/** Files that somebody sends in place of an invoice: small or just small enough to be read, and costly for a reader that trusts them. */

const MEBIBYTE = 1024 * 1024;
/** Just below the most that is read. */
const LARGEST = 20 * MEBIBYTE - 1_024;

const CII = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
const root = (inside: string) =>
  `<rsm:CrossIndustryInvoice xmlns:rsm="${CII}">${inside}</rsm:CrossIndustryInvoice>`;

const upTo = (bytes: number, piece: string) => piece.repeat(Math.floor(bytes / piece.length));

/** Entities of entities: a billion of the innermost. */
const LAUGHS = `<!DOCTYPE x [<!ENTITY a0 "ha">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
).join('')}]>${root('&a9;')}`;

/** 300 MiB of one letter, which are 300 KB. */
const BOMB = deflateSync(Buffer.alloc(300 * MEBIBYTE, ' '), { level: 9 });

const object = (number: number, content: string) => `${number} 0 obj ${content} endobj\n`;
const stream = (number: number, head: string, bytes: Buffer) =>
  Buffer.concat([
    Buffer.from(`${number} 0 obj <<${head}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream endobj\n'),
  ]);
const pdf = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts.map((part) => Buffer.from(part))]);

/** The files by what they are. */
export const HOSTILE_FILES: Readonly<Record<string, () => Buffer | string | Promise<Buffer>>> = {
  'XML with entities of entities': () => LAUGHS,
  'XML with elements in elements': () => upTo(LARGEST, '<a>'),
  'XML with more elements than fit': () => root(upTo(LARGEST - 1_000, '<a/>')),
  'XML with one text': () => root('x'.repeat(LARGEST - 1_000)),
  'XML with one attribute': () => `<a b="${'x'.repeat(LARGEST - 100)}"/>`,
  'XML with attributes without end': () =>
    `<a ${Array.from({ length: 1_200_000 }, (_, index) => `b${index}="x"`).join(' ')}/>`,
  'XML with namespaces in each element': () => {
    const deep = Array.from(
      { length: 60 },
      (_, index) => `<a ${Array.from({ length: 4_000 }, (_, at) => `xmlns:n${at}="u${index}"`).join(' ')}>`,
    );
    return root(deep.join('') + '</a>'.repeat(60));
  },
  'XML with one comment that does not end': () => `<a><!--${'-x'.repeat(LARGEST / 2 - 10)}`,
  'XML in UTF-16': () =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(root('x'.repeat(9 * MEBIBYTE)), 'utf16le')]),
  'a signature with references without end': () =>
    root(
      `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>${'<ds:Reference URI=""/>'.repeat(90_000)}</ds:SignedInfo></ds:Signature>`,
    ),
  'a PDF whose invoice unpacks without end': () => pdfWith(BOMB),
  'a PDF with fifty object streams that do': () =>
    pdf(
      ...Array.from({ length: 50 }, (_, index) =>
        stream(index + 1, '/Type/ObjStm/N 1/First 4/Filter/FlateDecode', BOMB),
      ),
    ),
  'a PDF with arrays in arrays': () => pdf(`1 0 obj ${'['.repeat(LARGEST - 100)}`),
  'a PDF with a text that does not end': () => pdf(`1 0 obj (${'('.repeat(LARGEST - 100)}`),
  'a PDF with a text of escapes': () => pdf(`1 0 obj (${'\\\\n'.repeat(LARGEST / 2 - 100)}`),
  'a PDF with more objects than fit': () =>
    pdf(Array.from({ length: 700_000 }, (_, index) => object(index, '<</A 1>>')).join('')),
  'a PDF with dictionaries without end': () => pdf(`1 0 obj <<${upTo(LARGEST - 100, '/A<</B 1>>')}>> endobj`),
  'a ZIP file of files that unpack without end': () =>
    zipOf(
      Object.fromEntries(
        Array.from({ length: 5 }, (_, index) => [`${index}.xml`, Buffer.alloc(80 * MEBIBYTE, ' ')]),
      ),
    ),
  'a ZIP file that says it has 60,000 files': async () => {
    const zip = await zipOf({ 'a.xml': 'x' });
    // In the record at its end, twice: of this disk and in all.
    for (const at of [14, 12]) zip.writeUInt16LE(60_000, zip.length - at);
    return zip;
  },
  'a ZIP file of fifty costly documents': () => {
    const costly = root('<a/>'.repeat(290_000));
    return zipOf(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}.xml`, costly])));
  },
};
