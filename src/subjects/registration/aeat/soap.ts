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

/** Namespaces of the registration service, by the content of their schemas. */
export const NAMESPACE = {
  soap: 'http://schemas.xmlsoap.org/soap/envelope/',
  records: `${SCHEMAS}SuministroInformacion.xsd`,
  submission: `${SCHEMAS}SuministroLR.xsd`,
  query: `${SCHEMAS}ConsultaLR.xsd`,
} as const;

/** The taxpayer whose records a message contains, as named in the census. */
export type Issuer = { readonly nif: string; readonly legalName: string };

/** The rejection of a whole message. `code` is the agency's number, null when it gave none. */
export type Fault = {
  readonly kind: 'fault';
  /** The `client` must change its message; a message that failed at the `server` may be repeated. */
  readonly party: 'client' | 'server';
  readonly code: string | null;
  readonly message: string;
};

/** Bytes that are not an answer, and why. */
export type Unreadable = { readonly kind: 'unreadable'; readonly reason: string };

/** Wraps a message in a SOAP 1.1 envelope; `prefix` is bound to the namespace of its schema. */
export function soapEnvelope(prefix: 'lr' | 'con', namespace: string, message: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="${NAMESPACE.soap}" ` +
    `xmlns:${prefix}="${namespace}" xmlns:sf="${NAMESPACE.records}"><soapenv:Header/><soapenv:Body>` +
    `${message}</soapenv:Body></soapenv:Envelope>`
  );
}

/** The taxpayer's block, name first as the schema requires. */
export function issuerXml(issuer: Issuer): string {
  const name = `<sf:NombreRazon>${escapeXml(issuer.legalName)}</sf:NombreRazon>`;
  return `<sf:ObligadoEmision>${name}<sf:NIF>${escapeXml(issuer.nif)}</sf:NIF></sf:ObligadoEmision>`;
}

const LISTS = new Set(['RespuestaLinea', 'RegistroRespuestaConsultaFactuSistemaFacturacion']);

/** The body of a SOAP answer: the expected element, a fault in its place, or neither. */
export type SoapBody = { readonly kind: 'message'; readonly message: XmlElement } | Fault | Unreadable;

/**
 * Parses a SOAP answer while it arrives, within the limits of `lib/xml.ts`. Never throws: anything but the element
 * `name` or a fault is `unreadable`, and a partial answer is never used.
 */
export class SoapReader {
  readonly #name: string;
  readonly #xml: XmlReader;
  #failure: string | null = null;
  #empty = true;

  /**
   * `each` are elements that are passed on when they are complete; they count only if `close` returns a message.
   */
  constructor(name: string, each?: XmlReading['each']) {
    this.#name = name;
    this.#xml = new XmlReader({ lists: LISTS, ...(each === undefined ? {} : { each }) });
  }

  /** Parses the next chunk. False: the answer is rejected already, and the rest need not be read. */
  write(chunk: string | Uint8Array): boolean {
    if (chunk.length > 0) this.#empty = false;
    this.#try(() => this.#xml.write(chunk));
    return this.#failure === null;
  }

  close(): SoapBody {
    if (this.#empty) return unreadable('the answer is empty');
    let root: XmlElement = {};
    this.#try(() => {
      root = this.#xml.close();
    });
    return this.#failure === null ? bodyOf(root, this.#name) : unreadable(this.#failure);
  }

  #try(read: () => void): void {
    if (this.#failure !== null) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof XmlFault)) throw error;
      this.#failure = error.message;
    }
  }
}

function bodyOf(root: XmlElement, name: string): SoapBody {
  const body = child(child(root, 'Envelope'), 'Body');
  if (body === null) return unreadable('not a SOAP envelope with a body');
  const fault = child(body, 'Fault');
  if (fault !== null) return faultOf(fault);
  const message = child(body, name);
  return message === null ? unreadable(`the body holds no ${name}`) : { kind: 'message', message };
}

function unreadable(reason: string): Unreadable {
  return { kind: 'unreadable', reason };
}

function faultOf(fault: XmlElement): Fault {
  const message = text(fault, 'faultstring') ?? '';
  const code = /Codigo\s*\[\s*(\d{1,6})\s*\]/i.exec(message)?.[1] ?? null;
  // The fault codes of SOAP 1.1 may be refined after a dot (Client.Authentication); any code but the client's is
  // the server's.
  const party = /(^|:)Client(\.|$)/.test(text(fault, 'faultcode') ?? '') ? 'client' : 'server';
  return { kind: 'fault', party, code, message };
}
