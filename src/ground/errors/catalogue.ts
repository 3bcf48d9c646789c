import { DRAFT_CATALOGUE } from './draft-catalogue.ts';
import { type Entry, refused } from './entry.ts';
import { PAYMENT_CATALOGUE } from './payment-catalogue.ts';

/**
 * Every code that a caller can receive. This table determines the HTTP status, `Retry-After`, what happens to an
 * idempotency key, the page /docs/errors and the OpenAPI document. Meanings are for readers of the documentation; the
 * `detail` that a caller receives is written where the request is refused.
 */
export const catalogue = {
  invalid_request: {
    status: 400,
    key: 'unused',
    meaning: 'A field, parameter or header is missing, unknown, of the wrong type or out of range.',
    remediation:
      'Read `errors`: each entry names the field and the rule. Correct the request and send it again, with the same key if you like.',
  },
  unauthorized: {
    status: 401,
    key: 'unused',
    meaning: 'The API key or access token is missing, malformed, unknown, expired or revoked.',
    remediation: 'Send `Authorization: Bearer <key>` with a valid key.',
  },
  token_expired: {
    status: 401,
    key: 'unused',
    meaning: 'The access token of a subscription has expired.',
    remediation: 'Request another access token and subscribe with it, with `Last-Event-ID` to miss nothing.',
  },
  no_active_subscription: {
    status: 402,
    key: 'released',
    meaning: 'Live issuing and validation need an active subscription.',
    remediation:
      'Activate the subscription of the account, then retry with the same key. Test keys are exempt.',
  },
  aeat_mandate_not_approved: {
    status: 403,
    key: 'released',
    meaning:
      'The company has not approved the representation mandate, or its live onboarding is not finished.',
    remediation:
      'Finish both, then retry with the same key. Waiting alone does not help. Test keys are exempt.',
  },
  forbidden: {
    status: 403,
    key: 'unused',
    meaning:
      'The key is valid but lacks a scope or a role, must not be used in browsers, or would issue for a company that another one has succeeded or that has given up VERI*FACTU.',
    remediation:
      'Read `detail`: it names what is missing. Use a key that has it, or ask an operator for one.',
  },
  not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No such route.',
    remediation: 'Compare the path with the reference: every endpoint is under /v1.',
  },
  customer_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No customer with that external_customer_id exists in the environment.',
    remediation:
      'Check the id and the environment of the key; the integration must have created the customer before.',
  },
  integration_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No integration with that id exists in the environment.',
    remediation: 'Check the id and the environment of the key.',
  },
  invoice_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No invoice with that id exists in the environment of the key.',
    remediation: 'Check the id (it is case-sensitive) and whether the key belongs to the right environment.',
  },
  number_series_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No number series with that id exists in the environment of the key.',
    remediation: 'List the series with GET /v1/number_series and take the id from there.',
  },
  event_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No event with that id is kept in the environment of the key; events are kept for 90 days.',
    remediation:
      'List the events with GET /v1/events. Older changes can be read from the invoices themselves.',
  },
  invoice_batch_not_found: {
    status: 404,
    key: 'unused',
    meaning:
      'No invoice batch with that id exists in the environment of the key; batches are kept for 30 days.',
    remediation:
      'Take the id from the answer that accepted the batch. What it issued is found by `external_id` with GET /v1/invoices.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No webhook endpoint with that id exists in the environment of the key.',
    remediation: 'List the endpoints with GET /v1/webhook_endpoints and take the id from there.',
  },
  webhook_delivery_not_found: {
    status: 404,
    key: 'unused',
    meaning:
      'No webhook delivery with that id exists in the environment of the key; deliveries are kept for 30 days.',
    remediation:
      'List the deliveries of an endpoint with GET /v1/webhook_endpoints/{id}/deliveries and take the id from there.',
  },
  method_not_allowed: {
    status: 405,
    key: 'unused',
    meaning: 'The route exists, but not for this method.',
    remediation:
      'The `Allow` header lists the methods of the route. Invoices cannot be changed: correct them with a rectificativa.',
  },
  approval_required: {
    status: 409,
    key: 'released',
    meaning:
      'The installation lets operators do this only with the approval of another operator. Nothing was changed; the request for it is recorded.',
    remediation:
      'Have another operator approve the request that `detail` names (`giveApproval`, `lacre approvals approve`, or the console), then repeat the same call, with the same reason, within a day.',
  },
  customer_ambiguous: {
    status: 409,
    key: 'unused',
    meaning: 'The environment has more than one integration, so the customer id alone is not enough.',
    remediation: 'Send `integration_id` too.',
  },
  external_id_already_used: {
    status: 409,
    key: 'stored',
    meaning:
      'An invoice of the environment already carries this external_id. It remains used permanently, even after the invoice is voided.',
    remediation:
      'Your earlier request succeeded: read the invoice that `detail` names. For a new invoice choose a new value.',
  },
  idempotency_conflict: {
    status: 409,
    key: 'unused',
    meaning:
      'The idempotency key was used with another body, or its first request is still running or ended in an unknown state.',
    remediation:
      'Wait and retry with the same body. If it persists: with an external_id, retry under a fresh key; without one, look the invoice up with GET /v1/invoices first.',
  },
  nif_already_used: {
    status: 409,
    key: 'unused',
    meaning: 'Another company of the installation has this NIF.',
    remediation:
      'Use that company. If a new one really replaces it, an operator declares this with `succeeds`.',
  },
  number_series_in_use: {
    status: 409,
    key: 'stored',
    meaning: 'The series has invoices, is a default, or is used by an integration.',
    remediation: 'It cannot be deleted. Create another series and use that from now on.',
  },
  number_series_numbering_collision: {
    status: 409,
    key: 'stored',
    meaning:
      'Numbers of this series could equal those of another series (`F` yearly and `F-2026` both produce F-2026-1) or of an imported invoice.',
    remediation:
      'Choose a prefix that does not end in a hyphen and four digits and is not the beginning of an imported number.',
  },
  number_series_prefix_taken: {
    status: 409,
    key: 'stored',
    meaning: 'Another series of the environment has this prefix (compared without white space and case).',
    remediation: 'Use that series, or choose another prefix.',
  },
  download_link_expired: {
    status: 410,
    key: 'unused',
    meaning: 'The signed link has expired or was altered.',
    remediation: 'Read the invoice again, or create a new link with GET /v1/invoices/{id}/download.',
  },
  payload_too_large: {
    status: 413,
    key: 'unused',
    meaning: 'The body is larger than 1 MiB.',
    remediation: 'Send at most 500 lines; valid requests are far below the limit.',
  },
  unsupported_media_type: {
    status: 415,
    key: 'unused',
    meaning: 'The body is not declared as JSON in UTF-8.',
    remediation: 'Send `Content-Type: application/json`.',
  },
  webhook_endpoint_limit_reached: {
    status: 409,
    key: 'unused',
    meaning: 'The environment has the maximum number of webhook endpoints.',
    remediation: 'Delete an unused endpoint; a single endpoint can receive all events.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    key: 'unused',
    meaning:
      'The webhook endpoint is disabled: by hand, because it answered 410, or after five days without a success.',
    remediation:
      'Find the reason in its deliveries, enable it with PATCH /v1/webhook_endpoints/{id} and `status` `active`, and repeat.',
  },
  format_not_applicable: refused(
    'The requested structured format cannot express this invoice.',
    'Read `detail`: it names the term of the format that lacks a value. The guide to structured invoices lists what each format needs; the PDF is always available.',
  ),
  amendment_needs_rectification: refused(
    'The amendment would declare another recipient, other taxes or other amounts than the invoice prints.',
    'Correct a registered invoice with a rectificativa. Void one whose record was rejected, and issue a new one.',
  ),
  downgrade_to_simplified_not_allowed: refused(
    'A simplified rectificativa of a complete invoice.',
    'Send `type` complete.',
  ),
  external_reference_invalid: refused(
    'The reference to an invoice issued elsewhere is malformed.',
    'Give its number (1 to 60 printable characters, none of " \' < > =) and `issued_on`, an existing day not in the future.',
  ),
  external_reference_matches_existing_invoice: refused(
    'The external number is that of an invoice issued here.',
    'Refer to it by `invoice_id`.',
  ),
  family_balance_below_zero: refused(
    'The differences reduce the total of the corrected invoice to below zero.',
    'Credit at most the balance in force; read the invoice and its `rectified_by` first.',
  ),
  insufficient_recipient_data: refused(
    'The recipient cannot be declared to the agency: that takes a fiscal name of 2 to 100 characters and a country that it knows.',
    'Send the full fiscal name and the ISO country code of the recipient.',
  ),
  invalid_number_series: refused(
    'The series is unknown in the environment, malformed, or a rectifying series on an ordinary invoice.',
    'Name a standard series of the environment, or leave the field out for the default.',
  ),
  invalid_recargo_equivalencia: refused(
    'With recargo_equivalencia every line must carry exactly one vat tax of 21, 10 or 4 %; the surcharge itself is never sent.',
    'Send vat lines without surcharge and the flag; the surcharge is added by the service.',
  ),
  invalid_rectifies_reference: refused(
    '`rectifies` must say in exactly one way what is corrected: invoice_id, external, invoice_ids or period; or what it names cannot be corrected so.',
    'Read `detail`, and send exactly one of them.',
  ),
  invalid_tax_data: refused(
    'The agency would reject this combination of taxes or amounts, or the tax is not classified in the company’s catalog.',
    'Read `detail`. If the catalog is incomplete, have it completed and retry with a new key.',
  ),
  invalid_tax_id: refused(
    'The tax id is malformed, or it is not in its register (for a Spanish NIF: together with the fiscal name).',
    'Correct the id or the name as the census has it: of a person, surnames first (`GARCIA LOPEZ ANA`). A person outside the census can be invoiced as `not_registered`.',
  ),
  invalid_tax_rate: refused(
    'The rate is not in force for this tax today, is missing for a tax that has rates, or was sent for one that has none.',
    'Send a rate in force: vat accepts 0, 4, 10 and 21.',
  ),
  invoice_already_replaced: refused(
    'The invoice was replaced in full by a substitution.',
    'Correct the substitution instead: it is in `rectified_by`.',
  ),
  invoice_already_voided: refused('The invoice is voided: legally it never existed.', 'Issue a new invoice.'),
  invoice_has_live_canje: refused(
    'The simplified invoice was exchanged for a complete one.',
    'It can be corrected again once that exchange invoice is voided.',
  ),
  invoice_is_canje: refused(
    'An exchange invoice is not corrected by a rectificativa.',
    'Void it and exchange again, or ask an operator.',
  ),
  invoice_not_family_tip: refused(
    'The invoice was already corrected; only the last link of its chain can be rectified.',
    'Rectify the last live invoice of `rectified_by`.',
  ),
  invoice_not_rectifiable_at_aeat: refused(
    'The agency does not hold the invoice: its registration was rejected, skipped or never happened.',
    'Have the record amended and registered first, or, if the invoice itself is wrong, void it and issue a new one.',
  ),
  line_item_without_tax_items: refused(
    'Every line of a rectificativa must declare its tax.',
    'Send `tax_items` on each line.',
  ),
  num_series_not_applicable_for_order_invoice: refused(
    'The corrected invoice came from an integration’s order; its rectificativa takes the integration’s series.',
    'Leave `number_series_id` out.',
  ),
  reason_incompatible_with_recipient: refused(
    'Insolvency admits a Spanish NIF, an EU VAT number or an unregistered recipient; uncollectible a Spanish NIF or an unregistered one.',
    'Use another reason, or correct the recipient’s identity.',
  ),
  recipient_overrides_not_allowed_for_differences: refused(
    'A differences rectificativa inherits its recipient.',
    'Leave `recipient` out, or use method substitution to restate it.',
  ),
  rectified_amounts_required_for_substitution: refused(
    'A substitution of an invoice issued elsewhere needs the amounts that it replaces.',
    'Send `rectified_amounts` with base, tax and, if any, surcharge, in cents.',
  ),
  rectified_invoice_not_found: refused(
    'No invoice of that id exists in the environment.',
    'Check `rectifies.invoice_id` and the environment of the key.',
  ),
  rectifying_series_invalid: refused(
    'The series of a rectificativa must be a rectifying one of the environment.',
    'Name a rectifying series, or leave the field out for the default.',
  ),
  replacement_total_negative: refused(
    'The net total of a substitution cannot be negative.',
    'Send the complete replacement, not the change; for a change use method differences.',
  ),
  simplified_amount_exceeded: refused(
    'A simplified invoice is capped at 3,000 EUR including tax (by law at 400 EUR outside the activities of RD 1619/2012 art. 4.2, which is not checked).',
    'Issue a complete invoice with an identified recipient.',
  ),
  simplified_incompatible_tax_type: refused(
    'The tax requires an identified recipient, which a simplified invoice does not have.',
    'Issue a complete invoice.',
  ),
  tax_id_type_country_mismatch: refused(
    '`tax_id_type` and `tax_id_country` contradict each other.',
    'es_nif and not_registered require ES, eu_vat the country of its prefix, and the others a country other than ES (a passport may be of any country).',
  ),
  upgrade_to_complete_not_allowed: refused(
    'A complete rectificativa of a simplified invoice.',
    'Send `type` simplified. A complete invoice in exchange for a simplified invoice is requested in the customer portal.',
  ),
  email_not_available: refused(
    'This installation sends no e-mail: it has no mail server.',
    'Send the document yourself (`pdf_url`), or have the operator set `SMTP_URL` and `EMAIL_FROM`.',
  ),
  recipient_email_missing: refused(
    'The invoice has no e-mail address of its recipient, and the request contains none.',
    'Send the address in `to`, and set `recipient.email` on future invoices.',
  ),
  rate_limited: {
    status: 429,
    key: 'unused',
    retryAfter: 60,
    meaning:
      'The key has used up its requests to a validate endpoint for this minute, the environment has used up its share of the process while others wait, or too many requests with invalid keys came from the address.',
    remediation:
      'Wait for the number of seconds in `Retry-After`. If there is a limit per minute, `RateLimit` states what remains of it.',
  },
  internal_error: {
    status: 500,
    key: 'released',
    meaning: 'An unexpected failure. Nothing was persisted.',
    remediation: 'Retry with backoff. If it persists, report the X-Request-Id.',
  },
  invoice_pending_at_aeat: {
    status: 503,
    key: 'released',
    retryAfter: 60,
    meaning: 'The invoice to correct is still being registered. Nothing was persisted.',
    remediation: 'Retry after `Retry-After` with the same key.',
  },
  recipient_changed_during_validation: {
    status: 503,
    key: 'released',
    retryAfter: 1,
    meaning:
      'The recipient of the corrected invoice changed while the request was being validated. Nothing was persisted.',
    remediation: 'Retry with the same key.',
  },
  service_unavailable: {
    status: 503,
    key: 'released',
    retryAfter: 5,
    meaning:
      'The service is shutting down, its database or document store is unavailable, the disk of its database is full (reads continue), issuing for the company is on hold after a restore, or the service is overloaded and the request took too long or could not be queued. Nothing was persisted.',
    remediation: 'Retry after `Retry-After`.',
  },
  tax_id_validation_unavailable: {
    status: 503,
    key: 'released',
    retryAfter: 30,
    meaning: 'The census or the EU VAT register does not answer. Nothing was persisted.',
    remediation: 'Retry after `Retry-After` with the same key. Ids of other types need no register.',
  },
  ...PAYMENT_CATALOGUE,
  ...DRAFT_CATALOGUE,
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof catalogue;

export const codes = Object.keys(catalogue) as Code[];

/** The entry of a code, with the same type for all codes. */
export function entryOf(code: Code): Entry {
  return catalogue[code];
}
