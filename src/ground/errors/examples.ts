import { snakePath } from '../lib/case.ts';
import type { Code } from './catalogue.ts';
import { type Fields, LINKED, NUMBER_SERIES, PAYMENT, PORTAL_SESSION, SENDING, TAX_ID } from './fields.ts';
import { OTHER_ENVIRONMENT } from './hints.ts';
import type { FieldIssue } from './refusal.ts';

type Example = { readonly detail: string; readonly errors: readonly FieldIssue[] };

const withDetail = (detail: string): Example => ({ detail, errors: [] });

const SAID: Readonly<Record<Code, Example>> = {
  aeat_mandate_not_approved: withDetail(
    'The company has not approved the tax agency representation mandate.',
  ),
  amendment_needs_rectification: withDetail(
    'The amendment names another tax id than invoice F-2026-1 prints: the agency holds no record of it, so void it (its cancellation is declared with SinRegistroPrevio) and issue a new invoice.',
  ),
  approval_required: withDetail(
    'Another operator has to approve apr_01a1f9050ca870eba1b8eea9332891a7; then repeat the same call.',
  ),
  customer_ambiguous: withDetail('The environment has several integrations: integration_id is required.'),
  customer_not_found: withDetail('No customer of this external_customer_id exists in the environment.'),
  downgrade_to_simplified_not_allowed: withDetail('Invoice F-2026-1 is complete.'),
  download_link_expired: withDetail('The link was altered.'),
  email_not_available: withDetail('This installation sends no e-mail.'),
  external_id_already_used: withDetail(
    'The external_id is already used by invoice inv_01a1f9050ca870eba1b8eea9332891a7.',
  ),
  external_reference_invalid: withDetail(
    'The external reference is malformed: number holds one of " \' < > =, which the tax agency does not take.',
  ),
  external_reference_matches_existing_invoice: withDetail(
    'Number F-2026-1 is that of an invoice issued here: refer to it by invoice_id.',
  ),
  family_balance_below_zero: withDetail('The differences exceed the amount that is in force.'),
  format_not_applicable: {
    detail: 'EN 16931, BT-44: the invoice names no buyer.',
    errors: [
      {
        field: 'BT-44',
        code: 'format_not_applicable',
        message: 'EN 16931, BT-44: the invoice names no buyer.',
      },
    ],
  },
  idempotency_conflict: withDetail(
    'The idempotency key belongs to another request, or to one that has not ended.',
  ),
  insufficient_recipient_data: withDetail(
    'The recipient cannot be declared to the agency: its name must have 2 to 100 characters.',
  ),
  integration_not_found: withDetail('No integration of this id exists in the environment.'),
  internal_error: withDetail('Something failed unexpectedly. Nothing was persisted.'),
  invalid_number_series: withDetail('The number series is not a standard series.'),
  invalid_recargo_equivalencia: withDetail(
    'Line 1: with recargo_equivalencia it must carry exactly one vat tax whose rate has a surcharge.',
  ),
  invalid_rectifies_reference: withDetail(
    'Name in one way what is corrected: invoice_id, external, invoice_ids or period.',
  ),
  invalid_request: {
    detail: 'line_items must have at least 1 element.',
    errors: [{ field: 'line_items', code: 'too_small', message: 'must have at least 1 element' }],
  },
  invalid_tax_data: withDetail('Line 1: 4 % of 0.01 rounds to no tax at all.'),
  invalid_tax_id: withDetail(
    "The recipient's tax id 12345678A is malformed: it is not a Spanish NIF with its right control character.",
  ),
  invalid_tax_rate: withDetail('Line 1: vat takes one of 0, 4, 10, 21 on 2026-11-20.'),
  invoice_already_replaced: withDetail('Invoice F-2026-1 was replaced by a substitution.'),
  invoice_already_voided: withDetail('Invoice F-2026-1 is voided.'),
  invoice_has_live_canje: withDetail('Invoice F-2026-1 was exchanged for a complete one.'),
  invoice_is_canje: withDetail('Invoice F-2026-2 is an exchange invoice.'),
  invoice_not_family_tip: withDetail('Invoice F-2026-1 was already corrected.'),
  invoice_not_found: withDetail('No invoice of this id exists in the environment.'),
  invoice_not_rectifiable_at_aeat: withDetail('Invoice F-2026-1 is not registered at the tax agency.'),
  invoice_pending_at_aeat: withDetail('Invoice F-2026-1 is still being registered.'),
  line_item_without_tax_items: withDetail('Line 1: every line of a rectificativa declares its tax.'),
  method_not_allowed: withDetail('PUT is not allowed here. It takes GET, HEAD, POST.'),
  no_active_subscription: withDetail('The account has no active subscription.'),
  not_found: withDetail('No such route. /docs/api lists what there is.'),
  num_series_not_applicable_for_order_invoice: withDetail(
    "Invoice F-2026-1 came from an order: its rectificativa takes the integration's series.",
  ),
  nif_already_used: withDetail(
    'NIF B72877814 is that of the company co_01a1f9050ca870eba1b8eea9332891a7. A new company of this NIF must say which one it succeeds.',
  ),
  number_series_in_use: withDetail('The series F is in use.'),
  number_series_not_found: withDetail('No number series of this id exists in the environment.'),
  number_series_numbering_collision: withDetail('Numbers of F-2026 could equal those of the series F.'),
  number_series_prefix_taken: withDetail('The prefix F is taken.'),
  payload_too_large: withDetail('The body is larger than 1 MiB.'),
  payment_exceeds_payable: withDetail('2000 cents of invoice F-2026-1 are left to be paid.'),
  payment_not_found: withDetail('No payment of this id was recorded of the invoice.'),
  rate_limited: withDetail('At most 60 requests a minute.'),
  reason_incompatible_with_recipient: withDetail(
    'Reason insolvency admits recipients with es_nif, eu_vat, not_registered only.',
  ),
  recipient_changed_during_validation: withDetail(
    'The recipient of the corrected invoice was amended while the request was validated.',
  ),
  recipient_email_missing: withDetail('Invoice F-2026-1 names no e-mail address: send `to`.'),
  recipient_status_conflict: withDetail(
    'Of invoice F-2026-1 no status of its recipient counts that could be withdrawn.',
  ),
  recipient_status_not_applicable: withDetail(
    'Invoice F-2026-1 is no complete invoice for a recipient with a Spanish tax id.',
  ),
  recipient_overrides_not_allowed_for_differences: withDetail(
    'A differences rectificativa inherits its recipient.',
  ),
  rectified_amounts_required_for_substitution: withDetail(
    'A substitution of an invoice issued elsewhere needs rectified_amounts.',
  ),
  rectified_invoice_not_found: withDetail('No invoice of this id exists in the environment.'),
  rectifying_series_invalid: withDetail('The number series is not a rectifying series.'),
  replacement_total_negative: withDetail('The net total of a substitution cannot be negative.'),
  service_unavailable: withDetail(
    'Issuing is held for this company until its records have been compared with those of the tax agency.',
  ),
  simplified_amount_exceeded: withDetail(
    'A simplified invoice is capped at 3000.00 EUR including tax (by law at 400.00 EUR outside the activities of RD 1619/2012 art. 4.2); this one comes to 3100.00.',
  ),
  simplified_incompatible_tax_type: withDetail(
    'Line 1: es_inversion_sujeto_pasivo needs an identified recipient.',
  ),
  tax_id_type_country_mismatch: withDetail('A tax id of type es_nif is of ES, not of FR.'),
  tax_id_validation_unavailable: withDetail(
    'The tax agency’s census does not answer. Nothing was stored; retry later.',
  ),
  forbidden: withDetail('This needs the scope `issue`; the key has `read`.'),
  unauthorized: withDetail(
    'The API key is missing, malformed, expired or revoked. Send the header `Authorization: Bearer <key>`.',
  ),
  token_expired: withDetail(
    'The access token has expired: request another one, and continue with `Last-Event-ID`.',
  ),
  unsupported_media_type: withDetail('Send application/json.'),
  too_many_payments: withDetail('Of invoice F-2026-1 100 payments were recorded.'),
  upgrade_to_complete_not_allowed: withDetail('Invoice F-2026-1 is simplified.'),
  event_not_found: withDetail('No event of this id exists in the environment.'),
  webhook_delivery_not_found: withDetail('No webhook delivery of this id exists in the environment.'),
  invoice_schedule_ended: withDetail('The schedule has ended; create another one.'),
  invoice_schedule_limit_reached: withDetail(
    'An environment has at most 2000 schedules that have not ended.',
  ),
  invoice_schedule_not_found: withDetail('No invoice schedule of this id exists in the environment.'),
  test_clock_not_available: withDetail('A live environment has no other time than the real one.'),
  invoice_draft_already_issued: withDetail('The draft was issued; correct the invoice instead.'),
  invoice_draft_changed: withDetail('The draft was changed meanwhile; nothing was done.'),
  conflict: withDetail('The draft was changed since it was read; nothing was done.'),
  invoice_draft_limit_reached: withDetail('An environment has at most 2000 open drafts.'),
  invoice_draft_not_found: withDetail('No invoice draft of this id exists in the environment.'),
  webhook_endpoint_disabled: withDetail('The webhook endpoint is disabled; enable it first.'),
  webhook_endpoint_limit_reached: withDetail('An environment has at most 20 webhook endpoints.'),
  invoice_batch_not_found: withDetail('No invoice batch of this id exists in the environment.'),
  webhook_endpoint_not_found: withDetail('No webhook endpoint of this id exists in the environment.'),
};

/** Fields, as REST spells them, of the operations that most often return the code. */
const CONCERNED: Fields = {
  ...TAX_ID,
  ...SENDING,
  ...PORTAL_SESSION,
  ...NUMBER_SERIES,
  ...PAYMENT,
  ...LINKED,
};
const RENAMED: Readonly<Record<string, string>> = { idempotencyKey: 'Idempotency-Key' };

function withField([code, { detail: said, errors }]: [string, Example]): [string, Example] {
  const detail = /._not_found$/.test(code) ? `${said} ${OTHER_ENVIRONMENT}` : said;
  const field = CONCERNED[code as Code];
  if (field === undefined || errors.length > 0) return [code, { detail, errors }];
  const wireName = RENAMED[field] ?? snakePath(field);
  return [code, { detail, errors: [{ field: wireName, code, message: said }] }];
}

/**
 * What an answer with each code contains, as in an answer that was provoked: for the page of errors and the OpenAPI
 * document.
 */
export const EXAMPLES = Object.fromEntries(Object.entries(SAID).map(withField)) as Readonly<
  Record<Code, Example>
>;
