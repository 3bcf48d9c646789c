import { XmlCData, XmlDocument, XmlElement, XmlLibError, XmlText } from 'libxml2-wasm';
import { SaxesParser } from 'saxes';
import { XML_DEPTH, XML_ELEMENTS } from './limits.ts';
import { ReadingError } from './reading-error.ts';

/** An element by its local name, with its children in the namespaces that the reader names. */
export type Element = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  /**
   * Its whole own text, including what is separated by comments: what a signature over the canonical form covers.
   */
  readonly text: string;
};

/**
 * The text of a document, as XML without its declaration. Refuses bytes that are not valid in their declared
 * encoding.
 */
export function decoded(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1];
  const isUtf16 = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe);
  const encoding = isUtf16 ? (bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le') : (declared ?? 'utf-8');
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ReadingError('invalid_format', `is not in the encoding ${encoding}`);
  }
  return text.replace(/^\s*<\?xml\s[^>]*\?>/, '');
}

/**
 * Parses a document by libxml2, once a first look has found no document type (and so no entities), and no more depth,
 * elements and attributes than any invoice has. Nothing is fetched: there is nothing that could fetch. Whoever calls it
 * disposes of the document.
 */
export function parsed(text: string): XmlDocument {
  withinBounds(text);
  try {
    return XmlDocument.fromString(text);
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    throw new ReadingError('invalid_format', `is no well-formed XML: ${error.message.split('\n', 1)[0]}`);
  }
}

function withinBounds(text: string): void {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let count = 0;
  const counted = () => {
    count += 1;
    if (count > XML_ELEMENTS) {
      throw new ReadingError('invalid_format', 'has more elements than any invoice');
    }
  };
  parser.on('doctype', () => {
    throw new ReadingError('invalid_format', 'declares a document type, which no invoice needs');
  });
  parser.on('attribute', counted);
  parser.on('opentag', () => {
    counted();
    depth += 1;
    if (depth > XML_DEPTH) {
      throw new ReadingError('invalid_format', 'is nested more deeply than any invoice');
    }
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  parser.on('error', (error) => {
    throw new ReadingError('invalid_format', `is no well-formed XML: ${error.message}`);
  });
  parser.write(text).close();
}

/** The element with what stands in it in one of the namespaces. */
export function elementOf(node: XmlElement, namespaces: ReadonlySet<string>): Element {
  const children: Element[] = [];
  let text = '';
  for (let child = node.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlText || child instanceof XmlCData) text += child.content;
    else if (child instanceof XmlElement && namespaces.has(child.namespaceUri)) {
      children.push(elementOf(child, namespaces));
    }
  }
  return {
    name: node.name,
    attributes: new Map(node.attrs.map((attribute) => [attribute.name, attribute.value])),
    children,
    text: text.trim(),
  };
}

/** Every element at a path of names below it. */
export function all(element: Element | null, path: string): Element[] {
  let found = element === null ? [] : [element];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

/** The first of them. */
export function one(element: Element | null, path: string): Element | null {
  return all(element, path)[0] ?? null;
}

/** Its text; null where there is none. */
export function textAt(element: Element | null, path: string): string | null {
  return one(element, path)?.text || null;
}
