import fc from 'fast-check';
import { XmlCData, XmlDocument, XmlElement, XmlLibError, XmlText } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { MalformedXml, parseXml, type XmlElement as Read, sourceOf } from '../../src/agency-simulator/xml.ts';
import { alta, envelope } from '../support/agency/declared-records.ts';

/**
 * The simulator's reader against libxml2: what the one refuses the other refuses, and what they read is the same. They
 * differ on purpose in one thing: to libxml2 a prefix that nothing declares is an error, to the simulator a foreign name.
 */

type Plain = { namespace: string | null; name: string; text: string; children: Plain[] };

function plainOf({ namespace, name, rawText, children }: Read): Plain {
  return { namespace: namespace || null, name, text: rawText, children: children.map(plainOf) };
}

function plainOfNode(element: XmlElement): Plain {
  const plain: Plain = {
    ...{ namespace: element.namespaceUri || null, name: element.name, text: '', children: [] },
  };
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) plain.children.push(plainOfNode(node));
    else if (node instanceof XmlText || node instanceof XmlCData) plain.text += node.content;
  }
  return plain;
}

const ABOUT_NAMES = /namespace|QName|colon|URI/i;

/** What libxml2 reads, that it could, or its complaints; `names` when all of them are about namespaces. */
function judged(text: string): Plain | 'read' | 'refused' | 'names' {
  try {
    using document = XmlDocument.fromString(text);
    // The binding cannot walk past a processing instruction.
    return text.includes('<?', 1) ? 'read' : plainOfNode(document.root);
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.details.length > 0 && error.details.every(({ message }) => ABOUT_NAMES.test(message))
      ? 'names'
      : 'refused';
  }
}

function expectAgreement(text: string): void {
  const ours = parseXml(text);
  const theirs = judged(text);
  if (theirs === 'names') return;
  if (theirs === 'refused') expect(ours, text).toBeInstanceOf(MalformedXml);
  else if (ours instanceof MalformedXml) expect(ours.reason, text).toMatch(/DOCTYPE|levels|__proto__/);
  else if (theirs !== 'read') expect(plainOf(ours), text).toEqual(theirs);
}

const name = fc.constantFrom('a', 'b', 'RegistroAlta', 'Ñ', 'x-1', 'l:a', 'l:Huella', 's:b');
const characters = fc
  .array(fc.constantFrom('x', ' ', '\n', 'ñ€', '😀', '>', '&amp;', '&#38;', '&#xe1;', '&lt;', '"'))
  .map((pieces) => pieces.join(''));
const attributes = fc.constantFrom(
  ...['', ' b="1"', " b = '&gt;>'", ' xmlns="urn:1"', ' xmlns:s="urn:2" s:c="1"', ' xmlns=""'],
);
const aside = fc.constantFrom('', '<!-- </a> & -->', '<?p <a> ?>', '<![CDATA[</a>&amp;]]>', '<![CDATA[]]>');

function elementOf(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const parts = { name, attributes, before: characters, after: characters, aside };
  return fc
    .record({ ...parts, inner: fc.array(inner, { maxLength: 3 }) })
    .map(({ name, attributes, before, after, aside, inner }) =>
      before + after + aside === '' && inner.length === 0
        ? `<${name}${attributes}/>`
        : `<${name}${attributes}>${before}${inner.join(aside)}${after}${aside}</${name} >`,
    );
}
const element = elementOf(elementOf(elementOf(fc.constant(''))));
const bare = element.map((content) => `<r xmlns:l="urn:l" xmlns:s="urn:s">${content}</r>`);
const prolog = fc.constantFrom('', '<?xml version="1.0" encoding="UTF-8"?>', '<!-- - -->\n');
const written = fc.tuple(prolog, bare).map(([before, document]) => before + document);

/** The marks that make XML, and what it must not hold. */
const mark = fc.constantFrom(
  ...[
    '<',
    '>',
    '&',
    ';',
    '/',
    '"',
    "'",
    '=',
    '!',
    '?',
    '-',
    '[',
    ']',
    ']]>',
    ':',
    ' ',
    'x',
    '#',
    '',
    '',
    '\t',
  ],
  ...['\u0001', '\ufffe', '&#1;', '&#xD800;', '&#x110000;', '&nbsp;', '&#99', '<!--', '-->', '<![CDATA['],
  ...['<!DOCTYPE r>', '</a>', '<a>', '<a/>', ' b="1"', '\u00b7', '1'],
);
const edits = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), mark, cut: fc.nat(2) }), {
  ...{ minLength: 1, maxLength: 3 },
});

test('a document type, and a name with a meaning of its own, are refused', () => {
  for (const text of ['<!DOCTYPE a><a/>', '<a><__proto__/></a>', '<b:__proto__ xmlns:b="c"/>'])
    expect(parseXml(text), text).toBeInstanceOf(MalformedXml);
});

describe('the reader and libxml2 agree', () => {
  test('on what is well-formed', () => {
    fc.assert(fc.property(written, expectAgreement), { numRuns: 200 });
  });

  test('on what was spoiled', () => {
    fc.assert(
      fc.property(bare, edits, (text, changes) => {
        let edited = text;
        for (const { at, mark, cut } of changes) {
          const from = Math.floor(at * edited.length);
          edited = edited.slice(0, from) + mark + edited.slice(from + cut);
        }
        // The reader's input was UTF-8: it never holds half a character.
        fc.pre(edited.isWellFormed());
        expectAgreement(edited);
      }),
      { numRuns: 1_500 },
    );
  });

  test('on declarations out of place', () => {
    const texts = [
      '<a><?xml version="1.0"?></a>',
      ' <?xml version="1.0"?><a/>',
      '<?xml version="1.1"?><a>&#1;</a>',
    ];
    for (const text of [...texts, '<?xml version="2.0"?><a/>', '<?xml encoding="UTF-8"?><a/>', '<?XML?><a/>'])
      expectAgreement(text);
  });

  test('on an envelope that is cut off anywhere', () => {
    const text = envelope([alta()]);
    for (let length = 0; length < text.length; length += 7) expectAgreement(text.slice(0, length));
    expectAgreement(text);
  });
});

test("every element's source is its own text", () => {
  fc.assert(
    fc.property(written, (text) => {
      const visit = (element: Read): void => {
        const source = sourceOf(text, element);
        expect(source.startsWith('<') && source.endsWith('>')).toBe(true);
        const again = parseXml(source);
        // Taken out of its document it has lost the declarations around it, and nothing else.
        expect(shapeOf(again)).toEqual(shapeOf(element));
        element.children.forEach(visit);
      };
      visit(parseXml(text) as Read);
    }),
    { numRuns: 100 },
  );
});

function shapeOf(element: Read | MalformedXml): unknown {
  if (element instanceof MalformedXml) return element.reason;
  return [element.name, element.rawText, element.children.map(shapeOf)];
}

describe('reading is bounded', () => {
  const textOf = (text: string) => {
    const read = parseXml(text);
    return read instanceof MalformedXml ? read.reason : 'read';
  };

  test.each<[string, number, (count: number) => string]>([
    ['levels', 40, (count) => '<a>'.repeat(count) + '</a>'.repeat(count)],
    ['elements', 500_000, (count) => `<a>${'<b/>'.repeat(count - 1)}</a>`],
    [
      'attributes',
      64,
      (count) => `<a ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ')}/>`,
    ],
    ['characters', 64 * 1_024, (count) => `<a>${'x'.repeat(count)}</a>`],
  ])('%s: %d', (what, most, text) => {
    expect(textOf(text(most))).toBe('read');
    expect(textOf(text(most + 1))).toContain(what);
  });

  test('namespaces that are declared again and again are not kept', () => {
    const declared = Array.from({ length: 60 }, (_, index) => `xmlns:n${index}="u"`).join(' ');
    const text = `<a ${declared}>${'<b xmlns:m="u"/>'.repeat(100_000)}</a>`;
    const before = process.memoryUsage().heapUsed;
    expect(textOf(text)).toBe('read');
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(256 * 1_024 * 1_024);
  });
});
