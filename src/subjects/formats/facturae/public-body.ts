import type { FormatSource } from '../source.ts';
import type { FormatName } from '../types.ts';
import { centresOf } from './dir3.ts';

/** The letters of the NIFs of public bodies: local ones, public institutions, and those of state and regions (Orden EHA/451/2008 art. 3). */
const PUBLIC_BODY = /^[PQS]/;

/**
 * What a document of an invoice is good for nevertheless, or null. A Facturae to a public body without its DIR3 offices is valid, but FACe, and entry
 * points that follow its rules, refuse it (Ley 9/2017 disp. adic. 32ª, which demands them on the invoice).
 */
export function warningOf({ content }: FormatSource, format: FormatName): string | null {
  if (format !== 'facturae' && format !== 'facturae_signed') return null;
  const { recipient, extensions } = content;
  if (recipient?.taxIdType !== 'es_nif' || !PUBLIC_BODY.test(recipient.taxId ?? '')) return null;
  if (centresOf(extensions.references?.buyer_reference ?? null) !== null) return null;
  return 'FACe will refuse this document: the recipient is a public body, and references.buyer_reference does not name its DIR3 offices (accounting office, managing body, processing unit).';
}
