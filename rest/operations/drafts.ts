import { stored } from '../../src/faces/graphql/stored.ts';

/** The fields of a draft. */
const DRAFT_FIELDS = `fragment InvoiceDraftFields on InvoiceDraft {
  id
  status
  invoice
  due_in_days: dueInDays
  errors {
    field
    code
    message
  }
  subtotal
  tax
  total
  schedule_id: scheduleId
  period
  failureCode
  failureDetail
  invoice_id: invoiceId
  created_at: createdAt
  updated_at: updatedAt
}` as const;

/** The stored queries of the endpoints under /v1/invoice_drafts. */
export const draftOperations = {
  create: stored(
    `mutation CreateInvoiceDraft($input: CreateInvoiceDraftInput!) {
  answer: createInvoiceDraft(input: $input) {
    ...InvoiceDraftFields
  }
}`,
    [DRAFT_FIELDS],
  ),
  list: stored(
    `query ListInvoiceDrafts($first: Int, $after: String, $status: InvoiceDraftStatus, $scheduleId: ID) {
  answer: invoiceDrafts(first: $first, after: $after, status: $status, scheduleId: $scheduleId) {
    edges {
      node {
        ...InvoiceDraftFields
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    [DRAFT_FIELDS],
  ),
  get: stored(
    `query GetInvoiceDraft($id: ID!) {
  answer: invoiceDraft(id: $id) {
    ...InvoiceDraftFields
  }
}`,
    [DRAFT_FIELDS],
  ),
  update: stored(
    `mutation UpdateInvoiceDraft($id: ID!, $input: UpdateInvoiceDraftInput!) {
  answer: updateInvoiceDraft(id: $id, input: $input) {
    ...InvoiceDraftFields
  }
}`,
    [DRAFT_FIELDS],
  ),
  remove: stored(`mutation DeleteInvoiceDraft($id: ID!) {
  answer: deleteInvoiceDraft(id: $id) { id }
}`),
};
