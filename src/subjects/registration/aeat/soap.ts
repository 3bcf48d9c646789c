import { setImmediate as othersFirst } from 'node:timers/promises';
import {
  child,
  escapeXml,
  text,
  type XmlElement,
  XmlFault,
  XmlReader,
  type XmlReading,
} from '../../../ground/lib/xml.ts';

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

const LISTS = new Set(['RespuestaLinea', 'RegistroRespuestaConsultaFactuSistemaFacturacion']);

/** What stands in the body of a SOAP answer: the element that was waited for, a fault in its place, or neither. */
export type SoapBody = { readonly kind: 'message'; readonly message: XmlElement } | Fault | Unreadable;

/**
 * Reads a SOAP answer as it arrives, within the bounds of `lib/xml.ts`. Never throws: anything that is not the element
 * `name` or a fault, however broken, is `unreadable`, and never half of an answer.
 */
export class SoapReader {
  readonly #name: string;
  readonly #xml: XmlReader;
  #trouble: string | null = null;
  #empty = true;

  /** `each` are elements that are handed over once they are whole; what they say counts when `close` finds a message. */
  constructor(name: string, each?: XmlReading['each']) {
    this.#name = name;
    this.#xml = new XmlReader({ lists: LISTS, ...(each === undefined ? {} : { each }) });
  }

  /** Reads on. False: the answer is given up already, and the rest need not be fetched. */
  write(chunk: string | Uint8Array): boolean {
    if (chunk.length > 0) this.#empty = false;
    this.#try(() => this.#xml.write(chunk));
    return this.#trouble === null;
  }

  close(): SoapBody {
    if (this.#empty) return unreadable('the answer is empty');
    let root: XmlElement = {};
    this.#try(() => {
      root = this.#xml.close();
    });
    return this.#trouble === null ? bodyOf(root, this.#name) : unreadable(this.#trouble);
  }

  #try(read: () => void): void {
    if (this.#trouble !== null) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error;
      this.#trouble = error.message;
    }
  }
}

/** Read in a few milliseconds; a whole answer of 8 MiB takes up to a second, in which nobody else would be served. */
const SLICE = 64 * 1_024;

/** The same of an answer that is there whole, with others served in between. */
export async function readSoap(text: string, name: string, each?: XmlReading['each']): Promise<SoapBody> {
  const reader = new SoapReader(name, each);
  for (let from = 0; from < text.length; from += SLICE) {
    if (from > 0) await othersFirst();
    if (!reader.write(text.slice(from, from + SLICE))) break;
  }
  return reader.close();
}

function bodyOf(root: XmlElement, name: string): SoapBody {
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

function faultOf(fault: XmlElement): Fault {
  const message = text(fault, 'faultstring') ?? '';
  const code = /Codigo\s*\[\s*(\d{1,6})\s*\]/i.exec(message)?.[1] ?? null;
  // The values of SOAP 1.1 may be refined after a dot (Client.Authentication); what is not the client's is the server's.
  const party = /(^|:)Client(\.|$)/.test(text(fault, 'faultcode') ?? '') ? 'client' : 'server';
  return { kind: 'fault', party, code, message };
}
