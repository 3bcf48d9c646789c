import { z } from 'zod';
import { column } from '../../../ground/db/rows.ts';
import { TIME_ZONES } from '../../../ground/lib/calendar.ts';
import { extensionColumns } from '../../extensions/columns.ts';
import { TAX_ID_TYPES } from '../../tax-ids/types.ts';
import { EXEMPTIONS, OPERATION_CLASSES, TAX_TYPES } from '../../taxes/types.ts';
import type { InvoiceView, RecordSummary, RecordView, SealedLine, TaxItemView } from '../view.ts';

/** What the statements of `read.ts` return. Instants and days are texts in it. */

const text = z.string();
const orNull = text.nullable();

export const invoice = z.object({
  environment_id: column.whole,
  id: text,
  series_id: text,
  number: text,
  type: z.enum(['complete', 'simplified']),
  kind: z.enum(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange']),
  currency: z.literal('eur'),
  subtotal: column.whole,
  tax: column.whole,
  total: column.whole,
  issued_at: text,
  issued_on: column.day,
  operation_on: column.day.nullable(),
  external_id: orNull,
  external_customer_id: orNull,
  integration_id: orNull,
  order_id: orNull,
  notes: orNull,
  recipient_name: orNull,
  recipient_company_name: orNull,
  recipient_given_name: orNull,
  recipient_surnames: orNull,
  recipient_tax_id: orNull,
  recipient_tax_id_type: z.enum(TAX_ID_TYPES).nullable(),
  recipient_tax_id_country: orNull,
  recipient_email: orNull,
  recipient_line1: orNull,
  recipient_line2: orNull,
  recipient_postal_code: orNull,
  recipient_city: orNull,
  recipient_country: orNull,
  rectifies_id: orNull,
  rectifies_ids: z.array(text).nullable(),
  rectification_reason: z
    .enum(['correction', 'insolvency', 'uncollectible', 'other', 'volume_discount'])
    .nullable(),
  external_number: orNull,
  external_issued_on: column.day.nullable(),
  rectified_operation_on: column.day.nullable(),
  rectified_from: column.day.nullable(),
  rectified_to: column.day.nullable(),
  imported_at: orNull,
  issuer_nif: text,
  ...extensionColumns.shape,
}) satisfies z.ZodType<InvoiceView['invoice']>;

export const line = z.object({
  id: text,
  description: text,
  sku: orNull,
  quantity: column.whole,
  unit_amount: column.whole,
  subtotal: column.whole,
  tax: column.whole,
  total: column.whole,
  quantity_decimal: orNull,
  unit_amount_decimal: orNull,
  unit_amount_gross: column.whole.nullable(),
  unit: orNull,
  rectifies_invoice_id: orNull,
}) satisfies z.ZodType<SealedLine>;

export const taxItem = z.object({
  line_position: column.whole,
  type: z.enum(TAX_TYPES),
  name: text,
  rate_basis_points: column.whole,
  amount: column.whole,
  regime_key: orNull,
  operation_class: z.enum(OPERATION_CLASSES).nullable(),
  exemption: z.enum(EXEMPTIONS).nullable(),
}) satisfies z.ZodType<TaxItemView>;

export const recordSummary = z.object({
  kind: z.enum(['registration', 'cancellation']),
  fingerprint: text,
  status: z.enum(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
  error_code: orNull,
  error_message: orNull,
}) satisfies z.ZodType<RecordSummary>;

export const wholeRecord = recordSummary.extend({
  id: text,
  environment_id: column.whole,
  chain_id: column.whole,
  position: column.whole,
  invoice_id: text,
  previous_fingerprint: orNull,
  generated_at: text,
  xml: text,
  attempts: column.whole,
  parked_reason: orNull,
  receipt: orNull,
  settled_at: orNull,
  submission_id: orNull,
}) satisfies z.ZodType<RecordView>;

/** The columns of a record that change. */
export const RECORD_STATE: ReadonlySet<string> = new Set([
  ...['status', 'error_code', 'error_message', 'attempts', 'parked_reason'],
  ...['receipt', 'settled_at', 'submission_id'],
]);

export const owner = z.object({
  environment: z.enum(['test', 'live']),
  companyId: text,
  clockAheadMs: column.whole,
  timeZone: z.enum(TIME_ZONES),
});

export const account = z.object({
  holderId: orNull,
  payable: column.whole,
  paid: column.whole,
  dueOn: column.day.nullable(),
});

/** An invoice with all related rows. */
export const currentInvoice = <Rec extends z.ZodType>(record: Rec) =>
  z.object({
    ...{ invoice, owner, account: account.nullable() },
    lines: z.array(line),
    taxItems: z.array(taxItem),
    records: z.array(record),
    voided: z.boolean(),
    metadata: z.record(text, text).nullable(),
    rectifiedBy: z.array(text),
    exchanges: z.array(text),
    exchangedBy: orNull,
  });

/** What belongs to an invoice: rows of other tables in one JSON array, and null for none. */
export const related = z.object({
  rows: z.array(z.unknown()),
  ...{ voided: z.boolean(), metadata: z.record(text, text).nullable() },
  ...{ rectifiedBy: z.array(text).nullable(), exchanges: z.array(text).nullable(), exchangedBy: orNull },
});
