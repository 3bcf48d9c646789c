/**
 * Writes XML directly in its canonical form (Canonical XML 1.0, W3C 2001): no white space between elements, no
 * empty-element tags, namespaces and attributes in order, only the escapes of the canonical form. So the signed
 * text is the text that is sent, and nothing has to be parsed to sign it.
 */
export type XmlElement = {
  readonly name: string;
  /** Declarations by prefix. Without a default namespace, which nothing here uses. */
  readonly namespaces: Namespaces;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: readonly (XmlElement | string)[];
};

export type Namespaces = Readonly<Record<string, string>>;

/** Possible content; null is omitted. */
export type Content = XmlElement | string | null;

/** An element with its content. */
export function element(
  name: string,
  content: readonly Content[],
  attributes: Readonly<Record<string, string>> = {},
  namespaces: Namespaces = {},
): XmlElement {
  return { name, namespaces, attributes, content: content.filter((part) => part !== null) };
}

/** An element that holds a text; null when there is no text. */
export function leaf(name: string, text: string): XmlElement;
export function leaf(name: string, text: string | null): XmlElement | null;
export function leaf(name: string, text: string | null): XmlElement | null {
  return text === null ? null : element(name, [text]);
}

/**
 * The canonical text of an element. `inherited`: the namespaces in scope, which the canonical form of a part of a
 * document declares on that part's own element.
 */
export function canonical(root: XmlElement, inherited: Namespaces = {}): string {
  const parts: string[] = [];
  write({ ...root, namespaces: { ...inherited, ...root.namespaces } }, parts);
  return parts.join('');
}

function write({ name, namespaces, attributes, content }: XmlElement, parts: string[]): void {
  parts.push('<', name);
  for (const [prefix, uri] of sorted(namespaces)) parts.push(` xmlns:${prefix}="`, escapedValue(uri), '"');
  for (const [key, value] of sorted(attributes)) parts.push(` ${key}="`, escapedValue(value), '"');
  parts.push('>');
  for (const part of content) {
    if (typeof part === 'string') parts.push(escapedText(part));
    else write(part, parts);
  }
  parts.push('</', name, '>');
}

/** Our attributes have no prefixes, so sorting by name is the canonical order. */
function sorted(attributes: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1));
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#xD;',
};
const VALUE_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escapedText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => TEXT_ESCAPES[character]!);
}

function escapedValue(text: string): string {
  return text.replace(/[&<"\t\n\r]/g, (character) => VALUE_ESCAPES[character]!);
}
