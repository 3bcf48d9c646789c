import { graphql } from './graphql.ts';

/** All that this page ever asks. Whoever publishes these as trusted documents can refuse everything else. */

export const WhoAmI = graphql(`
  query WhoAmI {
    viewer {
      environment
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
    dueDate
    paymentStatus
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

/** What is to be paid of an invoice, and what was. */
export const Money = graphql(`
  fragment Money on Invoice @_unmask {
    paymentStatus
    amountPayable
    amountPaid
    amountDue
    payments(first: 50) {
      edges {
        node {
          id
          amount
          paidOn
          means
          reference
        }
      }
    }
  }
`);

export const InvoiceDetail = graphql(
  `
    query InvoiceDetail($id: ID!) {
      invoice(id: $id) {
        ...InvoiceRow
        ...Family
        ...Money
        subtotal
        tax
        notes
        pdfUrl
        proof
        exchangedBy {
          id
        }
        dueDate
        operationDate
        email
        externalCustomerId
        qualifiedSimplified
        recipientUnidentified
        issuedBy
        thirdParty {
          name
          taxId
        }
        payment {
          means
          iban
          reference
          terms
        }
        delivery {
          from
          to
        }
        references {
          purchaseOrder
        }
        disbursements {
          description
          amount
          reference
        }
        recipient {
          name
          companyName
          taxId
          email
          address {
            line1
            line2
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
            regimeKey
            operationClass
            exemption
          }
        }
        taxBreakdown {
          name
          type
          rate
          base
          amount
        }
        withholding {
          type
          rate
          base
          amount
        }
        ...Registration
      }
    }
  `,
  [InvoiceRow, Family, Money, Registration],
);

export const RecordPayment = graphql(
  `
    mutation RecordPayment($input: RecordPaymentInput!, $idempotencyKey: String!) {
      recordPayment(input: $input, idempotencyKey: $idempotencyKey) {
        invoice {
          id
          ...Money
        }
      }
    }
  `,
  [Money],
);

export const RemovePayment = graphql(
  `
    mutation RemovePayment($invoiceId: ID!, $paymentId: ID!) {
      removePayment(invoiceId: $invoiceId, paymentId: $paymentId) {
        invoice {
          id
          ...Money
        }
      }
    }
  `,
  [Money],
);

/** By e-mail, to the recipient's address if none is given. */
export const SendInvoice = graphql(`
  mutation SendInvoice($input: SendInvoiceInput!, $idempotencyKey: String!) {
    sendInvoice(input: $input, idempotencyKey: $idempotencyKey) {
      id
      to
    }
  }
`);

/** What it would come to, although its recipient is not there yet. */
export const Preview = graphql(`
  query Preview($input: IssueInvoiceInput!) {
    validateInvoice(input: $input, partial: true) {
      subtotal
      tax
      total
      amountPayable
      taxBreakdown {
        name
        type
        rate
        base
        amount
      }
      withholding {
        rate
        amount
      }
      warnings {
        field
        message
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
          ...Money
          ...Family
          exchanges {
            ...Family
            exchangedBy {
              ...InvoiceRow
            }
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
  [InvoiceRow, Registration, Money, Family],
);

/** The invoices that one rectificativa corrects together. */
export const Originals = graphql(`
  query Originals($ids: [ID!]!) {
    nodes(ids: $ids) {
      __typename
      ... on Invoice {
        id
        number
        type
      }
    }
  }
`);
