import { stored } from '../../src/faces/graphql/stored.ts';

/** The fields of a batch. */
const BATCH_FIELDS = `fragment InvoiceBatchFields on InvoiceBatch {
  id
  status
  size
  pending
  issued
  failed
  created_at: createdAt
  completed_at: completedAt
}`;

/** The stored queries of the endpoints under /v1/invoice_batches. */
export const batchOperations = {
  list: stored(
    `query ListInvoiceBatches($first: Int, $after: String) {
  answer: invoiceBatches(first: $first, after: $after) {
    edges {
      node {
        ...InvoiceBatchFields
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`,
    [BATCH_FIELDS],
  ),
  get: stored(
    `query GetInvoiceBatch($id: ID!) {
  answer: invoiceBatch(id: $id) {
    ...InvoiceBatchFields
  }
}`,
    [BATCH_FIELDS],
  ),
  results: stored(`query ListInvoiceBatchResults($id: ID!, $first: Int, $after: String) {
  answer: invoiceBatchResults(batchId: $id, first: $first, after: $after) {
    edges {
      node {
        id
        position
        external_id: externalId
        status
        invoice { id }
        number
        error { code detail errors { field code message } }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}`),
};
