import { SaxesParser } from 'saxes';

/** A parsed element: its text, or its children by local name (those that the reader lists are always arrays). */
export type XmlElement = { readonly [name: string]: unknown };

/** Why a text was rejected: it is not well-formed XML, declares a document type, or exceeds a limit. */
export class XmlFault extends Error {}

export type XmlReading = {
  /** Names of the elements that are always arrays, whatever their number. */
  readonly lists?: ReadonlySet<string>;
  /**
   * Elements that are passed on as soon as they are complete, and then released, so that an answer of any size is read in
   * little memory. Whether the rest of the text is well-formed is only known after `close`.
   */
  readonly each?: { readonly name: string; readonly take: (element: XmlElement) => void };
};

/** An element that is being read: its children by local name once it has one, and its text. */
type Open = { readonly name: string; children: Record<string, unknown> | null; text: string };

/** What an answer of the agency or of a register may have; beyond it the answer counts as unreadable. */
export const XML_BOUNDS = {
  /** The deepest message of their schemas has nine levels. */
  depth: 32,
  /**
   * In memory at once. An answer to 1,000 records has at most 19 for each; one record of a query has at most about 14,100, if
   * it corrects and replaces 1,000 invoices each and names 1,000 recipients.
   */
  elements: 32_000,
  /** Of names and texts in memory at once: an answer to 1,000 records with the longest messages has less than 4 million. */
  characters: 8 * 1024 * 1024,
  /** Of one element. Their schemas have none; an answer has about a dozen namespaces on its root element. */
  attributes: 64,
  /** Characters of one text, tag or comment. The longest of their schemas has 1,500; a fault may contain a stack trace. */
  text: 64 * 1024,
};

/** The parser keeps what it has not parsed yet, so it is fed in pieces and checked after each. */
const PIECE = 16 * 1_024;

/**
 * Reads XML as it arrives, in one pass and by local names, and stops as soon as a limit of `XML_BOUNDS` is exceeded: depth,
 * elements and characters in memory at once, attributes of an element, and the length of a text or tag. Character
 * references and the five predefined entities of XML are decoded; there are no others. Both methods throw `XmlFault`, after
 * which the reader cannot be used any more.
 */
export class XmlReader {
  readonly #reading: XmlReading;
  readonly #utf8 = new TextDecoder();
  // The sender may choose any prefixes.
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  readonly #document: Open = { name: '', children: null, text: '' };
  readonly #open: Open[] = [this.#document];
  /** Counts of what was read and not yet passed on. */
  #elements = 0;
  #characters = 0;
  /** The counts when the element that is to be passed on began, and its depth. */
  #begun: { readonly elements: number; readonly characters: number; readonly depth: number } | null = null;
  #attributes = 0;
  /** Characters since the parser last reported anything. */
  #silent = 0;

  constructor(reading: XmlReading = {}) {
    this.#reading = reading;
    const parser = this.#parser;
    parser.on('error', (error) => {
      throw new XmlFault(`not well-formed XML: ${error.message}`);
    });
    parser.on('doctype', () => {
      // No answer needs one, and it could declare entities.
      throw new XmlFault('it declares a document type');
    });
    parser.on('attribute', () => this.#attribute());
    parser.on('opentag', ({ name }) => this.#opened(name.slice(name.indexOf(':') + 1)));
    parser.on('text', (text) => this.#write(text));
    parser.on('cdata', (text) => this.#write(text));
    parser.on('closetag', () => this.#closed());
    for (const event of ['comment', 'processinginstruction', 'xmldecl'] as const) {
      parser.on(event, () => {
        this.#silent = 0;
      });
    }
  }

  /** Continues reading. Bytes are UTF-8 and may be split anywhere; invalid ones become replacement characters. */
  write(chunk: string | Uint8Array): void {
    this.#feed(typeof chunk === 'string' ? chunk : this.#utf8.decode(chunk, { stream: true }));
  }

  /** The document as one element that contains the root, without the elements that were passed on. */
  close(): XmlElement {
    this.#feed(this.#utf8.decode());
    this.#parser.close();
    return this.#document.children ?? {};
  }

  #feed(text: string): void {
    for (let from = 0; from < text.length; from += PIECE) {
      const piece = text.slice(from, from + PIECE);
      this.#silent += piece.length;
      this.#parser.write(piece);
      // What the parser has not reported yet also counts.
      bounded(this.#silent, XML_BOUNDS.text + PIECE, 'characters in one text or tag');
    }
  }

  #attribute(): void {
    this.#silent = 0;
    this.#attributes += 1;
    bounded(this.#attributes, XML_BOUNDS.attributes, 'attributes of one element');
  }

  #opened(name: string): void {
    this.#silent = 0;
    this.#attributes = 0;
    // The document itself is the first open element.
    bounded(this.#open.length, XML_BOUNDS.depth, 'levels');
    if (this.#begun === null && name === this.#reading.each?.name) {
      this.#begun = { elements: this.#elements, characters: this.#characters, depth: this.#open.length };
    }
    this.#elements += 1;
    bounded(this.#elements, XML_BOUNDS.elements, 'elements');
    this.#hold(name.length);
    this.#open.push({ name, children: null, text: '' });
  }

  #write(text: string): void {
    this.#silent = 0;
    const current = this.#open.at(-1)!;
    bounded(current.text.length + text.length, XML_BOUNDS.text, 'characters in one text or tag');
    this.#hold(text.length);
    current.text += text;
  }

  #hold(characters: number): void {
    this.#characters += characters;
    bounded(this.#characters, XML_BOUNDS.characters, 'characters');
  }

  #closed(): void {
    this.#silent = 0;
    const { name, children, text } = this.#open.pop()!;
    const value = children ?? text;
    const started = this.#begun;
    if (started?.depth === this.#open.length) {
      this.#begun = null;
      this.#elements = started.elements;
      this.#characters = started.characters;
      this.#reading.each?.take(children ?? {});
      return;
    }
    const parent = this.#open.at(-1)!;
    // Without a prototype no name has a special meaning.
    parent.children ??= Object.create(null) as Record<string, unknown>;
    const before = parent.children[name];
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) parent.children[name] = [before, value];
    else parent.children[name] = this.#reading.lists?.has(name) ? [value] : value;
  }
}

function bounded(count: number, max: number, what: string): void {
  if (count > max) throw new XmlFault(`more than ${max} ${what}`);
}

/** The child element with that name, or null if there is none or more than one, or it has only text. */
export function child(element: unknown, name: string): XmlElement | null {
  const value = isElement(element) ? element[name] : undefined;
  return isElement(value) ? value : null;
}

/** The children with that name, which must be one that the reader lists. */
export function children(element: XmlElement, name: string): readonly XmlElement[] {
  const value = element[name];
  return Array.isArray(value) ? value.filter(isElement) : [];
}

/** The text of the child with that name, trimmed, or null if it is absent or empty. */
export function text(element: XmlElement | null, name: string): string | null {
  const value = element?.[name];
  if (typeof value !== 'string') return null;
  return value.trim() === '' ? null : value.trim();
}

function isElement(value: unknown): value is XmlElement {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as content of an element or attribute; characters that XML 1.0 cannot represent become spaces. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}
