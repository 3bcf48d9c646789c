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
