import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of payments and statuses of an invoice. */
export const PAYMENT_LIMITS = {
  paymentsOfInvoice: {
    group: 'Database',
    value: 100,
    unit: 'items',
    bounds: 'Payments recorded for one invoice, removed ones included.',
    reason:
      'Monthly instalments for seven years, and some mistakes. All of them are shown with their invoice.',
    beyond: '422 `too_many_payments`',
  },
  recipientStatuses: {
    group: 'Database',
    value: 20,
    unit: 'items',
    bounds: 'Statuses of its recipient recorded for one invoice, withdrawn ones included.',
    reason: 'Usually there are one or two, and some mistakes. All of them are shown with their invoice.',
    beyond: '409 `recipient_status_conflict`',
  },
} as const satisfies Record<string, Limit>;
