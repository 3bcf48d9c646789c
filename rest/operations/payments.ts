import { stored } from '../../src/faces/graphql/stored.ts';

const PAYMENT_FIELDS = `id
  amount
  paid_on: paidOn
  means
  reference
  created_at: createdAt` as const;

const RECIPIENT_STATUS_FIELDS = `status
      on
      told_on: toldOn
      told_by: toldBy
      is_late: isLate
      status_reason: statusReason
      created_at: createdAt` as const;

/** The stored queries of the endpoints under /v1/invoices/{id}/payments. */
export const paymentOperations = {
  record: stored(`mutation RecordPayment($input: RecordPaymentInput!, $idempotencyKey: String) {
  answer: recordPayment(input: $input, idempotencyKey: $idempotencyKey) {
    payment {
      ${PAYMENT_FIELDS}
    }
  }
}`),
  list: stored(`query ListPayments($id: ID!, $first: Int, $after: String) {
  answer: invoice(id: $id) {
    payments(first: $first, after: $after) {
      edges {
        node {
          ${PAYMENT_FIELDS}
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}`),
  get: stored(`query GetPayment($id: ID!) {
  answer: invoice(id: $id) {
    payments(first: 100) {
      edges {
        node {
          ${PAYMENT_FIELDS}
        }
      }
    }
  }
}`),
  remove: stored(`mutation RemovePayment($invoiceId: ID!, $paymentId: ID!) {
  answer: removePayment(invoiceId: $invoiceId, paymentId: $paymentId) { payment { id } }
}`),
  recordStatus:
    stored(`mutation RecordRecipientStatus($input: RecordRecipientStatusInput!, $idempotencyKey: String) {
  answer: recordRecipientStatus(input: $input, idempotencyKey: $idempotencyKey) {
    recipientStatus {
      ${RECIPIENT_STATUS_FIELDS}
    }
  }
}`),
  recipientStatuses: stored(`query ListRecipientStatuses($id: ID!) {
  answer: invoice(id: $id) {
    data: recipientStatuses {
      ${RECIPIENT_STATUS_FIELDS}
    }
  }
}`),
  statuses: stored(`query ListBusinessStatuses($id: ID!) {
  answer: invoice(id: $id) {
    data: businessStatuses {
      status
      on
      recipient_tells_by: recipientTellsBy
    }
  }
}`),
};
