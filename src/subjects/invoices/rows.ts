import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import type { RecordRow } from '../chain/tail.ts';
import type { TaxIdType } from '../tax-ids/types.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';
import type { TaxType } from '../taxes/types.ts';
import type { Metadata } from './metadata-request.ts';
import { DOCUMENT_LANGUAGES, PAYMENT_MEANS } from './types.ts';

/**
 * The extensions of an invoice: columns that are null unless the request contained the field. Every statement that
 * reads invoices for an answer or a document uses this list; in JSON, days are texts.
 */
export const extensionColumns = z.object({
  due_date: column.day.nullable(),
  /** The three columns of a withholding are all set or all null. */
  withholding_rate: column.whole.nullable(),
  withholding_base: column.whole.nullable(),
  withholding_amount: column.whole.nullable(),
  payment: z
    .object({
      means: z.enum(PAYMENT_MEANS),
      ...{ iban: z.string().optional(), reference: z.string().optional(), terms: z.string().optional() },
    })
    .nullable(),
  language: z.enum(DOCUMENT_LANGUAGES).nullable(),
  references: z
    .object({
      ...{ purchase_order: z.string().optional(), buyer_reference: z.string().optional() },
      ...{ contract: z.string().optional(), project: z.string().optional() },
    })
    .nullable(),
  delivery: z.object({ from: column.day, to: column.day }).nullable(),
  /** True or null. */
  prices_include_tax: z.boolean().nullable(),
  /** The draft that it was issued from. */
  draft_id: z.string().nullable(),
});

export type ExtensionColumns = Readonly<z.output<typeof extensionColumns>>;

/** The due day. An answer that was stored before the field existed does not have it. */
export const dueOnOf = (columns: Partial<ExtensionColumns>): Day | null => columns.due_date ?? null;

/** SQL: an invoice states neither when nor how it is to be paid. The index `invoice_without_terms` has this condition. */
export const NO_PAYMENT_TERMS = 'due_date is null and payment is null';

/** An invoice without extensions. */
export const NO_EXTENSION_COLUMNS: ExtensionColumns = {
  ...{ due_date: null, withholding_rate: null, withholding_base: null, withholding_amount: null },
  payment: null,
  language: null,
  references: null,
  delivery: null,
  prices_include_tax: null,
  draft_id: null,
};

/** The extensions of a row with that alias, as one JSON object. */
export const extensionsOf = (alias: string): string =>
  `(select row_to_json(extensions) from (select ${extensionList(alias)}) as extensions)`;

/** The same as items of a SELECT list. */
const extensionList = (alias: string): string =>
  Object.keys(extensionColumns.shape)
    .map((name) => `${alias}.${name}`)
    .join(', ');

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
  rectification_reason: 'correction' | 'insolvency' | 'uncollectible' | 'other' | null;
  external_number: string | null;
  external_issued_on: Day | null;
  rectified_base: number | null;
  rectified_tax: number | null;
  rectified_surcharge: number | null;
  imported: false;
  imported_at: null;
} & ExtensionColumns;

/** The issuer as it was on the issue day. */
export type IssuerSnapshot = {
  readonly nif: string;
  readonly legalName: string;
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
