import { Family, InvoiceRow, Money, Registration } from './documents.ts';
import { graphql } from './graphql.ts';

/** What becomes of an invoice whose record is corrected or cancelled, and of those that stand with it. */
const Corrected = graphql(
  `
    fragment Corrected on Invoice @_unmask {
      id
      ...InvoiceRow
      ...Family
      ...Money
      ...Registration
    }
  `,
  [InvoiceRow, Family, Money, Registration],
);

/** Asks for what was corrected or exchanged by it too: that is free again. */
export const VoidInvoice = graphql(
  `
    mutation VoidInvoice($invoiceId: ID!, $reason: String!, $idempotencyKey: String!) {
      voidInvoice(invoiceId: $invoiceId, reason: $reason, idempotencyKey: $idempotencyKey) {
        ...Corrected
        rectifies {
          invoice {
            ...Family
            family {
              id
              members {
                ...Family
                ...Money
              }
            }
          }
        }
        exchanges {
          ...Family
          exchangedBy {
            ...InvoiceRow
          }
        }
      }
    }
  `,
  [Corrected, Family, InvoiceRow, Money],
);

export const AmendRecord = graphql(
  `
    mutation AmendRecord($input: AmendRecordInput!) {
      amendRecord(input: $input) {
        ...Corrected
      }
    }
  `,
  [Corrected],
);
