import { type Entry, refused } from './entry.ts';

/** The codes of payments and recipients' statuses; part of `catalogue`. */
export const PAYMENT_CATALOGUE = {
  payment_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No payment with that id is recorded for the invoice in the key’s environment.',
    remediation: 'Check the id, and that the key is of the environment in which the payment was recorded.',
  },
  recipient_status_conflict: {
    status: 409,
    key: 'stored',
    meaning:
      'The status contradicts those that count already: it repeats one, rejects an invoice that was reported as paid, or withdraws nothing. Or the invoice has the maximum number of statuses.',
    remediation:
      'Read the statuses of the invoice. To correct one that was recorded by mistake, withdraw it first, then record the right one with a new key.',
  },
  payment_exceeds_payable: refused(
    'The amount exceeds the amount due, or on a credit note the amount to be refunded.',
    'Read `amount_due` of the invoice: rectificativas and payments recorded meanwhile change it. Record at most that amount, with a new key.',
  ),
  too_many_payments: refused(
    'The invoice has the maximum number of payments, including removed ones.',
    'Record the rest as one payment of a rectificativa, or keep account of such small payments elsewhere.',
  ),
  recipient_status_not_applicable: refused(
    'Recipients report statuses only for complete invoices to a recipient with a Spanish tax id.',
    'Record payments as payments; for other invoices no statuses are exchanged between businesses.',
  ),
} as const satisfies Record<string, Entry>;
