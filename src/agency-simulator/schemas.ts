import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ErrorDetail,
  XmlBufferInputProvider,
  XmlDocument,
  XmlElement,
  XmlError,
  XmlLibError,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

/** The messages that the agency publishes schemas for, by the schema's file name. */
type SchemaName = 'SuministroLR' | 'ConsultaLR' | 'RespuestaSuministro' | 'RespuestaConsultaLR';

const NAMES: readonly SchemaName[] = [
  'SuministroLR',
  'ConsultaLR',
  'RespuestaSuministro',
  'RespuestaConsultaLR',
];

/** The address under which SuministroInformacion.xsd imports the signature schema; nothing is fetched from there. */
const SIGNATURE_ADDRESS = 'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd';

/**
 * A departure from the schema: `structure` (an element missing, misplaced or foreign) or `value`; `record` counts the
 * RegistroFactura elements from 0 and is null outside of them.
 */
export type SchemaFault = {
  readonly kind: 'structure' | 'value';
  readonly record: number | null;
  readonly reason: string;
};

/** The agency's schemas, compiled. */
export type Schemas = {
  /** Every departure of the one element in the SOAP Body from that schema. Throws when there is no such element. */
  check(name: SchemaName, document: string): SchemaFault[];
};

/** Reads and compiles the schemas of a folder, for as long as the process runs. Throws when a file is missing or broken. */
export function loadSchemas(folder: string): Schemas {
  const files: Record<string, Uint8Array> = {
    'SuministroInformacion.xsd': readFileSync(join(folder, 'SuministroInformacion.xsd')),
    [SIGNATURE_ADDRESS]: readFileSync(join(folder, 'xmldsig-core-schema.xsd')),
  };
  for (const name of NAMES) files[`${name}.xsd`] = readFileSync(join(folder, `${name}.xsd`));
  // libxml2 has room for some fifteen providers in a process, and keeps the first: those of before have done their work.
  xmlCleanupInputProvider();
  xmlRegisterInputProvider(new XmlBufferInputProvider(files));
  const validators = new Map(NAMES.map((name) => [name, compile(name, files[`${name}.xsd`]!)]));
  return { check: (name, document) => check(validators.get(name)!, document) };
}

function compile(name: SchemaName, source: Uint8Array): XsdValidator {
  const schema = XmlDocument.fromBuffer(source, { url: `${name}.xsd` });
  try {
    return XsdValidator.fromDoc(schema);
  } finally {
    schema.dispose();
  }
}

function check(validator: XsdValidator, text: string): SchemaFault[] {
  const document = XmlDocument.fromString(text);
  try {
    const content = document.get('/soap:Envelope/soap:Body/*', {
      soap: 'http://schemas.xmlsoap.org/soap/envelope/',
    });
    if (!(content instanceof XmlElement)) throw new XmlError('The SOAP Body is empty');
    validator.validate(content);
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.details.map(faultOf);
  } finally {
    document.dispose();
  }
}

/** What libxml2 reports of values; everything else it reports is about structure. */
const VALUE_MESSAGE = /\[facet '|is not a valid value of the (atomic|local atomic|union|list) type/;

function faultOf(detail: ErrorDetail): SchemaFault {
  const [, record] = /\/(?:\w+:)?RegistroFactura(?:\[(\d+)\])?\//.exec(detail.xpath ?? '') ?? [];
  const inRecord = /RegistroFactura(\[|\/)/.test(detail.xpath ?? '');
  return {
    kind: VALUE_MESSAGE.test(detail.message) ? 'value' : 'structure',
    record: inRecord ? Number(record ?? 1) - 1 : null,
    reason: detail.message
      .replaceAll(/\{[^}]*\}/g, '')
      .trim()
      .slice(0, 500),
  };
}
