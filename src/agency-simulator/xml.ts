import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Namespace, local name, children and text of one element, its order kept and its text untouched. */
export type XmlElement = {
  readonly namespace: string | null;
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** Character data as received, entities decoded, not trimmed. Blank when the element has children. */
  readonly rawText: string;
  /** Where the start tag begins in the parsed text. */
  readonly start: number;
};

/** The text is not XML that we read, with the reason in words. */
export class MalformedXml {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

type OrderedNode = { ':@'?: Record<string, string> } & { [tag: string]: OrderedNode[] | string };
type Scope = ReadonlyMap<string, string>;

const TEXT = '#text';
const CDATA = '#cdata';
const ATTRIBUTES = ':@';

/** The agency's own messages are nine levels deep; what is far deeper was not written for it. */
const DEEPEST = 40;

/** Values stay text (no numbers are made of them) and untrimmed: the fingerprint is computed over these characters. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // References are decoded here instead, in one pass and with the illegal ones refused.
  processEntities: false,
  cdataPropName: CDATA,
  captureMetaData: true,
  maxNestedTags: DEEPEST,
});
const metaData = XMLParser.getMetaDataSymbol() as unknown as keyof OrderedNode;

/** Characters that XML 1.0 cannot hold (section 2.2), as themselves or as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

class Unreadable extends Error {}

function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));?/g, (whole, hex, decimal, name) => {
    if (!whole.endsWith(';')) throw new Unreadable(`reference without its semicolon: ${whole}`);
    if (name !== undefined) {
      const value = NAMED[name];
      if (value === undefined) throw new Unreadable(`undeclared entity: ${whole}`);
      return value;
    }
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const surrogate = code >= 0xd800 && code <= 0xdfff;
    const character = code > 0x10ffff || surrogate ? '\u0000' : String.fromCodePoint(code);
    if (ILLEGAL.test(character)) throw new Unreadable(`illegal character: ${whole}`);
    return character;
  });
}

function scopeOf(attributes: Record<string, string> | undefined, outer: Scope): Scope {
  if (attributes === undefined) return outer;
  let scope: Map<string, string> | null = null;
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    scope ??= new Map(outer);
    scope.set(name === 'xmlns' ? '' : name.slice('xmlns:'.length), decodeReferences(value));
  }
  return scope ?? outer;
}

function tagOf(node: OrderedNode): string {
  for (const key in node) if (key !== ATTRIBUTES) return key;
  throw new Unreadable('an element without a name');
}

function elementOf(node: OrderedNode, tag: string, outer: Scope): XmlElement {
  const scope = scopeOf(node[ATTRIBUTES], outer);
  const colon = tag.indexOf(':');
  const prefix = colon < 0 ? '' : tag.slice(0, colon);
  const children: XmlElement[] = [];
  let rawText = '';
  for (const child of node[tag] as OrderedNode[]) {
    const childTag = tagOf(child);
    if (childTag === TEXT) rawText += decodeReferences(String(child[TEXT]));
    else if (childTag === CDATA) rawText += String((child[CDATA] as OrderedNode[])[0]?.[TEXT] ?? '');
    else if (!childTag.startsWith('?')) children.push(elementOf(child, childTag, scope));
  }
  const start = (node[metaData] as unknown as { startIndex: number } | undefined)?.startIndex ?? 0;
  return { namespace: scope.get(prefix) ?? null, name: tag.slice(colon + 1), children, rawText, start };
}

/**
 * Reads a document. Refused besides ill-formed text: any DOCTYPE (the protocols need none and it is the door of
 * entity attacks), characters that XML cannot hold, undeclared entities, more than one root. An undeclared prefix
 * gives a null namespace. Line ends must be plain already (`\n`), or the positions do not fit the text.
 */
export function parseXml(text: string): XmlElement | MalformedXml {
  if (/<!DOCTYPE/i.test(text)) return new MalformedXml('DOCTYPE is not allowed');
  if (ILLEGAL.test(text)) return new MalformedXml('a control character that XML cannot hold');
  const valid = XMLValidator.validate(text);
  if (valid !== true) return new MalformedXml(`${valid.err.msg} (line ${valid.err.line})`);
  try {
    const nodes = parser.parse(text) as OrderedNode[];
    const roots = nodes.filter((node) => !/^[#?]/.test(tagOf(node)));
    const [root] = roots;
    if (root === undefined || roots.length > 1)
      return new MalformedXml('there must be exactly one root element');
    return elementOf(root, tagOf(root), new Map());
  } catch (error) {
    // The parser throws plain errors for what its validator lets pass (depth, forbidden names): the input's fault.
    return new MalformedXml(error instanceof Error ? error.message : 'unreadable');
  }
}

/** The first child of that local name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** All children of that local name. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The agency trims every value at both ends of what is up to U+0020 (web service description 6.7, fingerprint 3). */
export function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) <= 0x20) from += 1;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to -= 1;
  return text.slice(from, to);
}

/** The trimmed text at a path of local names, `null` when an element on the way is missing. */
export function textAt(element: XmlElement | undefined, ...path: string[]): string | null {
  let at = element;
  for (const name of path) at = childOf(at, name);
  return at === undefined ? null : trimmed(at.rawText);
}

/** The element's own characters in the document, from its start tag to its end tag. */
export function sourceOf(document: string, element: XmlElement): string {
  const [, tag = element.name] =
    /^<([^\s/>]+)/.exec(document.slice(element.start, element.start + 300)) ?? [];
  const name = tag.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const ends = new RegExp(`<!--[\\s\\S]*?-->|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|</${name}\\s*>`, 'g');
  ends.lastIndex = element.start;
  for (let found = ends.exec(document); found !== null; found = ends.exec(document)) {
    if (found[0].startsWith('</')) return document.slice(element.start, ends.lastIndex);
  }
  return document.slice(element.start);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe for XML and HTML, in content and in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** `<name>text</name>`, or nothing when there is no text. */
export function optionalElement(name: string, text: string | null | undefined): string {
  return text === null || text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`;
}

/** An element written out again with all its descendants under one prefix, values trimmed. */
export function rendered(element: XmlElement, prefix: string): string {
  const name = `${prefix}:${element.name}`;
  const content =
    element.children.length > 0
      ? element.children.map((child) => rendered(child, prefix)).join('')
      : escaped(trimmed(element.rawText));
  return `<${name}>${content}</${name}>`;
}
