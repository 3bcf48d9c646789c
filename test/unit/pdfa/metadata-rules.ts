import { XMLValidator } from 'fast-xml-parser';
import type { Rule } from './file-rules.ts';
import { fault } from './file-rules.ts';
import { type Dictionary, dictionaries, dictionary, ofType, type Pdf, resolve, text } from './objects.ts';

/** The schemas that ISO 19005-3 takes as known; every other one must be described in the packet. */
const KNOWN = [
  'adobe:ns:meta/',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  'http://ns.adobe.com/xap/1.0/',
  'http://purl.org/dc/elements/1.1/',
  'http://ns.adobe.com/pdf/1.3/',
  'http://www.aiim.org/pdfa/ns/id/',
  'http://www.aiim.org/pdfa/ns/extension/',
  'http://www.aiim.org/pdfa/ns/schema#',
  'http://www.aiim.org/pdfa/ns/property#',
];

const packetOf = (pdf: Pdf): string =>
  pdf.streams.get(String(pdf.catalog['/Metadata']))?.bytes.toString('utf8') ?? '';

/** What the packet says under a name, decoded; empty where it says nothing. */
function valueIn(packet: string, name: string): string {
  const [, inner = ''] = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(packet) ?? [];
  const plain = inner.replace(/<[^>]*>/g, '').trim();
  return plain.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** An instant as the file's own dates write it, `D:20260701080000Z`. */
const asFileDate = (instant: string): string => `D:${instant.replace(/[-:T]/g, '')}`;

/** Which entry of the document's information says the same as which property. */
const PAIRS: readonly (readonly [entry: string, property: string, write?: (value: string) => string])[] = [
  ['/Title', 'dc:title'],
  ['/Author', 'dc:creator'],
  ['/Subject', 'dc:description'],
  ['/Creator', 'xmp:CreatorTool'],
  ['/Producer', 'pdf:Producer'],
  ['/CreationDate', 'xmp:CreateDate', asFileDate],
];

/** Clauses 6.6 to 6.8: metadata, structure and the files within the file. */
export const metadataRules: readonly Rule[] = [
  {
    clause: '6.6.2.1',
    requirement:
      'the catalog has metadata in an unfiltered stream: a well-formed packet without bytes or encoding',
    faults: (pdf) => {
      const packet = packetOf(pdf);
      const found = dictionary(pdf, pdf.catalog['/Metadata']);
      const rdf = packet.replace(/<\?xpacket[^>]*\?>/g, '').trim();
      const [head = ''] = /<\?xpacket begin[^>]*\?>/.exec(packet) ?? [];
      return [
        ...fault(found['/Type'] !== '/Metadata' || found['/Subtype'] !== '/XML', 'no metadata'),
        ...fault(found['/Filter'] !== undefined, 'a filter'),
        ...fault(!pdf.file.includes('<x:xmpmeta'), 'not to be read as it stands'),
        ...fault(XMLValidator.validate(rdf) !== true, 'not well-formed'),
        ...fault(head === '' || /bytes=|encoding=/.test(head), 'another head of the packet'),
      ];
    },
  },
  {
    clause: '6.6.2.3',
    requirement: 'every schema is a known one, or described with its properties',
    faults: (pdf) => {
      const packet = packetOf(pdf);
      const used = [...packet.matchAll(/xmlns:(\w+)="([^"]+)"/g)].filter(
        ([, , uri]) => !KNOWN.includes(uri!),
      );
      return used.flatMap(([, prefix, uri]) => {
        const described = [...packet.matchAll(/<pdfaProperty:name>(\w+)</g)].map(([, name]) => name);
        const properties = [...packet.matchAll(new RegExp(`<${prefix}:(\\w+)>`, 'g'))].map(
          ([, name]) => name,
        );
        return [
          ...fault(
            !packet.includes(`<pdfaSchema:namespaceURI>${uri}</pdfaSchema:namespaceURI>`),
            `${uri} is not described`,
          ),
          ...fault(
            !packet.includes(`<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>`),
            `${prefix} is not described`,
          ),
          ...properties.flatMap((name) =>
            fault(!described.includes(name), `${prefix}:${name} is not described`),
          ),
        ];
      });
    },
  },
  {
    clause: '6.6.2.3.3',
    requirement: 'a described property has a name, a type of value, a category and a description',
    faults: (pdf) => {
      const properties =
        packetOf(pdf).match(/<rdf:li rdf:parseType="Resource">\s*<pdfaProperty:.*?<\/rdf:li>/gs) ?? [];
      return properties.flatMap((property) =>
        ['name', 'valueType', 'category', 'description'].flatMap((field) =>
          fault(valueIn(property, `pdfaProperty:${field}`) === '', `a property without ${field}`),
        ),
      );
    },
  },
  {
    clause: '6.6.3',
    requirement: 'what the document information says, the packet says alike',
    faults: (pdf) => {
      const packet = packetOf(pdf);
      const info = dictionary(pdf, pdf.trailer['/Info']);
      const paired = PAIRS.map(([entry]) => entry);
      return [
        ...PAIRS.flatMap(([entry, property, write = (value: string) => value]) => {
          const [one, other] = [text(resolve(pdf, info[entry])), write(valueIn(packet, property))];
          return fault(info[entry] !== undefined && one !== other, `${entry} ${one}, ${property} ${other}`);
        }),
        ...Object.keys(info).flatMap((entry) =>
          fault(!paired.includes(entry), `${entry} is not in the packet`),
        ),
      ];
    },
  },
  {
    clause: '6.6.4',
    requirement: 'the packet says part 3, conformance B',
    faults: (pdf) => {
      const packet = packetOf(pdf);
      const declared = valueIn(packet, 'pdfaid:part') + valueIn(packet, 'pdfaid:conformance');
      return fault(declared !== '3B', declared);
    },
  },
  {
    clause: '6.7',
    requirement: 'the file is marked as tagged, has a structure and names its language',
    faults: (pdf) => [
      ...fault(dictionary(pdf, pdf.catalog['/MarkInfo'])['/Marked'] !== true, 'not marked'),
      ...fault(pdf.catalog['/StructTreeRoot'] === undefined, 'no structure'),
      ...fault(text(pdf.catalog['/Lang']) === '', 'no language'),
      ...dictionaries(pdf).flatMap((found) =>
        fault(found['/S'] === '/Figure' && text(found['/Alt']) === '', 'a figure without words'),
      ),
    ],
  },
  {
    clause: '6.8',
    requirement:
      'a file within the file has its name twice, its relationship, its media type and its day, and is associated',
    faults: (pdf) =>
      ofType(pdf, '/Filespec').flatMap((found) => {
        const name = text(found['/F']);
        const stream = dictionary(pdf, dictionary(pdf, found['/EF'])['/F']);
        return [
          ...fault(name === '' || text(found['/UF']) !== name, `${name}: no F and UF`),
          ...fault(!RELATIONSHIPS.includes(String(found['/AFRelationship'])), `${name}: no AFRelationship`),
          ...fault(!String(stream['/Subtype'] ?? '').includes('/'), `${name}: no Subtype`),
          ...fault(text(dictionary(pdf, stream['/Params'])['/ModDate']) === '', `${name}: no ModDate`),
          ...fault(!associated(pdf).includes(found), `${name}: not in AF`),
          ...fault(!named(pdf).includes(name), `${name}: not among EmbeddedFiles`),
        ];
      }),
  },
];

const RELATIONSHIPS = ['/Source', '/Data', '/Alternative', '/Supplement', '/Unspecified'];

function associated(pdf: Pdf): Dictionary[] {
  const list = resolve(pdf, pdf.catalog['/AF']);
  return Array.isArray(list) ? list.map((reference) => dictionary(pdf, reference)) : [];
}

function named(pdf: Pdf): string[] {
  const names = dictionary(pdf, dictionary(pdf, pdf.catalog['/Names'])['/EmbeddedFiles'])['/Names'];
  return Array.isArray(names) ? names.map(text) : [];
}
