import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** Namespace, local name, children and text of one element, its order kept and its text untouched. */
export type XmlElement = {
  readonly namespace: string | null;
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** Character data as received, entities decoded, not trimmed. Blank when the element has children. */
  readonly rawText: string;
  /** Where the start tag begins and the end tag ends in the parsed text. */
  readonly start: number;
  readonly end: number;
};

/** The text is not XML that we read, with the reason in words. */
export class MalformedXml {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

type Growing = { -readonly [field in keyof XmlElement]: XmlElement[field] } & {
  readonly children: XmlElement[];
};
type Scope = ReadonlyMap<string, string>;

/** The agency's own messages are nine levels deep; what is far deeper was not written for it. */
const DEEPEST = 40;

/** 1,000 records have some 100 each; one that corrects and replaces 1,000 invoices each has 9,000. */
const MAX_ELEMENTS = 500_000;

/** The messages have none but a few namespaces. */
const MAX_ATTRIBUTES = 64;

/** The longest text of the agency's schemas has 1,500 characters. */
const LONGEST_TEXT = 64 * 1_024;

/** No message of the agency's has it, and in a reader's object it would be no mere name. */
const FORBIDDEN = '__proto__';

/** Thrown out of the parser, which would go on after a fault. */
class Unreadable extends Error {}

const NO_SCOPE: Scope = new Map();

function scopeOf(attributes: Record<string, string>, outer: Scope): Scope {
  let scope: Map<string, string> | null = null;
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    scope ??= new Map(outer);
    scope.set(name === 'xmlns' ? '' : name.slice('xmlns:'.length), attributes[name]!);
  }
  return scope ?? outer;
}

function opened(tag: SaxesTagPlain, scope: Scope, start: number): Growing {
  const colon = tag.name.indexOf(':');
  const prefix = colon < 0 ? '' : tag.name.slice(0, colon);
  const name = colon < 0 ? tag.name : tag.name.slice(colon + 1);
  if (name === FORBIDDEN) throw new Unreadable(`an element named ${name}`);
  return { namespace: scope.get(prefix) ?? null, name, children: [], rawText: '', start, end: start };
}

/** Reads in one pass. Throws `Unreadable`. */
function rootOf(text: string): XmlElement {
  // Whatever version a text declares, it is held to the characters of 1.0. Prefixes are resolved here: an unbound one
  // is a foreign element to the agency, not ill-formed.
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const open: Growing[] = [];
  // Of the open elements alone: what is kept of each element is its content, not what its prefixes meant.
  const scopes: Scope[] = [];
  let elements = 0;
  let attributes = 0;
  let root: Growing | undefined;
  let current: Growing | undefined;
  parser.on('error', (error) => {
    throw new Unreadable(error.message);
  });
  parser.on('opentag', (tag) => {
    // A start tag holds no second `<`, not even in its attributes.
    const scope = scopeOf(tag.attributes, scopes.at(-1) ?? NO_SCOPE);
    const element = opened(tag, scope, text.lastIndexOf('<', parser.position - 1));
    if (open.length >= DEEPEST) throw new Unreadable(`more than ${DEEPEST} levels`);
    elements += 1;
    attributes = 0;
    if (elements > MAX_ELEMENTS) throw new Unreadable(`more than ${MAX_ELEMENTS} elements`);
    scopes.push(scope);
    current?.children.push(element);
    root ??= element;
    open.push(element);
    current = element;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) throw new Unreadable(`more than ${MAX_ATTRIBUTES} attributes`);
  });
  const write = (characters: string): void => {
    if (current === undefined) return;
    if (current.rawText.length + characters.length > LONGEST_TEXT)
      throw new Unreadable(`a text of more than ${LONGEST_TEXT} characters`);
    current.rawText += characters;
  };
  parser.on('text', write);
  parser.on('cdata', write);
  parser.on('closetag', () => {
    if (current !== undefined) current.end = parser.position;
    open.pop();
    scopes.pop();
    current = open.at(-1);
  });
  parser.write(text).close();
  if (root === undefined) throw new Unreadable('there must be exactly one root element');
  return root;
}

/**
 * Reads a document. Refused besides ill-formed text: any DOCTYPE (the protocols need none and it is the entry of
 * entity attacks), characters that XML cannot hold, undeclared entities, more than one root. An undeclared prefix
 * gives a null namespace. Line ends must be plain already (`\n`), or the positions do not fit the text.
 */
export function parseXml(text: string): XmlElement | MalformedXml {
  if (/<!DOCTYPE/i.test(text)) return new MalformedXml('DOCTYPE is not allowed');
  try {
    return rootOf(text);
  } catch (error) {
    if (error instanceof Unreadable) return new MalformedXml(error.message);
    throw error;
  }
}

/** The first child of that local name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  if (element === undefined) return undefined;
  for (const child of element.children) if (child.name === name) return child;
  return undefined;
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
  return document.slice(element.start, element.end);
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
