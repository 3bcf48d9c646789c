/**
 * What the issuer of an invoice between businesses has to say of its payment (Orden HAC/1028/2026, Annex II, as it is quoted before its
 * schema is published): SETTLEMENT, CANCELSETTLEMENT, DEFAULT and CANCELDEFAULT. There are none of a part.
 */
export const BUSINESS_STATUSES = [
  'settled',
  'settlement_cancelled',
  'not_paid',
  'not_paid_cancelled',
] as const;

/**
 * What the recipient of one has said of it: that it has paid, or that it rejects the invoice (the same Annex). The Order has
 * no cancellation of either; `withdrawn` is ours, for what was recorded wrongly or is not upheld.
 */
export const RECIPIENT_STATUSES = ['paid', 'rejected', 'withdrawn'] as const;

/** The events of statuses, by the status that each tells. */
export const STATUS_EVENTS = {
  paid: 'invoice.recipient_paid',
  rejected: 'invoice.recipient_rejected',
  withdrawn: 'invoice.recipient_status_withdrawn',
} as const satisfies Record<(typeof RECIPIENT_STATUSES)[number], string>;
