import type { Code } from './catalogue.ts';
import { type Outcome, Refusal } from './refusal.ts';

/** Which field of an operation's request a refusal concerns, by its code, in the operation's spelling. */
export type Fields = Readonly<Partial<Record<Code, string>>>;

const RECIPIENT: Fields = {
  invalid_tax_id: 'recipient.taxId',
  insufficient_recipient_data: 'recipient',
  tax_id_type_country_mismatch: 'recipient.taxIdCountry',
  tax_id_validation_unavailable: 'recipient.taxId',
};

const INVOICE: Fields = {
  ...RECIPIENT,
  idempotency_conflict: 'idempotencyKey',
  customer_ambiguous: 'integrationId',
  integration_not_found: 'integrationId',
  external_id_already_used: 'externalId',
  invalid_number_series: 'numberSeriesId',
  invalid_recargo_equivalencia: 'recargoEquivalencia',
  invalid_tax_data: 'lineItems',
  invalid_tax_rate: 'lineItems',
  simplified_amount_exceeded: 'lineItems',
  simplified_incompatible_tax_type: 'lineItems',
};

const RECTIFICATION: Fields = {
  ...INVOICE,
  rectifying_series_invalid: 'numberSeriesId',
  num_series_not_applicable_for_order_invoice: 'numberSeriesId',
  invalid_rectifies_reference: 'rectifies',
  rectified_invoice_not_found: 'rectifies.invoiceId',
  // The refusal itself names the part that is wrong; this field is for the documentation.
  external_reference_invalid: 'rectifies.external.number',
  external_reference_matches_existing_invoice: 'rectifies.external.number',
  rectified_amounts_required_for_substitution: 'rectifies.external.rectifiedAmounts',
  downgrade_to_simplified_not_allowed: 'type',
  upgrade_to_complete_not_allowed: 'type',
  recipient_overrides_not_allowed_for_differences: 'recipient',
  reason_incompatible_with_recipient: 'rectifies.reason',
  line_item_without_tax_items: 'lineItems',
  family_balance_below_zero: 'lineItems',
  replacement_total_negative: 'lineItems',
};

/** The refusals because of the state of the corrected invoice; they name the field that refers to it. */
const STATES = [
  'invoice_already_replaced',
  'invoice_already_voided',
  'invoice_has_live_canje',
  'invoice_is_canje',
  'invoice_not_family_tip',
  'invoice_not_rectifiable_at_aeat',
  'invoice_pending_at_aeat',
  'recipient_changed_during_validation',
] as const satisfies readonly Code[];

const ofState = (field: string): Fields => Object.fromEntries(STATES.map((code) => [code, field]));

/** Refusals of a rectificativa of an invoice that was issued here. */
export const LINKED: Fields = { ...RECTIFICATION, ...ofState('rectifies.invoiceId') };
const EXTERNAL: Fields = { ...RECTIFICATION, ...ofState('rectifies.external') };

const SEVERAL: Fields = {
  ...RECTIFICATION,
  ...ofState('rectifies.invoiceIds'),
  rectified_invoice_not_found: 'rectifies.invoiceIds',
};

/** Refusals of issuing and validating an invoice. */
export function fieldsOfInvoice(
  rectifies: { readonly external?: unknown; readonly invoiceIds?: unknown } | undefined,
): Fields {
  if (rectifies === undefined) return INVOICE;
  if (rectifies.invoiceIds !== undefined) return SEVERAL;
  return rectifies.external === undefined ? LINKED : EXTERNAL;
}

export const ORDER: Fields = INVOICE;

/** Refusals of exchanging simplified invoices for a complete one. */
export const EXCHANGE: Fields = {
  ...RECIPIENT,
  ...ofState('ticketIds'),
  idempotency_conflict: 'idempotencyKey',
  invoice_not_found: 'ticketIds',
  external_id_already_used: 'externalId',
};

/** Refusals of correcting an exchange: the state concerns what identifies the exchange invoice, in REST the path. */
export const EXCHANGE_CORRECTION: Fields = {
  ...RECIPIENT,
  idempotency_conflict: 'idempotencyKey',
  external_id_already_used: 'externalId',
  family_balance_below_zero: 'lineItems',
  invalid_tax_data: 'lineItems',
  invalid_tax_rate: 'lineItems',
  line_item_without_tax_items: 'lineItems',
};

export const NUMBER_SERIES: Fields = {
  idempotency_conflict: 'idempotencyKey',
  number_series_numbering_collision: 'prefix',
  number_series_prefix_taken: 'prefix',
};

/** Refusals of sending an invoice. */
export const SENDING: Fields = {
  idempotency_conflict: 'idempotencyKey',
  recipient_email_missing: 'to',
};

/** An error in the state of the invoice itself concerns what identifies it: in REST, the path. */
export const PAYMENT: Fields = {
  idempotency_conflict: 'idempotencyKey',
  payment_exceeds_payable: 'amount',
};

export const RECIPIENT_STATUS: Fields = {
  idempotency_conflict: 'idempotencyKey',
  recipient_status_conflict: 'status',
};

export const PORTAL_SESSION: Fields = {
  customer_ambiguous: 'integrationId',
  customer_not_found: 'externalCustomerId',
  integration_not_found: 'integrationId',
};

export const TAX_ID: Fields = {
  tax_id_type_country_mismatch: 'taxIdCountry',
  tax_id_validation_unavailable: 'taxId',
};

export const COMPANY: Fields = {
  invalid_tax_id: 'legalName',
  tax_id_validation_unavailable: 'legalName',
  nif_already_used: 'nif',
  number_series_prefix_taken: 'series',
  number_series_numbering_collision: 'series',
};

/** The outcome; a refusal that names no field gets the one that it concerns, as in validation. */
export function withFieldsOf<T>(fields: Fields, outcome: Outcome<T>): Outcome<T> {
  if (!(outcome instanceof Refusal) || outcome.errors.length > 0) return outcome;
  const field = fields[outcome.code];
  return field === undefined ? outcome : outcome.about(field);
}
