import type { Day } from '../../../ground/lib/calendar.ts';
import type { BasisPoints, Cents } from '../../../ground/lib/money.ts';
import type { VatCategoryCode } from './tax-categories.ts';

/**
 * The semantic model of EN 16931-1:2017: the content of an invoice, independent of the syntax. It contains only
 * terms that our invoices can have, each with its number; amounts are whole cents of the document's currency.
 */
export type SemanticInvoice = {
  /** BT-1 */
  readonly number: string;
  /** BT-2 */
  readonly issuedOn: Day;
  /** BT-3, UNTDID 1001 */
  readonly typeCode: string;
  /** Whether amounts are those of a credit note: credited amounts have no minus sign. */
  readonly isCreditNote: boolean;
  /** BT-5, ISO 4217 */
  readonly currency: string;
  /** BT-8: the VAT falls due when the invoice is paid; else on the day of supply. */
  readonly isTaxDueOnPayment: boolean;
  /** BT-9 */
  readonly dueOn: Day | null;
  /** BT-10 */
  readonly buyerReference: string | null;
  /** BT-11 */
  readonly project: string | null;
  /** BT-12 */
  readonly contract: string | null;
  /** BT-13 */
  readonly purchaseOrder: string | null;
  /** BT-20: always present, because an amount due needs a due date or terms (BR-CO-25). */
  readonly paymentTerms: string;
  /** BG-1, BT-22 */
  readonly notes: readonly string[];
  /** BG-3 */
  readonly precedingInvoices: readonly PrecedingInvoice[];
  /** BG-4 */
  readonly seller: Party;
  /** BG-7 */
  readonly buyer: Party;
  /** BT-72: null when it is the issue day and no rule requires it. */
  readonly deliveredOn: Day | null;
  /** BT-80, ISO 3166-1 alpha-2 */
  readonly deliveredTo: string | null;
  /** BG-14 */
  readonly period: { readonly from: Day; readonly to: Day } | null;
  /** BG-16 */
  readonly paymentMeans: PaymentMeans | null;
  /** BG-21: only for the equivalence surcharge. */
  readonly charges: readonly Charge[];
  /** BG-22 */
  readonly totals: Totals;
  /** BG-23 */
  readonly vatBreakdown: readonly VatGroup[];
  /** BG-24 */
  readonly attachments: readonly Attachment[];
  /** BG-25 */
  readonly lines: readonly SemanticLine[];
};

export type PrecedingInvoice = {
  /** BT-25 */
  readonly number: string;
  /** BT-26 */
  readonly issuedOn: Day;
};

/** An identifier with its scheme; null where the standard has none for it. */
export type Identifier = { readonly id: string; readonly scheme: string | null };

/** The seller (BG-4) or the buyer (BG-7); the numbers are the seller's and the buyer's. */
export type Party = {
  /** BT-27, BT-44 */
  readonly name: string;
  /** BT-56: the contact at a company; null for sellers. */
  readonly contact: string | null;
  /** BT-29, BT-46: an identifier that is neither a company nor a tax registration. */
  readonly identifier: Identifier | null;
  /** BT-30, BT-47 */
  readonly legalId: Identifier | null;
  /** BT-31, BT-48: with the prefix of its state. */
  readonly vatId: string | null;
  /** BT-32: the seller's number at its tax office. */
  readonly taxRegistration: string | null;
  /** BT-34, BT-49 */
  readonly electronicAddress: { readonly id: string; readonly scheme: string } | null;
  /** BG-5, BG-8 */
  readonly address: Address;
};

export type Address = {
  /** BT-35, BT-50 */
  readonly line1: string | null;
  /** BT-36, BT-51 */
  readonly line2: string | null;
  /** BT-37, BT-52 */
  readonly city: string | null;
  /** BT-38, BT-53 */
  readonly postalCode: string | null;
  /** BT-40, BT-55 */
  readonly country: string;
};

export type PaymentMeans = {
  /** BT-81, UNTDID 4461 */
  readonly code: string;
  /** BT-82 */
  readonly text: string;
  /** BT-83 */
  readonly remittance: string | null;
  /** BT-84 */
  readonly iban: string | null;
  /** BT-91 */
  readonly debitedIban: string | null;
};

/** A VAT category with its rate: null only if the category has none (O). */
export type VatCategory = { readonly code: VatCategoryCode; readonly rate: BasisPoints | null };

export type Charge = {
  /** BT-99 */
  readonly amount: Cents;
  /** BT-100 */
  readonly base: Cents;
  /** BT-101 */
  readonly percentage: BasisPoints;
  /** BT-102, BT-103 */
  readonly category: VatCategory;
  /** BT-104 */
  readonly reason: string;
};

export type Totals = {
  /** BT-106 */
  readonly lines: Cents;
  /** BT-108 */
  readonly charges: Cents;
  /** BT-109 */
  readonly withoutVat: Cents;
  /** BT-110 */
  readonly vat: Cents;
  /** BT-112 */
  readonly withVat: Cents;
  /** BT-113 */
  readonly paid: Cents;
  /** BT-115 */
  readonly due: Cents;
};

export type VatGroup = {
  /** BT-116 */
  readonly base: Cents;
  /** BT-117 */
  readonly tax: Cents;
  /** BT-118, BT-119 */
  readonly category: VatCategory;
  /** BT-120 */
  readonly reason: string | null;
  /** BT-121, of the list VATEX */
  readonly reasonCode: string | null;
};

export type Attachment = {
  /** BT-122 */
  readonly reference: string;
  /** BT-123 */
  readonly description: string;
  /** BT-124 */
  readonly url: string;
};

export type SemanticLine = {
  /** BT-126 */
  readonly id: string;
  /** BT-129: an exact decimal. */
  readonly quantity: string;
  /** BT-130, UN/ECE Rec 20 or 21 */
  readonly unit: string;
  /** BT-131 */
  readonly amount: Cents;
  /** BT-146: an exact decimal, never negative (BR-27). */
  readonly price: string;
  /** BT-149: the number of units that the price is for; null for one. */
  readonly priceQuantity: string | null;
  /** BT-151, BT-152 */
  readonly category: VatCategory;
  /** BT-153 */
  readonly name: string;
  /** BT-155 */
  readonly sku: string | null;
};
