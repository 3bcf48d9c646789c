import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlValidateError,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

const folder = process.env['EINVOICE_SCHEMAS'];

/** Whether the schemas are there. */
export const HAVE_SCHEMAS = folder !== undefined && folder !== '';
if (!HAVE_SCHEMAS) {
  console.warn(
    '\n!!! EINVOICE_SCHEMAS is not set: Facturae documents are NOT checked against their schema.\n',
  );
}

const NAME = 'facturaev3_2_2.xsd';

/** The text of the format's schema. */
export function schemaText(): string {
  return readFileSync(join(folder!, 'facturae-3.2.2', NAME), 'utf8');
}

let compiled: XsdValidator | undefined;

function validator(): XsdValidator {
  if (compiled !== undefined) return compiled;
  const signature = readFileSync(join(folder!, 'facturae-3.2.2', 'xmldsig-core-schema.xsd'));
  // Room is for some fifteen in a process, and other files have had theirs.
  xmlCleanupInputProvider();
  xmlRegisterInputProvider(new XmlBufferInputProvider({ 'xmldsig-core-schema.xsd': signature }));
  const schema = XmlDocument.fromBuffer(Buffer.from(schemaText()), { url: NAME });
  compiled = XsdValidator.fromDoc(schema);
  schema.dispose();
  return compiled;
}

/** What of a document departs from the schema; empty when nothing does. */
export function schemaFaults(text: string): string {
  const document = XmlDocument.fromString(text);
  try {
    validator().validate(document);
    return '';
  } catch (error) {
    if (error instanceof XmlValidateError) return error.message;
    throw error;
  } finally {
    document.dispose();
  }
}
