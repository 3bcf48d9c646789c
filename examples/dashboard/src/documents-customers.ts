import { InvoiceRow } from './documents.ts';
import { graphql } from './graphql.ts';

/** What the page asks about customers. */

export const CustomerFields = graphql(`
  fragment CustomerFields on Customer @_unmask {
    id
    externalCustomerId
    name
    companyName
    taxId
    taxIdType
    taxIdCountry
    email
    address {
      line1
      line2
      postalCode
      city
      country
    }
  }
`);

export const CustomerList = graphql(
  `
    query CustomerList($text: String, $first: Int!, $after: String) {
      customers(text: $text, first: $first, after: $after) {
        edges {
          node {
            ...CustomerFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [CustomerFields],
);

export const CustomerDetail = graphql(
  `
    query CustomerDetail($id: String!) {
      customer(externalCustomerId: $id) {
        ...CustomerFields
        totals {
          count
          total
          amountDue
        }
        invoices(first: 20) {
          totalCount
          edges {
            node {
              ...InvoiceRow
            }
          }
        }
      }
    }
  `,
  [CustomerFields, InvoiceRow],
);

export const SaveCustomer = graphql(
  `
    mutation SaveCustomer($input: SaveCustomerInput!) {
      saveCustomer(input: $input) {
        ...CustomerFields
      }
    }
  `,
  [CustomerFields],
);
