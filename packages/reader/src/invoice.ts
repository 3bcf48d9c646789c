/**
 * A foreign invoice as parsed: the terms of EN 16931 that a document of any of the formats can have, with their
 * original texts. Amounts and quantities are decimal texts; missing terms are null. Nothing is validated.
 */
export type ReadInvoice = {
  /** BT-24 */
  readonly specification: string | null;
  /** BT-1 */
  readonly number: string | null;
  /** BT-2 */
  readonly issuedOn: string | null;
  /** BT-3; in Facturae the invoice class. */
  readonly typeCode: string | null;
  readonly isCreditNote: boolean;
  /** BT-5 */
  readonly currency: string | null;
  /** BT-9 */
  readonly dueOn: string | null;
  /** BT-20 */
  readonly paymentTerms: string | null;
  /** BT-10 to BT-13 */
  readonly references: ReadReferences;
  /** BT-22 */
  readonly notes: readonly string[];
  /** BG-3 */
  readonly preceding: readonly { readonly number: string | null; readonly issuedOn: string | null }[];
  readonly seller: ReadParty;
  readonly buyer: ReadParty;
  /** BT-72, BT-80 */
  readonly delivery: { readonly on: string | null; readonly country: string | null };
  /** BG-14 */
  readonly period: ReadPeriod | null;
  /** BG-16 */
  readonly payment: readonly ReadPayment[];
  /** BG-20, BG-21 */
  readonly adjustments: readonly ReadAdjustment[];
  readonly totals: ReadTotals;
  /** BG-23 */
  readonly taxes: readonly ReadTax[];
  /** Taxes withheld by the buyer, which EN 16931 does not have. */
  readonly withheld: readonly ReadTax[];
  /** BG-24 */
  readonly attachments: readonly ReadAttachment[];
  /** BG-25 */
  readonly lines: readonly ReadLine[];
};

export type ReadReferences = Readonly<
  Record<'buyerReference' | 'project' | 'contract' | 'purchaseOrder', string | null>
>;

export type ReadPeriod = { readonly from: string | null; readonly to: string | null };

export type ReadIdentifier = { readonly id: string; readonly scheme: string | null };

export type ReadParty = {
  /** BT-27, BT-44 */
  readonly name: string | null;
  /** BT-31, BT-48; in Facturae its tax identification. */
  readonly vatId: string | null;
  /** BT-32 */
  readonly taxRegistration: string | null;
  /** BT-30, BT-47 */
  readonly legalId: ReadIdentifier | null;
  /** BT-29, BT-46 */
  readonly identifiers: readonly ReadIdentifier[];
  /** BT-34, BT-49 */
  readonly electronicAddress: ReadIdentifier | null;
  /** BG-5, BG-8 */
  readonly address: ReadAddress | null;
};

export type ReadAddress = {
  readonly lines: readonly string[];
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly country: string | null;
};

export type ReadPayment = {
  /** BT-81 */
  readonly code: string | null;
  /** BT-82 */
  readonly text: string | null;
  /** BT-83 */
  readonly remittance: string | null;
  /** BT-84 */
  readonly account: string | null;
  readonly dueOn: string | null;
  readonly amount: string | null;
};

export type ReadAdjustment = {
  readonly isCharge: boolean;
  readonly amount: string | null;
  readonly base: string | null;
  readonly percentage: string | null;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly category: string | null;
  readonly rate: string | null;
};

export type ReadTotals = {
  /** BT-106 */
  readonly lines: string | null;
  /** BT-107 */
  readonly allowances: string | null;
  /** BT-108 */
  readonly charges: string | null;
  /** BT-109 */
  readonly withoutVat: string | null;
  /** BT-110 */
  readonly vat: string | null;
  /** BT-112 */
  readonly withVat: string | null;
  /** BT-113 */
  readonly paid: string | null;
  /** BT-114 */
  readonly rounding: string | null;
  /** Only for formats with such a term. */
  readonly withheld: string | null;
  /** BT-115 */
  readonly due: string | null;
};

export type ReadTax = {
  /** BT-118; in Facturae the code of the tax. */
  readonly category: string | null;
  /** BT-119 */
  readonly rate: string | null;
  /** BT-116 */
  readonly base: string | null;
  /** BT-117 */
  readonly tax: string | null;
  /** The equivalence surcharge, for formats with such a term. */
  readonly surcharge: { readonly rate: string | null; readonly tax: string | null } | null;
  /** BT-120 */
  readonly reason: string | null;
  /** BT-121 */
  readonly reasonCode: string | null;
};

export type ReadAttachment = {
  readonly reference: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly filename: string | null;
  readonly mediaType: string | null;
};

export type ReadLine = {
  /** BT-126 */
  readonly id: string | null;
  /** BT-129 */
  readonly quantity: string | null;
  /** BT-130 */
  readonly unit: string | null;
  /** BT-131 */
  readonly amount: string | null;
  /** BT-146 */
  readonly price: string | null;
  /** BT-148 */
  readonly grossPrice: string | null;
  /** BT-149 */
  readonly priceQuantity: string | null;
  /** BT-151 */
  readonly category: string | null;
  /** BT-152 */
  readonly rate: string | null;
  /** BT-153 */
  readonly name: string | null;
  /** BT-154 */
  readonly description: string | null;
  /** BT-155 */
  readonly sku: string | null;
  /** BG-26 */
  readonly period: ReadPeriod | null;
  /** BG-27, BG-28 */
  readonly adjustments: readonly ReadAdjustment[];
};
