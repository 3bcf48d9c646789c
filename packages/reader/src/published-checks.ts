import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { XmlDocument, XmlLibError, XsdValidator, xmlCleanupInputProvider } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import type { ReadSyntax } from './read-file.ts';
import type { Finding } from './rules/finding.ts';

/** The syntaxes with published schemas, by the document's root, and CEN's published rules for them. */
const SYNTAXES = {
  ubl: {
    rules: 'en16931/EN16931-UBL-validation.xslt',
    schemas: {
      Invoice: 'ubl-2.1/maindoc/UBL-Invoice-2.1.xsd',
      CreditNote: 'ubl-2.1/maindoc/UBL-CreditNote-2.1.xsd',
    },
  },
  cii: {
    rules: 'en16931/EN16931-CII-validation.xslt',
    schemas: { CrossIndustryInvoice: 'cii-d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd' },
  },
  facturae: { rules: null, schemas: { Facturae: 'facturae-3.2.2/facturaev3_2_2.xsd' } },
} as const;

/** The published checks of a syntax. */
export type PublishedChecks = {
  /** Whether the rules can be run here: they are XSLT 2.0, and the service does not include a processor for it. */
  readonly hasRules: boolean;
  /** Violations of the schema of the document's syntax. */
  schemaErrors(document: string): string[];
  /** Every violated rule of EN 16931, including warnings. There are none for Facturae. */
  findings(document: string): Finding[];
};

/**
 * The checks of a syntax, from a folder with the publications of OASIS, UN/CEFACT, CEN and the Spanish
 * administration. Compiling the rules takes about 20 s; the result is cached beside the packages. Throws when a
 * file is missing.
 */
export function publishedChecks(folder: string, syntax: ReadSyntax): PublishedChecks {
  // A process has room for about fifteen, and each load of a schema tries all of them.
  xmlCleanupInputProvider();
  xmlRegisterFsInputProviders();
  const { rules, schemas } = SYNTAXES[syntax];
  const validators = new Map(
    Object.entries(schemas).map(([root, file]) => [root, compiledSchema(join(folder, file))]),
  );
  // From here on a document cannot cause a file to be read.
  xmlCleanupInputProvider();
  const saxon = processor();
  let compiled: object | null = null;
  return {
    hasRules: rules !== null && saxon !== null,
    schemaErrors(text) {
      const document = XmlDocument.fromString(text);
      try {
        validators.get(document.root.name)?.validate(document);
        return [];
      } catch (error) {
        if (!(error instanceof XmlLibError)) throw error;
        return error.details.map(({ message }) => message.trim());
      } finally {
        document.dispose();
      }
    },
    findings(text) {
      if (rules === null || saxon === null) return [];
      compiled ??= compiledRules(join(folder, rules));
      const { principalResult } = saxon.transform(
        { stylesheetInternal: compiled, sourceText: text, destination: 'serialized' },
        'sync',
      );
      return [...principalResult.matchAll(FAILED)].map(([, attributes = '', message = '']) => ({
        rule: / id="([^"]*)"/.exec(attributes)?.[1] ?? '',
        isFatal: !attributes.includes('flag="warning"'),
        text: message.trim(),
      }));
    },
  };
}

const FAILED = /<svrl:failed-assert([^>]*)>\s*<svrl:text>([^<]*)/g;

/** What of Saxon is used. */
type Saxon = {
  transform(
    options: { stylesheetInternal: object; sourceText: string; destination: 'serialized' },
    execution: 'sync',
  ): { principalResult: string };
};

const require = createRequire(import.meta.url);

/** The processor of XSLT 2.0, where the packages of development are installed. */
function processor(): Saxon | null {
  try {
    return require('saxon-js') as Saxon;
  } catch {
    return null;
  }
}

function compiledSchema(file: string): XsdValidator {
  const schema = XmlDocument.fromBuffer(readFileSync(file), { url: file });
  try {
    return XsdValidator.fromDoc(schema);
  } finally {
    schema.dispose();
  }
}

const KEPT = resolve(import.meta.dirname, '../../../node_modules/.cache/lacre');

function compiledRules(file: string): object {
  const checksum = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16);
  const compiled = join(KEPT, `rules-${checksum}.sef.json`);
  if (!existsSync(compiled)) {
    mkdirSync(KEPT, { recursive: true });
    // A concurrent compilation, in a thread of this process too, produces the same file under a name of its own.
    const temporary = `${compiled}.${randomUUID()}`;
    execFileSync(
      process.execPath,
      [require.resolve('xslt3'), `-xsl:${file}`, `-export:${temporary}`, '-nogo'],
      {
        stdio: 'ignore',
      },
    );
    renameSync(temporary, compiled);
  }
  return JSON.parse(readFileSync(compiled, 'utf8'));
}
