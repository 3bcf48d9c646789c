import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Code, catalogue, codes, entryOf } from '../../src/ground/errors/catalogue.ts';
import { EXAMPLES } from '../../src/ground/errors/examples.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { PROTOCOLS } from '../support/http/protocols.ts';
import { BATCH_CODES, CONTRACT_CODES, EVENT_CODES, FURTHER_CODES, OWN_CODES } from './contract-codes.ts';
import { DRAFT_CODES, draftCodes } from './draft-codes.ts';
import { graphqlCodes, ordinaryCodes } from './ordinary-codes.ts';
import { newSetup } from './provocations.ts';
import { rectificationCodes } from './rectification-codes.ts';

const PROMISED = {
  ...{ ...CONTRACT_CODES, ...FURTHER_CODES, ...EVENT_CODES, ...BATCH_CODES, ...DRAFT_CODES },
  ...OWN_CODES,
};
const OVER_BOTH = { ...ordinaryCodes, ...rectificationCodes, ...draftCodes };

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '3' });
});
afterAll(() => service.close());

test('the catalogue has the codes that were promised, each with its status, and no others', () => {
  const statuses = Object.fromEntries(codes.map((code) => [code, catalogue[code].status]));
  expect(statuses).toEqual(PROMISED);
});

test('every code is provoked over both protocols, unless only one has the operation', () => {
  expect(Object.keys({ ...OVER_BOTH, ...graphqlCodes }).sort()).toEqual([...codes].sort());
  expect(Object.keys(graphqlCodes).sort()).toEqual(Object.keys(OWN_CODES).sort());
});

test('a temporary refusal has the time to retry, and frees its idempotency key', () => {
  for (const code of codes) {
    const { status, retryAfter, key } = entryOf(code);
    expect({ code, waits: retryAfter !== undefined }).toEqual({ code, waits: [429, 503].includes(status) });
    const isGate = status === 402 || code === 'aeat_mandate_not_approved';
    if (status === 503 || isGate) expect({ code, key }).toEqual({ code, key: 'released' });
    if (status === 400 || status === 401 || code === 'forbidden')
      expect({ code, key }).toEqual({ code, key: 'unused' });
    if (status === 422) expect({ code, key }).toEqual({ code, key: 'stored' });
  }
});

/** What a refusal says, whatever the day, the id and the limit. */
const unnumbered = (detail: string) => detail.replace(/inv_\w+/g, 'inv_').replace(/\d+/g, '0');

/** Business refusals name the field that they concern in errors[], as validation does: by code, in REST's spelling. */
const CONCERNED: Readonly<Record<string, RegExp>> = {
  amendment_needs_rectification: /^recipient\.(taxId|tax_id)$/,
  customer_ambiguous: /^integration_id$/,
  customer_not_found: /^external_customer_id$/,
  downgrade_to_simplified_not_allowed: /^type$/,
  upgrade_to_complete_not_allowed: /^type$/,
  external_id_already_used: /^external_id$/,
  external_reference_invalid: /^rectifies\.external\.number$/,
  external_reference_matches_existing_invoice: /^rectifies\.external\.number$/,
  family_balance_below_zero: /^line_items$/,
  format_not_applicable: /^BT-44$/,
  idempotency_conflict: /^Idempotency-Key$/,
  insufficient_recipient_data: /^recipient\.(name|company_name|tax_id|tax_id_country|address\.country)$/,
  invalid_number_series: /^number_series_id$/,
  invalid_recargo_equivalencia: /^line_items\[0\]\.tax_items(\[0\]\.type)?$/,
  invalid_rectifies_reference: /^rectifies$/,
  invalid_tax_data: /^line_items\[0\]\.tax_items$/,
  invalid_tax_id: /^recipient\.tax_id$/,
  invalid_tax_rate: /^line_items\[0\]\.tax_items\[0\]\.rate$/,
  invoice_already_replaced: /^rectifies\.invoice_id$/,
  invoice_already_voided: /^rectifies\.invoice_id$/,
  invoice_has_live_canje: /^rectifies\.invoice_id$/,
  invoice_is_canje: /^rectifies\.invoice_id$/,
  invoice_not_family_tip: /^rectifies\.invoice_id$/,
  invoice_not_rectifiable_at_aeat: /^rectifies\.invoice_id$/,
  invoice_pending_at_aeat: /^rectifies\.invoice_id$/,
  line_item_without_tax_items: /^line_items\[0\]\.tax_items$/,
  nif_already_used: /^nif$/,
  num_series_not_applicable_for_order_invoice: /^number_series_id$/,
  number_series_numbering_collision: /^prefix$/,
  number_series_prefix_taken: /^prefix$/,
  payment_exceeds_payable: /^amount$/,
  reason_incompatible_with_recipient: /^rectifies\.reason$/,
  recipient_email_missing: /^to$/,
  recipient_status_conflict: /^status$/,
  recipient_changed_during_validation: /^rectifies\.invoice_id$/,
  recipient_overrides_not_allowed_for_differences: /^recipient$/,
  rectified_amounts_required_for_substitution: /^rectifies\.external\.rectified_amounts$/,
  rectified_invoice_not_found: /^rectifies\.invoice_id$/,
  rectifying_series_invalid: /^number_series_id$/,
  replacement_total_negative: /^line_items$/,
  simplified_amount_exceeded: /^line_items$/,
  simplified_incompatible_tax_type: /^line_items\[0\]\.tax_items$/,
  tax_id_type_country_mismatch: /^(recipient\.)?tax_id_country$/,
  tax_id_validation_unavailable: /^(recipient\.)?tax_id$/,
};

/** What is refused although nothing that was sent could be otherwise: it names no field. */
const OF_NO_FIELD: Readonly<Record<string, string>> = {
  unauthorized: 'the key',
  token_expired: 'the token',
  no_active_subscription: 'the account',
  aeat_mandate_not_approved: 'the company',
  forbidden: 'what the key may do; of a token, its scopes',
  not_found: 'the route',
  method_not_allowed: 'the route',
  invoice_not_found: 'the path',
  number_series_not_found: 'the path',
  payment_not_found: 'the path',
  recipient_status_not_applicable: 'the invoice that the path names',
  too_many_payments: 'the invoice that the path names',
  event_not_found: 'the path',
  invoice_batch_not_found: 'the path',
  invoice_schedule_not_found: 'the path',
  invoice_schedule_ended: 'the schedule that the path names',
  invoice_schedule_limit_reached: 'how many there are',
  test_clock_not_available: 'the environment of the key',
  invoice_draft_not_found: 'the path',
  invoice_draft_already_issued: 'the draft that the path names',
  invoice_draft_changed: 'the draft that the path names',
  conflict: 'the draft that the path names',
  invoice_draft_limit_reached: 'how many there are',
  webhook_endpoint_not_found: 'the path',
  webhook_delivery_not_found: 'the path',
  download_link_expired: 'the link',
  email_not_available: 'the installation',
  approval_required: 'who asked',
  number_series_in_use: 'the series that the path names',
  webhook_endpoint_disabled: 'the endpoint that the path names',
  webhook_endpoint_limit_reached: 'how many there are',
  payload_too_large: 'the body',
  unsupported_media_type: 'the body',
  rate_limited: 'how much was asked',
  internal_error: 'nothing that was sent',
  service_unavailable: 'nothing that was sent',
};

test('every refusal of a business rule names the field that it concerns', () => {
  // Of `invalid_request` each fault names its own; `integration_not_found` is of orders, which GraphQL has.
  const documented = new Set([
    ...Object.keys(CONCERNED),
    ...Object.keys(OF_NO_FIELD),
    'invalid_request',
    'integration_not_found',
  ]);
  const ofRules = codes.filter((code) => [409, 410, 422].includes(catalogue[code].status));
  expect(ofRules.filter((code) => !documented.has(code))).toEqual([]);
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  const provocations = Object.entries(protocol === 'GraphQL' ? { ...OVER_BOTH, ...graphqlCodes } : OVER_BOTH);
  test.each(provocations)('%s', async (code, provoke) => {
    const reply = await provoke(await newSetup(service, protocol));
    expect(reply).toMatchObject({ code, status: PROMISED[code] });
    expect(reply.detail).not.toBe('');
    if (protocol === 'REST') expect(unnumbered(reply.detail)).toBe(unnumbered(EXAMPLES[code as Code].detail));
    const concerned = CONCERNED[code];
    if (concerned !== undefined) {
      const [fault = ' ', ...more] = reply.faults;
      const [field = '', reason] = fault.split(' ');
      expect(field).toMatch(concerned);
      expect([reason || code, more]).toEqual([code, []]);
    } else if (OF_NO_FIELD[code] !== undefined) expect(reply.faults).toEqual([]);
    expect(reply.retryAfter !== null).toBe(entryOf(code as (typeof codes)[number]).retryAfter !== undefined);
  });
});
