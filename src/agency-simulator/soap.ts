import { errorText } from './error-table.ts';
import { childOf, escaped, MalformedXml, parseXml, type XmlElement } from './xml.ts';

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';

/** A refusal of the whole envelope. `Client`: do not send it again unchanged; `Server`: try again later. */
export class SoapFault {
  readonly side: 'Client' | 'Server';
  readonly text: string;
  constructor(side: 'Client' | 'Server', text: string) {
    this.side = side;
    this.text = text;
  }
}

/** Codes for failures of the agency itself: the same envelope may be accepted later. */
const TECHNICAL = new Set([3500, 3501, 4108, 4110, 4111, 4128, 4134, 4139]);

/** The fault of a code in the agency's form, `Codigo[NNNN].text`. Throws for a code outside its table. */
export function codedFault(code: number, detail?: string): SoapFault {
  const text = `Codigo[${code}].${errorText(code)}${detail === undefined ? '' : `: ${detail}`}`;
  return new SoapFault(TECHNICAL.has(code) ? 'Server' : 'Client', text);
}

export function isFault(value: unknown): value is SoapFault {
  return value instanceof SoapFault;
}

/** A request as it was understood. `document` is its text with plain line ends; element positions refer to it. */
export type SoapRequest = { readonly document: string; readonly body: XmlElement };

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer): string | SoapFault {
  if (bytes.length === 0) return codedFault(4138);
  try {
    const text = utf8.decode(bytes);
    const declared = /^<\?xml[^>]*\bencoding=["']([^"']+)["']/.exec(text)?.[1];
    if (declared !== undefined && declared.toLowerCase() !== 'utf-8') return codedFault(4119, declared);
    // XML 1.0 section 2.11: a reader sees every line end as one line feed.
    return text.replaceAll(/\r\n?/g, '\n');
  } catch {
    return codedFault(4119);
  }
}

/** Reads a SOAP 1.1 document/literal request: the one element in its Body. */
export function readSoap(bytes: Buffer): SoapRequest | SoapFault {
  const document = textOf(bytes);
  if (isFault(document)) return document;
  const root = parseXml(document);
  if (root instanceof MalformedXml) return codedFault(4103, root.reason);
  if (root.name !== 'Envelope' || root.namespace !== SOAP) {
    return codedFault(4102, 'the root must be the Envelope of SOAP 1.1');
  }
  const soapBody = childOf(root, 'Body');
  const [body, ...others] = soapBody?.namespace === SOAP ? soapBody.children : [];
  if (body === undefined) return codedFault(4138);
  if (others.length > 0) return codedFault(4102, 'Body holds more than one element');
  return { document, body };
}

/** An answer's document around its content. */
export function soapAnswer(content: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<env:Envelope xmlns:env="${SOAP}"><env:Header/><env:Body Id="Body">${content}</env:Body></env:Envelope>`
  );
}

/** A fault's document. */
export function soapFault(fault: SoapFault): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<env:Envelope xmlns:env="${SOAP}"><env:Body><env:Fault><faultcode>env:${fault.side}</faultcode>` +
    `<faultstring>${escaped(fault.text)}</faultstring></env:Fault></env:Body></env:Envelope>`
  );
}
