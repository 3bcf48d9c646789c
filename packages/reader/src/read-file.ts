import { createHash } from 'node:crypto';
import type { XmlDocument } from 'libxml2-wasm';
import { invoiceOfPdf } from './containers/pdf.ts';
import { filesOfZip } from './containers/zip.ts';
import type { ReadInvoice } from './invoice.ts';
import { FILE_BYTES, UNPACKED_BYTES } from './limits.ts';
import { Budget, ReadingError } from './reading-error.ts';
import { checkEn16931 } from './rules/en16931.ts';
import { checkFacturae } from './rules/facturae.ts';
import type { Finding } from './rules/finding.ts';
import { type ReadSignature, verifiedSignature } from './signature.ts';
import { CII_NAMESPACES, CII_ROOT, readCii } from './syntaxes/cii.ts';
import { FACTURAE_NAMESPACES, FACTURAE_ROOTS, readBatch, readFacturae } from './syntaxes/facturae.ts';
import { readUbl, UBL_NAMESPACES, UBL_ROOTS } from './syntaxes/ubl.ts';
import { decoded, elementOf, parsed } from './xml-tree.ts';

export type ReadSyntax = 'ubl' | 'cii' | 'facturae';

/** A document as read. */
export type ReadDocument = {
  /** The name of the file, also within a container. */
  readonly name: string;
  readonly syntax: ReadSyntax;
  /** Size of its XML. */
  readonly sha256: string;
  /** The container that it was found in. */
  readonly container: 'pdf' | null;
  /** Facturae files may contain several. */
  readonly invoices: readonly ReadInvoice[];
  readonly signature: ReadSignature | null;
  /** The findings of our own checks. */
  readonly findings: readonly Finding[];
  /** Its XML without the declaration, for checks against published schemas. */
  readonly xml: string;
};

/** A document of a ZIP file that could not be read. */
export type UnreadDocument = { readonly name: string; readonly fault: string };

export type ReadFile = {
  readonly documents: readonly ReadDocument[];
  readonly unread: readonly UnreadDocument[];
};

/**
 * Reads a UBL, CII, Factur-X or Facturae document, or a ZIP file of them. Nothing of it is trusted: see the limits. Throws
 * `ReadingError` with why the file is not read. In a ZIP file what cannot be read is named, and the rest is read.
 */
export async function readFile(name: string, bytes: Buffer): Promise<ReadFile> {
  const budget = new Budget(UNPACKED_BYTES);
  if (!isZip(bytes)) return { documents: [readDocument(name, bytes, budget)], unread: [] };
  const documents: ReadDocument[] = [];
  const unread: UnreadDocument[] = [];
  for (const file of await filesOfZip(bytes, budget)) {
    try {
      documents.push(readDocument(file.name, file.bytes, budget));
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error;
      unread.push({ name: file.name, fault: error.message });
    }
  }
  if (documents.length + unread.length === 0)
    throw new ReadingError('not_supported', 'is a ZIP file without invoices');
  return { documents, unread };
}

function isZip(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 4);
  return start === 'PK\x03\x04' || start === 'PK\x05\x06';
}

function readDocument(name: string, bytes: Buffer, budget: Budget): ReadDocument {
  const isPdf = bytes.subarray(0, 1_024).includes('%PDF-');
  const file = isPdf ? invoiceOfPdf(bytes, budget) : { name, bytes };
  if (file.bytes.length > FILE_BYTES) throw new ReadingError('too_big', 'is larger than any invoice');
  const xml = decoded(file.bytes);
  const document = parsed(xml);
  try {
    return {
      name: isPdf ? `${name} / ${file.name}` : name,
      sha256: createHash('sha256').update(file.bytes).digest('hex'),
      container: isPdf ? 'pdf' : null,
      xml,
      ...contentOf(document),
    };
  } finally {
    document.dispose();
  }
}

/** The content of the document. The signature is verified first: only the content that it covers is shown. */
function contentOf(
  document: XmlDocument,
): Pick<ReadDocument, 'syntax' | 'invoices' | 'signature' | 'findings'> {
  const { name, namespaceUri } = document.root;
  const signature = verifiedSignature(document);
  const version = FACTURAE_ROOTS.get(namespaceUri);
  if (name === 'Facturae' && version !== undefined) {
    const root = elementOf(document.root, FACTURAE_NAMESPACES);
    const invoices = readFacturae(root, version);
    return { syntax: 'facturae', invoices, signature, findings: checkFacturae(readBatch(root), invoices) };
  }
  if (UBL_ROOTS[name] === namespaceUri) {
    const invoice = readUbl(elementOf(document.root, UBL_NAMESPACES));
    return { syntax: 'ubl', invoices: [invoice], signature, findings: checkEn16931(invoice) };
  }
  if (name === 'CrossIndustryInvoice' && namespaceUri === CII_ROOT) {
    const invoice = readCii(elementOf(document.root, CII_NAMESPACES));
    return { syntax: 'cii', invoices: [invoice], signature, findings: checkEn16931(invoice) };
  }
  throw new ReadingError('not_supported', 'is no invoice in UBL, CII, Factur-X or Facturae');
}
