/**
 * The statuses that the issuer of an invoice between businesses reports on its payment (Orden HAC/1028/2026, Annex
 * II, as quoted before its schema is published): SETTLEMENT, CANCELSETTLEMENT, DEFAULT and CANCELDEFAULT. There are
 * none for partial payments.
 */
export const BUSINESS_STATUSES = [
  'settled',
  'settlement_cancelled',
  'not_paid',
  'not_paid_cancelled',
] as const;

/**
 * The statuses that its recipient reports: it has paid, or it rejects the invoice (the same Annex). The Order has
 * no cancellation of either; `withdrawn` is our addition, for statuses recorded by mistake or no longer upheld.
 */
export const RECIPIENT_STATUSES = ['paid', 'rejected', 'withdrawn'] as const;

/** The event types of statuses. */
export const STATUS_EVENTS = {
  paid: 'invoice.recipient_paid',
  rejected: 'invoice.recipient_rejected',
  withdrawn: 'invoice.recipient_status_withdrawn',
} as const satisfies Record<(typeof RECIPIENT_STATUSES)[number], string>;
