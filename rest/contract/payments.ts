import { z } from 'zod';
import { PAYMENT_MEANS } from '../../src/subjects/extensions/types.ts';
import { recipientStatusRequest } from '../../src/subjects/payments/recipient-status-request.ts';
import { isPaymentId, paymentRequest } from '../../src/subjects/payments/request.ts';
import { BUSINESS_STATUSES, RECIPIENT_STATUSES } from '../../src/subjects/payments/types.ts';
import { getPayment } from '../invoices.ts';
import { CORRECTED } from '../openapi/examples.ts';
import { amount, instant, nullableText, oneOf, text } from '../schema-parts.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

export const payment = z
  .strictObject({
    id: text.describe('An opaque id.'),
    amount: amount('More than 0; for an invoice with a negative total, the amount refunded.'),
    paid_on: z.iso.date().describe('The day on which it was paid.'),
    means: oneOf(PAYMENT_MEANS).nullable().describe('The means of payment; null if not stated.'),
    reference: nullableText.describe('Your own text; null without one.'),
    created_at: instant.describe('When it was recorded.'),
  })
  .meta({ id: 'Payment' });

const businessStatus = z
  .strictObject({
    status: oneOf(BUSINESS_STATUSES).describe('The format.'),
    on: z.iso
      .date()
      .nullable()
      .describe('Date of the payment; null if a correction of the invoice caused the status.'),
    recipient_tells_by: z.iso
      .date()
      .nullable()
      .describe(
        'For `settled`: the last day on which the recipient has to confirm the payment, four days later without weekends and national holidays; otherwise null.',
      ),
  })
  .meta({ id: 'BusinessStatus' });

export const recipientStatus = z
  .strictObject({
    status: oneOf(RECIPIENT_STATUSES).describe('The status.'),
    on: z.iso.date().describe('The day of the payment or rejection, or of its withdrawal.'),
    told_on: z.iso.date().describe('The day on which it reported this.'),
    told_by: z.iso
      .date()
      .nullable()
      .describe(
        'The last day to report it: four days after `on`, without weekends and national holidays; null for a withdrawal.',
      ),
    is_late: z.boolean().describe('Whether it was reported later.'),
    status_reason: nullableText.describe('The reason; null for a payment.'),
    created_at: instant.describe('When it was recorded.'),
  })
  .meta({ id: 'RecipientStatus' });

const businessStatusList = z
  .strictObject({ data: z.array(businessStatus).describe('In chronological order.') })
  .meta({ id: 'BusinessStatusList' });

const recipientStatusList = z
  .strictObject({
    data: z.array(recipientStatus).describe('In the order in which they were recorded; the last one counts.'),
  })
  .meta({ id: 'RecipientStatusList' });

const paymentExample = {
  id: 'pay_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9',
  amount: 6050,
  paid_on: '2026-11-20',
  means: 'transfer',
  reference: 'REF 4711',
  created_at: '2026-11-20T13:05:00.000Z',
};

const businessStatusListExample = {
  data: [
    { status: 'not_paid', on: '2026-12-01', recipient_tells_by: null },
    { status: 'not_paid_cancelled', on: '2026-12-03', recipient_tells_by: null },
    { status: 'settled', on: '2026-12-02', recipient_tells_by: '2026-12-09' },
  ],
};

export const recipientStatusExample = {
  status: 'rejected',
  on: '2026-11-20',
  told_on: '2026-11-20',
  told_by: '2026-11-26',
  is_late: false,
  status_reason: 'The goods did not arrive.',
  created_at: '2026-11-20T13:05:00.000Z',
};

const ids = { id: ['invoice', CORRECTED] } as const;

export const paymentOperations = operations('Payments', [
  {
    id: 'listPayments',
    method: 'GET',
    path: '/v1/invoices/{id}/payments',
    field: 'invoice.payments',
    summary: 'List the payments of an invoice',
    description:
      'Its own payments that have not been removed, in the order in which they were recorded. Needs the scope `read`.',
    ids,
    query: paging(isPaymentId, 'payment'),
    answer: listed('PaymentPage', payment, paymentExample, 'In the order in which they were recorded.'),
    codes: ['invoice_not_found'],
  },
  {
    id: 'recordPayment',
    method: 'POST',
    path: '/v1/invoices/{id}/payments',
    field: 'recordPayment.payment',
    renamed: { id: 'invoiceId' },
    summary: 'Record a payment',
    description:
      'Records a payment of an invoice, or a refund if its total is negative. At most `amount_due`, which rectificativas change. The invoice itself does not change. Needs the scope `issue`.',
    ids,
    isKeyed: true,
    body: {
      schema: paymentRequest,
      examples: {
        transfer: {
          summary: 'A partial payment by transfer',
          value: { amount: 6050, paid_on: '2026-11-20', means: 'transfer', reference: 'REF 4711' },
        },
        all: { summary: 'In cash', value: { amount: 6050, paid_on: '2026-11-20', means: 'cash' } },
      },
    },
    answer: { status: 201, description: 'Recorded', schema: payment, example: paymentExample },
    codes: [
      'invoice_not_found',
      'idempotency_conflict',
      'invoice_already_voided',
      'invoice_has_live_canje',
      'invoice_already_replaced',
      'too_many_payments',
      'payment_exceeds_payable',
    ],
  },
  {
    id: 'listBusinessStatuses',
    method: 'GET',
    path: '/v1/invoices/{id}/business_statuses',
    field: 'invoice.businessStatuses',
    summary: 'Payment statuses to report between businesses',
    description:
      'The statuses that the issuer has to report under Orden HAC/1028/2026, computed from the payments: settled, not paid, and their cancellations. Nothing is sent, because the public solution is not published yet. Empty for simplified invoices, for recipients without a Spanish tax id, and for invoices that are not payable. Needs the scope `read`.',
    ids,
    answer: {
      status: 200,
      description: 'The statuses',
      schema: businessStatusList,
      example: businessStatusListExample,
    },
    codes: ['invoice_not_found'],
  },
  {
    id: 'listRecipientStatuses',
    method: 'GET',
    path: '/v1/invoices/{id}/recipient_statuses',
    field: 'invoice.recipientStatuses',
    summary: 'List the statuses reported by the recipient',
    description:
      'The recorded statuses: paid, rejected with its reason, or withdrawn. The last one counts. Needs the scope `read`.',
    ids,
    answer: {
      status: 200,
      description: 'The statuses',
      schema: recipientStatusList,
      example: { data: [recipientStatusExample] },
    },
    codes: ['invoice_not_found'],
  },
  {
    id: 'recordRecipientStatus',
    method: 'POST',
    path: '/v1/invoices/{id}/recipient_statuses',
    field: 'recordRecipientStatus.recipientStatus',
    renamed: { id: 'invoiceId' },
    summary: 'Record a status reported by the recipient',
    description:
      'For a complete invoice to a recipient with a Spanish tax id: that the recipient has paid or rejects the invoice, based on the published text of Orden HAC/1028/2026; `withdrawn` corrects a status recorded by mistake. It is added to the journal and announced by an event, and does not change payments. Nothing is sent. Needs the scope `issue`.',
    ids,
    isKeyed: true,
    body: {
      schema: recipientStatusRequest,
      examples: {
        rejected: {
          summary: 'The recipient rejects the invoice',
          value: { status: 'rejected', on: '2026-11-20', status_reason: 'The goods did not arrive.' },
        },
        paid: { summary: 'The recipient has paid', value: { status: 'paid', on: '2026-11-20' } },
      },
    },
    answer: {
      status: 201,
      description: 'Recorded',
      schema: recipientStatus,
      example: recipientStatusExample,
    },
    codes: [
      'invoice_not_found',
      'idempotency_conflict',
      'recipient_status_conflict',
      'invoice_already_voided',
      'invoice_already_replaced',
      'recipient_status_not_applicable',
    ],
  },
  {
    id: 'retrievePayment',
    method: 'GET',
    path: '/v1/invoices/{id}/payments/{payment_id}',
    field: 'invoice',
    summary: 'Read a payment',
    description: 'A payment that has not been removed. Needs the scope `read`.',
    ids: { ...ids, payment_id: ['payment', paymentExample.id] },
    answer: { status: 200, description: 'The payment', schema: payment, example: paymentExample },
    codes: ['invoice_not_found', 'payment_not_found'],
    handler: getPayment,
  },
  {
    id: 'removePayment',
    method: 'DELETE',
    path: '/v1/invoices/{id}/payments/{payment_id}',
    field: 'removePayment.payment',
    renamed: { id: 'invoiceId' },
    summary: 'Remove a payment',
    description:
      'Removes a payment recorded by mistake; the journal keeps both facts. Removing it again has no effect. Needs the scope `issue`.',
    ids: { ...ids, payment_id: ['payment', paymentExample.id] },
    answer: { status: 204, description: 'Removed' },
    codes: ['invoice_not_found', 'payment_not_found'],
  },
]);
