import type { Day } from '../../../ground/lib/calendar.ts';
import type { BasisPoints, Cents } from '../../../ground/lib/money.ts';
import type { PrintedRecipient } from '../../documents/content.ts';
import type { Disbursement } from '../../extensions/disbursements.ts';
import type { IssuerSnapshot } from '../../invoices/rows.ts';
import type { TaxDetail } from '../../taxes/breakdown.ts';

/** The source of a Facturae document: the sealed invoice, without changing state. */
export type FacturaeSource = {
  readonly environment: 'test' | 'live';
  readonly type: 'complete' | 'simplified';
  readonly kind: 'original' | 'rectifying_differences' | 'rectifying_substitution' | 'exchange';
  readonly number: string;
  /** ISO 639-1, of the document. */
  readonly language: string;
  readonly issuedOn: Day;
  /** Null when the operation took place on the day of issue. */
  readonly operationOn: Day | null;
  readonly dueOn: Day | null;
  readonly issuer: IssuerSnapshot;
  readonly issuedBy: 'recipient' | 'third_party' | null;
  readonly recipient: PrintedRecipient | null;
  readonly lines: readonly SourceLine[];
  readonly breakdown: readonly SourceTax[];
  readonly subtotal: Cents;
  /** With the equivalence surcharge. */
  readonly tax: Cents;
  readonly total: Cents;
  readonly withholding: SourceWithholding | null;
  readonly disbursements: readonly Disbursement[];
  readonly payment: SourcePayment | null;
  readonly references: SourceReferences;
  readonly delivery: { readonly from: Day; readonly to: Day } | null;
  readonly notes: string | null;
  readonly rectification: SourceRectification | null;
  /** The simplified invoices that this one, of kind `exchange`, replaces. */
  readonly exchanged: readonly { readonly number: string; readonly issuedOn: Day }[];
  readonly imported: boolean;
  readonly voidedOn: Day | null;
  /** The URL at which the agency verifies the invoice; null without a record. */
  readonly qrUrl: string | null;
};

export type SourceLine = {
  readonly description: string;
  readonly sku: string | null;
  /** Decimal texts, in euros and in units. */
  readonly quantity: string;
  readonly unitPrice: string;
  /** UN/ECE Recommendation 20. */
  readonly unit: string | null;
  readonly subtotal: Cents;
  readonly tax: {
    readonly type: string;
    readonly rate: BasisPoints;
    readonly amount: Cents;
    readonly classified?: string | null | undefined;
  };
  readonly surcharge: { readonly rate: BasisPoints; readonly amount: Cents } | null;
};

/** The declared classification of a tax of the invoice. */
export type SourceTax = Pick<
  TaxDetail,
  'type' | 'agencyTax' | 'regimeKey' | 'operationClass' | 'exemption' | 'legalMention'
>;

export type SourceWithholding = { readonly rate: BasisPoints; readonly base: Cents; readonly amount: Cents };

export type SourcePayment = {
  readonly means: 'transfer' | 'direct_debit' | 'card' | 'cash' | 'other';
  readonly iban: string | null;
  readonly reference: string | null;
  readonly terms: string | null;
};

export type SourceReferences = {
  readonly purchaseOrder: string | null;
  readonly buyerReference: string | null;
  readonly contract: string | null;
  readonly project: string | null;
};

export type SourceRectification = {
  /** The corrected documents: the one that states the whole operation, then the corrections in force since. */
  readonly corrected: readonly CorrectedInvoice[];
  readonly reason: 'correction' | 'insolvency' | 'uncollectible' | 'other' | 'volume_discount' | null;
  /** The days whose sales a volume discount reduces; it corrects no invoice. */
  readonly period?: { readonly from: Day; readonly to: Day } | null;
};

export type CorrectedInvoice = {
  readonly number: string;
  readonly issuedOn: Day;
  /** Null when it took place on the issue day, or is not known. */
  readonly operationOn: Day | null;
};
