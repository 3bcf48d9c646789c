import { type Code, catalogue, codes } from '../../src/ground/errors/catalogue.ts';

/** Operations on an issued invoice: getting a format of it, or sending it. */
const OF_ISSUED: readonly Code[] = [
  'payment_exceeds_payable',
  'too_many_payments',
  'recipient_status_not_applicable',
  'format_not_applicable',
  'email_not_available',
  'recipient_email_missing',
];

/** The refusals of issuing an invoice. */
export const ISSUING: readonly Code[] = [
  ...(['no_active_subscription', 'aeat_mandate_not_approved', 'external_id_already_used'] as const),
  ...(['integration_not_found', 'customer_ambiguous'] as const),
  ...codes.filter((code) => catalogue[code].status === 422 && !OF_ISSUED.includes(code)),
  'tax_id_validation_unavailable',
];

/** Those of a rectificativa in addition. */
export const CORRECTING: readonly Code[] = ['invoice_pending_at_aeat', 'recipient_changed_during_validation'];
