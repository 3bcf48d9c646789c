import { graphql } from './graphql.ts';

/** What the page asks about sums. */

/** The register book of a period, and its documents, as links that are good for some minutes. */
export const Exports = graphql(`
  query Exports($from: Date!, $to: Date!, $format: RegisterBookFormat!) {
    registerBook(from: $from, to: $to, format: $format) {
      downloadUrl
      filename
    }
  }
`);

export const Totals = graphql(`
  query Totals($filter: InvoiceFilter) {
    year: invoiceTotals(filter: $filter) {
      count
      subtotal
      tax
      total
      amountDue
    }
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

export const NewestDay = graphql(`
  query NewestDay {
    invoices(first: 1) {
      edges {
        node {
          id
          issuedOn
        }
      }
    }
  }
`);
