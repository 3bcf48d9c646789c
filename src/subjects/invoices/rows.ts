import type { Day } from '../../ground/lib/calendar.ts';
import type { RecordRow } from '../chain/tail.ts';
import type { ExtensionColumns } from '../extensions/columns.ts';
import type { TaxIdType } from '../tax-ids/types.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';
import type { Exemption, OperationClass, TaxType } from '../taxes/types.ts';
import type { Metadata } from './metadata-request.ts';

/** The due day. An answer that was stored before the field existed does not have it. */
export const dueOnOf = (columns: Partial<ExtensionColumns>): Day | null => columns.due_date ?? null;

/** Whether an invoice that is issued now states when or how it is to be paid. */
export const hasPaymentTerms = ({ due_date, payment }: InvoiceRow): boolean =>
  due_date !== null || payment !== null;

/** SQL: an invoice states neither. The index `invoice_without_terms` has this condition. */
export const NO_PAYMENT_TERMS = 'due_date is null and payment is null';

/**
 * An invoice as stored, with the column names of its tables. These rows are inserted, stored in the answer of an
 * idempotency key, and read back by `IssuedInvoice`: one shape for the same facts.
 */
export type InvoiceRow = {
  id: string;
  environment_id: number;
  series_id: string;
  series_year: number;
  series_number: number;
  number: string;
  type: 'complete' | 'simplified';
  kind: 'original' | 'rectifying_differences' | 'rectifying_substitution' | 'exchange';
  currency: 'eur';
  subtotal: number;
  tax: number;
  total: number;
  issued_at: string;
  issued_on: Day;
  operation_on: Day | null;
  external_id: string | null;
  request_digest: string | null;
  external_customer_id: string | null;
  integration_id: string | null;
  order_id: string | null;
  notes: string | null;
  recipient_name: string | null;
  recipient_company_name: string | null;
  recipient_given_name: string | null;
  recipient_surnames: string | null;
  recipient_tax_id: string | null;
  recipient_tax_id_type: TaxIdType | null;
  recipient_tax_id_country: string | null;
  recipient_email: string | null;
  recipient_line1: string | null;
  recipient_line2: string | null;
  recipient_postal_code: string | null;
  recipient_city: string | null;
  recipient_country: string | null;
  recipient_evidence: object | null;
  issuer: IssuerSnapshot;
  breakdown: readonly TaxDetail[];
  rectifies_id: string | null;
  /** The invoices that it corrects if they are several; `rectifies_id` is then the first of them. */
  rectifies_ids: readonly string[] | null;
  rectification_reason: 'correction' | 'insolvency' | 'uncollectible' | 'other' | 'volume_discount' | null;
  external_number: string | null;
  external_issued_on: Day | null;
  /** The day of the operation that was invoiced elsewhere and that it corrects: declared, and decisive for the rates. */
  rectified_operation_on: Day | null;
  /** The days whose sales a volume discount reduces. */
  rectified_from: Day | null;
  rectified_to: Day | null;
  rectified_base: number | null;
  rectified_tax: number | null;
  rectified_surcharge: number | null;
  /** The first of the invoices that one request issued, on each of them: they are voided together. */
  issued_with: string | null;
  /** The exchange invoice that this one takes back. */
  reverses_id: string | null;
  imported: false;
  imported_at: null;
} & ExtensionColumns;

/** The issuer as it was on the issue day. */
export type IssuerSnapshot = {
  readonly nif: string;
  readonly legalName: string;
  /** The parts of a natural person's name; absent unless they were stated. */
  readonly givenName?: string | undefined;
  readonly surnames?: string | undefined;
  readonly line1: string;
  readonly line2: string | null;
  readonly postalCode: string;
  readonly city: string;
  readonly country: string;
};

export type LineRow = {
  environment_id: number;
  invoice_id: string;
  position: number;
  id: string;
  description: string;
  sku: string | null;
  quantity: number;
  unit_amount: number;
  subtotal: number;
  tax: number;
  total: number;
  /** In a correction of several invoices the one whose total it changes; absent otherwise. */
  rectifies_invoice_id?: string | null;
} & LineTermsColumns;

/** Set for a line with a decimal quantity, a price with decimals or including taxes, or a unit of measure. */
type LineTermsColumns = {
  quantity_decimal: string | null;
  unit_amount_decimal: string | null;
  unit_amount_gross: number | null;
  unit: string | null;
};

export type TaxItemRow = {
  environment_id: number;
  invoice_id: string;
  line_position: number;
  position: number;
  type: TaxType;
  name: string;
  rate_basis_points: number;
  amount: number;
} & Partial<TaxItemClassification>;

/** What the line says of its classification; and on every line of an invoice of which one does, how it is declared (`classifiedAs`). */
type TaxItemClassification = {
  regime_key: string | null | undefined;
  operation_class: OperationClass | null | undefined;
  exemption: Exemption | null | undefined;
  classified: string | null | undefined;
};

/** The columns that are known only in the transaction: everything else of an invoice row is prepared before. */
type StampedColumn = 'number' | 'series_year' | 'series_number' | 'issued_at' | 'issued_on';

export type UnnumberedInvoiceRow = Omit<InvoiceRow, StampedColumn>;

/** A complete invoice as stored: the source of the answer, now and when it is replayed. */
export type StoredInvoice = {
  readonly invoice: InvoiceRow;
  readonly lines: readonly LineRow[];
  readonly taxItems: readonly TaxItemRow[];
  readonly record: RecordRow;
  readonly metadata: Metadata | null;
  /** The state of the registration at the time of issue. */
  readonly registration: 'pending' | 'registered';
};
