import type { Code } from '../../src/ground/errors/catalogue.ts';
import * as examples from './examples.ts';
import { idOf, issued, keyHeader, operation, paging } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import type { Json } from './schemas.ts';

const invoiceId = idOf('invoice', examples.CORRECTED);
const paymentId = { ...idOf('payment', examples.payment.id), name: 'payment_id' };

/** In the order in which an invoice is checked. */
const recording: Code[] = [
  ...withBody,
  ...(['idempotency_conflict', 'invoice_not_found', 'invoice_already_voided'] as const),
  ...(['invoice_has_live_canje', 'invoice_already_replaced', 'too_many_payments'] as const),
  'payment_exceeds_payable',
];

const recordingStatus: Code[] = [
  ...withBody,
  ...(['idempotency_conflict', 'invoice_not_found', 'invoice_already_voided'] as const),
  ...(['invoice_already_replaced', 'recipient_status_not_applicable', 'recipient_status_conflict'] as const),
];

/** The operations on payments, by path and method. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of endpoints
export function paymentPaths({ refusals }: ReturnType<typeof refusalsAt>): Json {
  return {
    '/v1/invoices/{id}/payments': {
      get: operation(
        'listPayments',
        'Payments',
        'List the payments of an invoice',
        'Its own payments that have not been removed, in the order in which they were recorded. Needs the scope `read`.',
        {
          parameters: [invoiceId, ...paging],
          responses: {
            200: { description: 'A page', ...answered('PaymentPage', examples.paymentPage) },
            ...refusals('invoice_not_found'),
          },
        },
      ),
      post: operation(
        'recordPayment',
        'Payments',
        'Record a payment',
        'Records a payment of an invoice, or a refund if its total is negative. At most `amount_due`, which rectificativas change. The invoice itself does not change. Needs the scope `issue`.',
        {
          parameters: [invoiceId, keyHeader],
          requestBody: sent('PaymentRequest', examples.paymentRequests),
          responses: {
            201: { description: 'Recorded', headers: issued, ...answered('Payment', examples.payment) },
            ...refusals(...recording),
          },
        },
      ),
    },
    '/v1/invoices/{id}/business_statuses': {
      get: operation(
        'listBusinessStatuses',
        'Payments',
        'Payment statuses to report between businesses',
        'The statuses that the issuer has to report under Orden HAC/1028/2026, computed from the payments: settled, not paid, and their cancellations. Nothing is sent, because the public solution is not published yet. Empty for simplified invoices, for recipients without a Spanish tax id, and for invoices that are not payable. Needs the scope `read`.',
        {
          parameters: [invoiceId],
          responses: {
            200: {
              description: 'The statuses',
              ...answered('BusinessStatusList', examples.businessStatuses),
            },
            ...refusals('invoice_not_found'),
          },
        },
      ),
    },
    '/v1/invoices/{id}/recipient_statuses': {
      get: operation(
        'listRecipientStatuses',
        'Payments',
        'List the statuses reported by the recipient',
        'The recorded statuses: paid, rejected with its reason, or withdrawn. The last one counts. Needs the scope `read`.',
        {
          parameters: [invoiceId],
          responses: {
            200: {
              description: 'The statuses',
              ...answered('RecipientStatusList', examples.recipientStatuses),
            },
            ...refusals('invoice_not_found'),
          },
        },
      ),
      post: operation(
        'recordRecipientStatus',
        'Payments',
        'Record a status reported by the recipient',
        'For a complete invoice to a recipient with a Spanish tax id: that the recipient has paid or rejects the invoice, based on the published text of Orden HAC/1028/2026; `withdrawn` corrects a status recorded by mistake. It is added to the journal and announced by an event, and does not change payments. Nothing is sent. Needs the scope `issue`.',
        {
          parameters: [invoiceId, keyHeader],
          requestBody: sent('RecipientStatusRequest', examples.recipientStatusRequests),
          responses: {
            201: {
              description: 'Recorded',
              headers: issued,
              ...answered('RecipientStatus', examples.recipientStatus),
            },
            ...refusals(...recordingStatus),
          },
        },
      ),
    },
    '/v1/invoices/{id}/payments/{payment_id}': {
      get: operation(
        'retrievePayment',
        'Payments',
        'Read a payment',
        'A payment that has not been removed. Needs the scope `read`.',
        {
          parameters: [invoiceId, paymentId],
          responses: {
            200: { description: 'The payment', ...answered('Payment', examples.payment) },
            ...refusals('invoice_not_found', 'payment_not_found'),
          },
        },
      ),
      delete: operation(
        'removePayment',
        'Payments',
        'Remove a payment',
        'Removes a payment recorded by mistake; the journal keeps both facts. Removing it again has no effect. Needs the scope `issue`.',
        {
          parameters: [invoiceId, paymentId],
          responses: {
            204: { description: 'Removed' },
            ...refusals(...withBody, 'invoice_not_found', 'payment_not_found'),
          },
        },
      ),
    },
  };
}
