import { isRefusal, type Outcome, type Refusal } from '../../../ground/errors/refusal.ts';
import type { InvoiceContent, PrintedReference } from '../../documents/content.ts';
import { withholdingOf } from '../../extensions/payable.ts';
import type { TaxDetail } from '../../taxes/breakdown.ts';
import { notApplicable } from '../format.ts';
import type { FormatSource } from '../source.ts';
import { TYPE_CODES } from './code-lists.ts';
import { extensionTerms } from './extensions.ts';
import { linesOf } from './lines.ts';
import { notesOf } from './notes.ts';
import { partiesOf, STANDARD } from './parties.ts';
import type { VatCategoryCode } from './tax-categories.ts';
import type { Attachment, Party, SemanticInvoice } from './terms.ts';
import { sumsOf } from './totals.ts';

/**
 * How corrections are represented: with the standard's own document types, or all as corrected invoices (type 384).
 */
export type CorrectionStyle = 'by_kind' | 'as_corrected';

/**
 * The invoice in the terms of EN 16931, from sealed data only. Refuses with `format_not_applicable`, naming the
 * term, what the standard cannot represent; everything else agrees with the sealed invoice to the cent.
 */
export function semanticInvoice(
  source: FormatSource,
  corrections: CorrectionStyle = 'by_kind',
): Outcome<SemanticInvoice> {
  const { content, taxes } = source;
  const refusal = stateRefusal(content);
  if (refusal !== null) return refusal;
  const { typeCode, sign } = documentType(content, corrections);
  const lines = linesOf(content.lines, taxes, sign);
  if (isRefusal(lines)) return lines;
  // The standard has no term for a withheld tax: the amount that the buyer pays to the tax office for the seller
  // counts as paid.
  const paid = sign * (withholdingOf(content.extensions)?.amount ?? 0) || 0;
  const sums = sumsOf(lines, { total: sign * content.total || 0, paid });
  if (isRefusal(sums)) return sums;
  const categories = new Set(sums.vatBreakdown.map(({ category }) => category.code));
  const parties = partiesOf(content, categories);
  if (isRefusal(parties)) return parties;
  const delivery = deliveryOf(content, parties.buyer, categories);
  if (isRefusal(delivery)) return delivery;
  return {
    ...{ number: content.number, issuedOn: content.issuedOn, typeCode, isCreditNote: sign === -1 },
    currency: content.currency.toUpperCase(),
    isTaxDueOnPayment: isCashAccounting(taxes),
    ...extensionTerms(content.extensions),
    period: content.extensions.delivery ?? content.rectification?.period ?? null,
    notes: notesOf(source),
    precedingInvoices: precedingInvoices(content),
    ...parties,
    ...delivery,
    ...sums,
    attachments: attachmentsOf(content),
    lines: lines.map(({ line }) => line),
  };
}

/**
 * A voided invoice, one issued by another system, and disbursements: no term represents this, and without it the document
 * would be wrong.
 */
function stateRefusal({ voidedOn, imported, extensions }: InvoiceContent): Refusal | null {
  if (voidedOn !== null) {
    return notApplicable(STANDARD, 'BT-3', `the invoice was voided on ${voidedOn}, which no type code says`);
  }
  if (imported) {
    const detail =
      'the invoice was issued by another system, and no type code says that this is a copy of it';
    return notApplicable(STANDARD, 'BT-3', detail);
  }
  // Whatever is a charge (BG-21) counts towards the total (BR-CO-13), and BT-115 adds nothing to that (BR-CO-16).
  if (extensions.disbursements !== null) {
    const detail =
      'what was paid in the buyer’s name is due without being part of the total: no term says so';
    return notApplicable(STANDARD, 'BT-115', detail);
  }
  return null;
}

type DocumentType = { readonly typeCode: string; readonly sign: 1 | -1 };

/** BT-3, and the sign that is applied to the invoice's amounts. */
function documentType(
  { kind, total, extensions }: InvoiceContent,
  corrections: CorrectionStyle,
): DocumentType {
  const isSelfBilled = extensions.issued_by === 'recipient';
  if (kind === 'original' || kind === 'exchange') {
    return { typeCode: isSelfBilled ? TYPE_CODES.selfBilled : TYPE_CODES.invoice, sign: 1 };
  }
  if (kind === 'rectifying_substitution' || corrections === 'as_corrected') {
    return { typeCode: TYPE_CODES.corrected, sign: 1 };
  }
  return total > 0
    ? { typeCode: TYPE_CODES.debitNote, sign: 1 }
    : { typeCode: isSelfBilled ? TYPE_CODES.selfBilledCreditNote : TYPE_CODES.creditNote, sign: -1 };
}

/** The special regime of cash accounting (regime key 07, LIVA art. 163 decies): VAT falls due when it is paid. */
function isCashAccounting(taxes: readonly TaxDetail[]): boolean {
  return taxes.length > 0 && taxes.every(({ regimeKey }) => regimeKey === '07');
}

/** BG-3: the invoices that a correction corrects, and the simplified invoices that an exchange invoice replaces. */
function precedingInvoices({ rectification, exchanged }: InvoiceContent): readonly PrintedReference[] {
  return rectification?.references ?? exchanged;
}

type Delivery = Pick<SemanticInvoice, 'deliveredOn' | 'deliveredTo'>;

/**
 * BG-13. An intra-Community supply needs its day (BR-IC-11) and the country of delivery (BR-IC-12), which is that
 * of the buyer's VAT number unless the buyer's address is in another state; refuses a delivery within Spain.
 */
function deliveryOf(
  { operationOn, issuedOn, recipient }: InvoiceContent,
  buyer: Party,
  categories: ReadonlySet<VatCategoryCode>,
): Outcome<Delivery> {
  if (!categories.has('K')) return { deliveredOn: operationOn, deliveredTo: null };
  const { country } = buyer.address;
  const deliveredTo = country === 'ES' ? (recipient?.taxIdCountry ?? country) : country;
  if (deliveredTo === 'ES') {
    return notApplicable(STANDARD, 'BT-80', 'the goods of an intra-Community supply go to another state');
  }
  return { deliveredOn: operationOn ?? issuedOn, deliveredTo };
}

/** BG-24: where anybody can verify the invoice at the tax agency. */
function attachmentsOf({ qrUrl }: InvoiceContent): Attachment[] {
  if (qrUrl === null) return [];
  const description = 'Factura verificable en la sede electrónica de la AEAT (VERI*FACTU)';
  return [{ reference: 'QR', description, url: qrUrl }];
}
