import type { Day } from '../../ground/lib/calendar.ts';
import { escapeXml } from '../../ground/lib/xml.ts';

/**
 * The content of an element: a text, children in the order in which they are written, or `#text` with attributes
 * (`@name`).
 */
export type XmlContent = string | readonly XmlContent[] | XmlChildren;
/** Children and attributes by name; what is undefined is not written. */
export type XmlChildren = { readonly [name: string]: XmlContent | undefined };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** An XML document in UTF-8. The same children give the same bytes. */
export function xmlDocument(root: XmlChildren): Buffer {
  const elements = Object.entries(root).map(([name, content]) => element(name, content, ''));
  return Buffer.from(DECLARATION + elements.join(''), 'utf8');
}

/**
 * Written here because libraries block the event loop many times as long for the same text
 * (docs/decisions/12-structured-invoices.md). Names are constants of ours; everything else is escaped.
 */
function element(name: string, content: XmlContent | undefined, indent: string): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return `${indent}<${name}>${escapeXml(content)}</${name}>\n`;
  if (Array.isArray(content)) {
    let repeated = '';
    for (const one of content as readonly XmlContent[]) repeated += element(name, one, indent);
    return repeated;
  }
  let attributes = '';
  let text: string | null = null;
  let children = '';
  for (const [part, value] of Object.entries(content as XmlChildren)) {
    if (value === undefined) continue;
    if (part === '#text') text = escapeXml(value as string);
    else if (part.startsWith('@')) attributes += ` ${part.slice(1)}="${escapeXml(value as string)}"`;
    else children += element(part, value, `${indent} `);
  }
  if (text !== null) return `${indent}<${name}${attributes}>${text}</${name}>\n`;
  return `${indent}<${name}${attributes}>\n${children}${indent}</${name}>\n`;
}

/** A text from outside, with line breaks normalized for XML. */
export function text(value: string): string {
  return value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value;
}

/** The same, or undefined when there is none. */
export function optional(value: string | null): string | undefined {
  return value === null || value === '' ? undefined : text(value);
}

/** Children that are present only together with a value. */
export function when<T>(value: T | null, children: (value: T) => XmlContent): XmlContent | undefined {
  return value === null ? undefined : children(value);
}

/** A day as `20261006` (UNTDID 2379, 102). */
export function compactDay(day: Day): string {
  return day.replaceAll('-', '');
}
