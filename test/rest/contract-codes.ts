/** The codes of the contract with their HTTP status (docs/contract.md#errors), as callers have them in their hands. */
export const CONTRACT_CODES: Readonly<Record<string, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  no_active_subscription: 402,
  aeat_mandate_not_approved: 403,
  customer_not_found: 404,
  invoice_not_found: 404,
  number_series_not_found: 404,
  customer_ambiguous: 409,
  external_id_already_used: 409,
  idempotency_conflict: 409,
  number_series_in_use: 409,
  number_series_numbering_collision: 409,
  number_series_prefix_taken: 409,
  download_link_expired: 410,
  downgrade_to_simplified_not_allowed: 422,
  external_reference_invalid: 422,
  external_reference_matches_existing_invoice: 422,
  family_balance_below_zero: 422,
  insufficient_recipient_data: 422,
  invalid_number_series: 422,
  invalid_recargo_equivalencia: 422,
  invalid_rectifies_reference: 422,
  invalid_tax_data: 422,
  invalid_tax_id: 422,
  invalid_tax_rate: 422,
  invoice_already_replaced: 422,
  invoice_already_voided: 422,
  invoice_has_live_canje: 422,
  invoice_is_canje: 422,
  invoice_not_family_tip: 422,
  invoice_not_rectifiable_at_aeat: 422,
  line_item_without_tax_items: 422,
  num_series_not_applicable_for_order_invoice: 422,
  reason_incompatible_with_recipient: 422,
  recipient_overrides_not_allowed_for_differences: 422,
  rectified_amounts_required_for_substitution: 422,
  rectified_invoice_not_found: 422,
  rectifying_series_invalid: 422,
  replacement_total_negative: 422,
  simplified_amount_exceeded: 422,
  simplified_incompatible_tax_type: 422,
  tax_id_type_country_mismatch: 422,
  upgrade_to_complete_not_allowed: 422,
  rate_limited: 429,
  internal_error: 500,
  invoice_pending_at_aeat: 503,
  recipient_changed_during_validation: 503,
  tax_id_validation_unavailable: 503,
};

/** Those that speak of HTTP and of permissions, for what the contract has no code for. */
export const FURTHER_CODES: Readonly<Record<string, number>> = {
  email_not_available: 422,
  recipient_email_missing: 422,
  forbidden: 403,
  format_not_applicable: 422,
  payment_exceeds_payable: 422,
  payment_not_found: 404,
  recipient_status_conflict: 409,
  recipient_status_not_applicable: 422,
  too_many_payments: 422,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  service_unavailable: 503,
};

/** Those of events and webhooks. */
export const EVENT_CODES: Readonly<Record<string, number>> = {
  event_not_found: 404,
  webhook_delivery_not_found: 404,
  webhook_endpoint_not_found: 404,
  webhook_endpoint_disabled: 409,
  webhook_endpoint_limit_reached: 409,
};

/** Those of batches. */
export const BATCH_CODES: Readonly<Record<string, number>> = { invoice_batch_not_found: 404 };

/** Our own, which the contract allows to appear: of operations that only GraphQL has. */
export const OWN_CODES: Readonly<Record<string, number>> = {
  amendment_needs_rectification: 422,
  approval_required: 409,
  nif_already_used: 409,
  integration_not_found: 404,
  token_expired: 401,
};
