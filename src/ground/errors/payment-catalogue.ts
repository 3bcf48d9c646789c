import { type Entry, refused } from './entry.ts';

/** The codes of payments, and of what recipients say; part of `catalogue`. */
export const PAYMENT_CATALOGUE = {
  payment_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No payment of that id was recorded of the invoice in the key’s environment.',
    remediation: 'Check the id, and that the key is of the environment in which the payment was recorded.',
  },
  recipient_status_conflict: {
    status: 409,
    key: 'stored',
    meaning:
      'What is to be recorded of the recipient does not follow from what counts already: the same once more, a rejection of what it said it has paid, or a withdrawal of nothing. Or as many were recorded as there may be.',
    remediation:
      'Read the statuses of the invoice. What was recorded wrongly is withdrawn first, and then recorded as it is, with a fresh key.',
  },
  payment_exceeds_payable: refused(
    'The amount exceeds the amount due, or on a credit note the amount to be refunded.',
    'Read `amount_due` of the invoice: rectificativas change it, and payments that were recorded meanwhile. Record at most that, with a fresh key.',
  ),
  too_many_payments: refused(
    'The invoice has the maximum number of payments, including removed ones.',
    'Record the rest as one payment of a rectificativa, or account for such small parts elsewhere.',
  ),
  recipient_status_not_applicable: refused(
    'A recipient says what became of a complete invoice for a recipient with a Spanish tax id, and of no other.',
    'Record what was paid as a payment; of other invoices nothing is to be said between businesses.',
  ),
} as const satisfies Record<string, Entry>;
