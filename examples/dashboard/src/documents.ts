import { graphql } from './graphql.ts';

/** All that this page ever asks. Whoever publishes these as trusted documents can refuse everything else. */

/** Also how far the journal has come: what is read from here on is at least as new, and live updates begin there. */
export const WhoAmI = graphql(`
  query WhoAmI {
    events(first: 1, order: desc) {
      edges {
        node {
          id
          sequence
        }
      }
    }
    viewer {
      environment
      scopes
      company {
        id
        legalName
        nif
      }
    }
  }
`);

export const InvoiceRow = graphql(`
  fragment InvoiceRow on Invoice {
    id
    number
    invoiceDate
    type
    kind
    status
    total
    recipientName
    verifactu {
      status
    }
  }
`);

export const InvoiceList = graphql(
  `
    query InvoiceList(
      $filter: InvoiceFilter
      $orderBy: InvoiceOrder
      $first: Int
      $after: String
      $last: Int
      $before: String
    ) {
      invoices(
        filter: $filter
        orderBy: $orderBy
        first: $first
        after: $after
        last: $last
        before: $before
      ) {
        totalCount
        totalCountIsExact
        edges {
          cursor
          node {
            ...InvoiceRow
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  `,
  [InvoiceRow],
);

/** An invoice among those that correct one another, and how they stand together. */
export const Family = graphql(
  `
    fragment Family on Invoice {
      id
      family {
        id
        inForceTotal
        creditableRemainder
        head {
          id
        }
        members {
          ...InvoiceRow
        }
      }
    }
  `,
  [InvoiceRow],
);

/** What the tax agency was told of an invoice, and what it said. */
export const Registration = graphql(`
  fragment Registration on Invoice @_unmask {
    verifactu {
      status
      hash
      qrUrl
      error {
        code
        message
      }
    }
    records {
      id
      kind
      position
      hash
      previousHash
      status
    }
  }
`);

export const InvoiceDetail = graphql(
  `
    query InvoiceDetail($id: ID!) {
      invoice(id: $id) {
        ...InvoiceRow
        ...Family
        subtotal
        tax
        notes
        pdfUrl
        proof
        recipient {
          name
          companyName
          taxId
          address {
            line1
            postalCode
            city
            country
          }
        }
        lineItems {
          id
          description
          sku
          unit
          quantity
          quantityDecimal
          unitAmount
          unitAmountDecimal
          unitAmountGross
          unitAmountGrossDecimal
          subtotal
          taxItems {
            name
            type
            rate
            amount
          }
        }
        taxBreakdown {
          name
          base
          amount
        }
        withholding {
          type
          rate
          amount
        }
        ...Registration
      }
    }
  `,
  [InvoiceRow, Family, Registration],
);

export const Totals = graphql(`
  query Totals($filter: InvoiceFilter) {
    months: invoiceTotals(filter: $filter, groupBy: [MONTH]) {
      month
      count
      subtotal
      tax
      total
    }
    rates: invoiceTotals(filter: $filter, groupBy: [TAX_RATE]) {
      taxRate
      byRate {
        type
        rate
        base
        tax
      }
    }
  }
`);

export const Preview = graphql(`
  query Preview($input: IssueInvoiceInput!) {
    validateInvoice(input: $input) {
      subtotal
      tax
      total
      taxBreakdown {
        name
        base
        amount
      }
    }
  }
`);

/** Asks for what issuing changes elsewhere too: each invoice of the family that is corrected has another one afterwards. */
export const IssueInvoice = graphql(
  `
    mutation IssueInvoice($input: IssueInvoiceInput!, $idempotencyKey: String!) {
      issueInvoice(input: $input, idempotencyKey: $idempotencyKey) {
        id
        ...InvoiceRow
        ...Family
        family {
          id
          members {
            ...Family
          }
        }
      }
    }
  `,
  [InvoiceRow, Family],
);

/** Asks for all that a change may concern, so that every page is right while it is open. */
export const InvoiceChanged = graphql(
  `
    subscription InvoiceChanged($afterSequence: Int!) {
      invoiceChanged(afterSequence: $afterSequence) {
        type
        sequence
        invoice {
          ...InvoiceRow
          ...Registration
          ...Family
          exchanges {
            ...Family
          }
          rectifies {
            invoice {
              ...InvoiceRow
              ...Family
              family {
                id
                members {
                  ...Family
                }
              }
            }
          }
        }
      }
    }
  `,
  [InvoiceRow, Registration, Family],
);
