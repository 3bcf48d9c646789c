import { canonicalJson } from './canonical.ts';

/**
 * How a column is written in the canonical form: as its JSON value; a day as `YYYY-MM-DD`; an instant in UTC with
 * milliseconds; bytes in lower-case hexadecimal digits.
 */
type Kind = 'value' | 'day' | 'instant' | 'bytes';

/** The columns of a table that its content hashes cover, in the order in which they are written. */
export type Form = {
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly kind: Kind; readonly label: string }[];
};

/**
 * The columns of a row. Null columns are omitted, so a column added by a later version does not change the hashes of
 * existing rows.
 */
function form(table: string, columns: Readonly<Record<string, Kind>>): Form {
  return {
    table,
    columns: Object.keys(columns)
      .sort()
      .map((name) => ({ name, kind: columns[name]!, label: `${JSON.stringify(name)}:` })),
  };
}

const values = (...names: string[]): Record<string, Kind> =>
  Object.fromEntries(names.map((name) => [name, 'value']));

/** What is known of an invoice before the transaction that issues it, given the columns of its extensions. */
export const invoiceBody = (extensions: Readonly<Record<string, Kind>>): Form =>
  form('invoice', { ...INVOICE, ...extensions });

const INVOICE: Readonly<Record<string, Kind>> = {
  ...values('id', 'series_id', 'type', 'kind', 'currency', 'subtotal', 'tax', 'total', 'external_id'),
  ...values('external_customer_id', 'integration_id', 'order_id', 'notes', 'recipient_name'),
  ...values(
    'recipient_company_name',
    'recipient_given_name',
    'recipient_surnames',
    'recipient_tax_id',
    'recipient_tax_id_type',
    'recipient_tax_id_country',
  ),
  ...values('recipient_email', 'recipient_line1', 'recipient_line2', 'recipient_postal_code'),
  ...values('recipient_city', 'recipient_country', 'recipient_evidence', 'issuer', 'breakdown'),
  ...values(
    'rectifies_id',
    'rectifies_ids',
    'rectification_reason',
    'external_number',
    'rectified_base',
    'rectified_tax',
  ),
  ...values('rectified_surcharge', 'issued_with', 'reverses_id', 'imported', 'request_digest'),
  operation_on: 'day',
  external_issued_on: 'day',
  rectified_operation_on: 'day',
  rectified_from: 'day',
  rectified_to: 'day',
  imported_at: 'instant',
};

/** What the transaction that issues an invoice adds to it. */
export const INVOICE_STAMP = form('invoice', {
  ...values('number', 'series_year', 'series_number'),
  issued_at: 'instant',
  issued_on: 'day',
});

export const INVOICE_LINE = form('invoice_line', {
  ...values('position', 'id', 'description', 'sku', 'quantity', 'unit_amount', 'subtotal', 'tax', 'total'),
  ...values('quantity_decimal', 'unit_amount_decimal', 'unit_amount_gross', 'unit', 'rectifies_invoice_id'),
});

export const TAX_ITEM = form('tax_item', {
  ...values('line_position', 'position', 'type', 'name', 'rate_basis_points', 'amount', 'regime_key'),
  ...values('operation_class', 'exemption', 'classified'),
});

/** The canonical form contains the SHA-256 of the XML, so that a proof can be checked without the XML. */
export const REGISTRATION_RECORD = form('registration_record', {
  ...values('id', 'chain_id', 'position', 'kind', 'invoice_id', 'previous_record_id', 'previous_fingerprint'),
  ...values('fingerprint'),
  generated_at: 'instant',
});

export const INVOICE_VOID = form('invoice_void', {
  ...values('invoice_id', 'record_id', 'reason', 'voided_by'),
  voided_at: 'instant',
});

export const INVOICE_AMENDMENT = form('invoice_amendment', {
  ...values('invoice_id', 'record_id', 'recipient_name', 'recipient_tax_id', 'recipient_tax_id_type'),
  ...values('recipient_tax_id_country', 'description', 'breakdown', 'reason', 'amended_by'),
  amended_at: 'instant',
});

/** With the resulting balance of the payment account, as the event states it. */
export const INVOICE_PAYMENT = form('invoice_payment', {
  ...values('id', 'invoice_id', 'amount', 'means', 'reference', 'recorded_by', 'account_payable'),
  ...values('account_paid'),
  paid_on: 'day',
  recorded_at: 'instant',
});

export const INVOICE_PAYMENT_REMOVAL = form('invoice_payment_removal', {
  ...values('payment_id', 'invoice_id', 'removed_by', 'account_payable', 'account_paid'),
  removed_at: 'instant',
});

/** An e-mail as it was requested; what became of it is in the entries themselves. */
export const INVOICE_EMAIL = form('invoice_email', {
  ...values('id', 'invoice_id', 'kind', 'reminder', 'recipients', 'message', 'language', 'formats'),
  ...values('message_id', 'requested_by'),
  requested_at: 'instant',
});

/** Columns that no longer change once a record is decided. */
export const RECORD_STATE = form('record_state', {
  ...values('record_id', 'status', 'error_code', 'error_message', 'receipt', 'submission_id'),
  settled_at: 'instant',
});

export const NUMBER_SERIES = form('number_series', {
  ...values('id', 'prefix', 'type', 'yearly', 'imported'),
  created_at: 'instant',
});

export const AUDIT_ENTRY = form('audit_entry', {
  ...values('id', 'environment_id', 'actor', 'action', 'subject', 'reason', 'details'),
  at: 'instant',
});

export const ENVIRONMENT_AUDIT_ENTRY = form('environment_audit_entry', {
  ...values('id', 'actor', 'action', 'subject', 'reason', 'details'),
  at: 'instant',
});

export const COUNTER_JUMP = form('counter_jump', {
  ...values('environment_id', 'series_id', 'year', 'from_number', 'to_number', 'chain_id'),
  jumped_at: 'instant',
});

export const SOFTWARE_DECLARATION = form('software_declaration', {
  ...values('version', 'sha256', 'text'),
  first_run_at: 'instant',
});

export const BRANDING = form('branding', {
  ...values('id', 'language', 'accent_colour', 'logo_type', 'logo_width', 'logo_height'),
  logo: 'bytes',
  created_at: 'instant',
});

/** A row by column names: as it is about to be written, or as read with `selectList`. */
export type Row = Readonly<Record<string, unknown>>;

/** The canonical form of a row. */
export function rowText({ columns }: Form, row: Row): string {
  let text = '';
  for (const { name, kind, label } of columns) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    text += `${text === '' ? '' : ','}${label}${kind === 'value' ? valueText(value) : special(kind, value)}`;
  }
  return `{${text}}`;
}

function valueText(value: unknown): string {
  return typeof value === 'object' ? canonicalJson(value) : JSON.stringify(value);
}

function special(kind: Exclude<Kind, 'value'>, value: unknown): string {
  if (kind === 'bytes') return JSON.stringify((value as Buffer).toString('hex'));
  if (kind === 'day') return JSON.stringify(value);
  return JSON.stringify(
    value instanceof Date ? value.toISOString() : new Date(value as string).toISOString(),
  );
}

/**
 * The columns of the forms, for a SELECT from the table under that name; days as text, so that no time zone shifts them.
 */
export function selectList(alias: string, ...forms: readonly Form[]): string {
  return forms
    .flatMap(({ columns }) => columns)
    .map(({ name, kind }) => `${alias}.${name}${kind === 'day' ? `::text as ${name}` : ''}`)
    .join(', ');
}
