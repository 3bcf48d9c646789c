import { XMLParser } from 'fast-xml-parser';
import { expect } from 'vitest';
import { isRefusal, type Refusal } from '../../../src/ground/errors/refusal.ts';
import { facturaeOf, textOf as written } from '../../../src/subjects/formats/facturae/facturae.ts';
import type { FacturaeSource } from '../../../src/subjects/formats/facturae/source.ts';
import { HAVE_SCHEMAS, schemaFaults } from './facturae-schema.ts';
import { facturaeSource } from './facturae-source.ts';

/** The elements of a document by name; those that can stand more than once are lists. */
// biome-ignore lint/suspicious/noExplicitAny: a document is looked at by names that the tests know
export type Tree = any;

const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) =>
    ['Tax', 'InvoiceLine', 'LegalReference', 'AdministrativeCentre', 'Installment'].includes(name),
});

/** The document of an invoice, as text. */
export function textOf(given: Partial<FacturaeSource> = {}): string {
  const document = facturaeOf(facturaeSource(given));
  if (isRefusal(document)) throw new Error(document.detail);
  return written(document);
}

/** The same in its elements, held against the schema. */
export function documentOf(given: Partial<FacturaeSource> = {}): Tree {
  const text = textOf(given);
  if (HAVE_SCHEMAS) expect(schemaFaults(text)).toBe('');
  return parser.parse(text).Facturae;
}

export const invoiceOf = (given: Partial<FacturaeSource> = {}): Tree => documentOf(given).Invoices.Invoice;

/** Why an invoice has no document. */
export function refusalOf(given: Partial<FacturaeSource>): Refusal {
  const refusal = facturaeOf(facturaeSource(given));
  if (!isRefusal(refusal)) throw new Error('the invoice was not refused');
  expect(refusal.code).toBe('format_not_applicable');
  return refusal;
}
