import { SaxesParser } from 'saxes';

const SCHEMAS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';

/** Namespaces of the registration service, by what their schema holds. */
export const NAMESPACE = {
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
  records: `${SCHEMAS}SuministroInformacion.xsd`,
  submission: `${SCHEMAS}SuministroLR.xsd`,
  query: `${SCHEMAS}ConsultaLR.xsd`,
} as const;

/** Whose records a message is about: the taxpayer as the census knows it. */
export type Issuer = { readonly nif: string; readonly legalName: string };

/** A parsed element: its text, or its children by local name (those that the reader lists are always arrays). */
export type Element = { readonly [name: string]: unknown };

/** A refusal of a whole message. `code` is the agency's number, null when it gave none. */
export type Fault = {
  readonly kind: 'fault';
  /** Who is at fault: the `client` must change its message, the `server` may be asked again. */
  readonly party: 'client' | 'server';
  readonly code: string | null;
  readonly message: string;
};

/** Bytes that are no answer at all, and why. */
export type Unreadable = { readonly kind: 'unreadable'; readonly why: string };

/** Wraps a message in a SOAP 1.1 envelope; `prefix` is bound to the namespace of its schema. */
export function soapEnvelope(prefix: 'lr' | 'con', namespace: string, message: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${NAMESPACE.soap}" ` +
    `xmlns:${prefix}="${namespace}" xmlns:sf="${NAMESPACE.records}"><soapenv:Header/><soapenv:Body>` +
    `${message}</soapenv:Body></soapenv:Envelope>`
  );
}

/** The taxpayer's block, name first as the schema demands. */
export function issuerXml(issuer: Issuer): string {
  const name = `<sf:NombreRazon>${escapeXml(issuer.legalName)}</sf:NombreRazon>`;
  return `<sf:ObligadoEmision>${name}<sf:NIF>${escapeXml(issuer.nif)}</sf:NIF></sf:ObligadoEmision>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as element content; what XML 1.0 cannot carry becomes a space. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ' ')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

const LISTS = new Set(['RespuestaLinea', 'RegistroRespuestaConsultaFactuSistemaFacturacion']);

/** An element that is being read: its children by local name once it has one, and its text. */
type Open = { readonly name: string; children: Record<string, unknown> | null; text: string };

/** Thrown out of the parser, which would go on after a fault. */
class IllFormed extends Error {}

/**
 * The document as one element that holds the root. An element that comes more than once, or that is listed, is an array.
 * One pass: an envelope of a thousand records is answered by as many lines. Throws `IllFormed`.
 */
function parse(text: string): Element {
  // By local names alone: which prefixes the agency uses is its own affair. Character references are decoded.
  const parser = new SaxesParser({ xmlns: false, position: false });
  const document: Open = { name: '', children: null, text: '' };
  const open: Open[] = [document];
  let current = document;
  parser.on('error', (error) => {
    throw new IllFormed(error.message);
  });
  parser.on('opentag', ({ name }) => {
    current = { name: name.slice(name.indexOf(':') + 1), children: null, text: '' };
    open.push(current);
  });
  const write = (characters: string) => {
    current.text += characters;
  };
  parser.on('text', write);
  parser.on('cdata', write);
  parser.on('closetag', () => {
    const { name, children, text } = open.pop()!;
    current = open.at(-1)!;
    // Without a prototype no name means anything but itself.
    current.children ??= Object.create(null) as Record<string, unknown>;
    add(current.children, name, children ?? text);
  });
  parser.write(text).close();
  return document.children ?? {};
}

function add(children: Record<string, unknown>, name: string, value: unknown): void {
  const before = children[name];
  if (Array.isArray(before)) before.push(value);
  else if (before !== undefined) children[name] = [before, value];
  else children[name] = LISTS.has(name) ? [value] : value;
}

/**
 * The element `name` in the body of a SOAP answer, or the fault that stands in its place. Anything else, however
 * broken, is `unreadable`: never an exception, and never half of an answer.
 */
export function readSoap(
  text: string,
  name: string,
): { kind: 'message'; message: Element } | Fault | Unreadable {
  if (text.trim() === '') return unreadable('the answer is empty');
  // The agency declares no document type; one that comes anyway is an attack or another server's page.
  if (/<!DOCTYPE/i.test(text)) return unreadable('the answer declares a document type');
  let root: Element;
  try {
    root = parse(text);
  } catch (error) {
    if (!(error instanceof IllFormed)) throw error;
    return unreadable(`not well-formed XML: ${error.message}`);
  }
  const body = child(child(root, 'Envelope'), 'Body');
  if (body === null) return unreadable('not a SOAP envelope with a body');
  const fault = child(body, 'Fault');
  if (fault !== null) return faultOf(fault);
  const message = child(body, name);
  return message === null ? unreadable(`the body holds no ${name}`) : { kind: 'message', message };
}

function unreadable(why: string): Unreadable {
  return { kind: 'unreadable', why };
}

function faultOf(fault: Element): Fault {
  const message = text(fault, 'faultstring') ?? '';
  const code = /Codigo\s*\[\s*(\d{1,6})\s*\]/i.exec(message)?.[1] ?? null;
  // The values of SOAP 1.1 may be refined after a dot (Client.Authentication); what is not the client's is the server's.
  const party = /(^|:)Client(\.|$)/.test(text(fault, 'faultcode') ?? '') ? 'client' : 'server';
  return { kind: 'fault', party, code, message };
}

/** The child element of that name, or null when there is none or it holds only text. */
export function child(element: unknown, name: string): Element | null {
  const value = isElement(element) ? element[name] : undefined;
  return isElement(value) ? value : null;
}

/** The children of that name; the name must be one that the reader lists. */
export function children(element: Element, name: string): readonly Element[] {
  const value = element[name];
  return Array.isArray(value) ? value.filter(isElement) : [];
}

/** The text of the child of that name, trimmed, or null when it is absent or empty. */
export function text(element: Element | null, name: string): string | null {
  const value = element?.[name];
  if (typeof value !== 'string') return null;
  return value.trim() === '' ? null : value.trim();
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
