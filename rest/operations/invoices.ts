import { stored } from '../../src/faces/graphql/stored.ts';
import { EXTENSION_FIELDS } from '../invoice-extensions.ts';

/** What the contract shows of an invoice. */
const INVOICE_FIELDS = `fragment InvoiceFields on Invoice {
  id
  status
  number
  currency
  subtotal
  tax
  total
  recipient_name: recipientName
  recipient_tax_id: recipientTaxId
  email
  external_customer_id: externalCustomerId
  external_id: externalId
  invoice_date: invoiceDate
  operation_date: operationDate
  created_at: createdAt
  type
  number_series_id: numberSeriesId
  recipient {
    name
    company_name: companyName
    tax_id: taxId
    tax_id_type: taxIdType
    tax_id_country: taxIdCountry
    email
    address {
      line1
      line2
      postal_code: postalCode
      city
      country
    }
  }
  pdf_url: pdfUrl
  verifactu {
    status
    hash
    qr_url: qrUrl
    error {
      code
      message
    }
  }
  line_items: lineItems {
    id
    description
    sku
    quantity
    unit_amount: unitAmount
    subtotal
    tax
    total
    tax_items: taxItems {
      name
      type
      rate
      amount
    }
  }
  kind
  rectifies {
    invoice_id: invoiceId
    external {
      number
      issued_on: issuedOn
    }
  }
  rectified_by: rectifiedBy {
    invoice_id: invoiceId
  }
  ${EXTENSION_FIELDS}
}` as const;

/** What the endpoints under /v1/invoices ask. */
export const invoiceDocuments = {
  issue: stored(`mutation IssueInvoice($input: IssueInvoiceInput!, $idempotencyKey: String) {
  answer: issueInvoice(input: $input, idempotencyKey: $idempotencyKey) {
    ...InvoiceFields
  }
}
${INVOICE_FIELDS}`),
  validate: stored(`query ValidateInvoice($input: IssueInvoiceInput!) {
  answer: validateInvoice(input: $input) {
    type
    kind
    currency
    subtotal
    tax
    total
    line_items: lineItems {
      description
      sku
      quantity
      unit_amount: unitAmount
      subtotal
      tax
      total
      tax_items: taxItems {
        name
        type
        rate
        amount
      }
    }
    tax_breakdown: taxBreakdown {
      type
      name
      rate
      base
      amount
    }
  }
}`),
  get: stored(`query GetInvoice($id: ID!) {
  answer: invoice(id: $id) {
    ...InvoiceFields
  }
}
${INVOICE_FIELDS}`),
  list: stored(`query ListInvoices(
  $first: Int
  $after: String
  $filter: InvoiceFilter
) {
  answer: invoices(
    first: $first
    after: $after
    filter: $filter
  ) {
    edges {
      node {
        ...InvoiceFields
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
${INVOICE_FIELDS}`),
  download: stored(`query DownloadInvoice($id: ID!) {
  answer: invoiceDownload(id: $id) {
    download_url: downloadUrl
    expires_at: expiresAt
  }
}`),
  file: stored(`query InvoiceFile($id: ID!, $token: String!) {
  answer: invoiceFile(id: $id, token: $token) {
    filename
  }
}`),
};
