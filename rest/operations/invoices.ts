import { stored } from '../../src/faces/graphql/stored.ts';
import { EXPANSION_FIELDS, EXPANSION_VARIABLES } from '../invoice-expansions.ts';
import { COMPUTED_FIELDS, EXTENSION_FIELDS } from '../invoice-extensions.ts';
import { LINE_TERMS_FIELDS } from '../line-terms.ts';

/** The fields of an invoice in the contract. */
export const INVOICE_FIELDS = `fragment InvoiceFields on Invoice {
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
    ${LINE_TERMS_FIELDS}
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

const PAGE_VARIABLES = '$first: Int, $after: String, $last: Int, $before: String, $filter: InvoiceFilter';
const PAGE_ARGUMENTS = 'first: $first, after: $after, last: $last, before: $before, filter: $filter';
const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage }';

/** The stored queries of the endpoints under /v1/invoices. */
export const invoiceOperations = {
  issue: stored(
    `mutation IssueInvoice($input: IssueInvoiceInput!, $idempotencyKey: String) {
  answer: issueInvoice(input: $input, idempotencyKey: $idempotencyKey) {
    ...InvoiceFields
  }
}`,
    [INVOICE_FIELDS],
  ),
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
      ${LINE_TERMS_FIELDS}
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
    ${COMPUTED_FIELDS}
  }
}`),
  get: stored(
    `query GetInvoice($id: ID!) {
  answer: invoice(id: $id) {
    ...InvoiceFields
  }
}`,
    [INVOICE_FIELDS],
  ),
  list: stored(
    `query ListInvoices(${PAGE_VARIABLES}) {
  answer: invoices(${PAGE_ARGUMENTS}) {
    edges {
      node {
        ...InvoiceFields
      }
    }
    ${PAGE_INFO}
  }
}`,
    [INVOICE_FIELDS],
  ),
  change: stored(
    `mutation UpdateInvoiceMetadata($id: ID!, $metadata: JSON!) {
  answer: updateInvoiceMetadata(id: $id, metadata: $metadata) {
    ...InvoiceFields
  }
}`,
    [INVOICE_FIELDS],
  ),
  download: stored(`query DownloadInvoice($id: ID!, $paper: DocumentPaper) {
  answer: invoiceDownload(id: $id, paper: $paper) {
    download_url: downloadUrl
    expires_at: expiresAt
  }
}`),
  format: stored(`query InvoiceInFormat($id: ID!, $format: InvoiceFormat!) {
  answer: invoice(id: $id) {
    document(format: $format) {
      filename
      mediaType
      warning
    }
  }
}`),
  file: stored(`query InvoiceFile($id: ID!, $token: String!, $paper: DocumentPaper) {
  answer: invoiceFile(id: $id, token: $token, paper: $paper) {
    filename
  }
}`),
};

/** The stored queries that replace those that return invoices if the request has `expand[]`. */
export const expandedOperations = {
  issue: stored(
    `mutation IssueExpandedInvoice(
  $input: IssueInvoiceInput!
  $idempotencyKey: String
  ${EXPANSION_VARIABLES}
) {
  answer: issueInvoice(input: $input, idempotencyKey: $idempotencyKey) {
    ...InvoiceFields
    ${EXPANSION_FIELDS}
  }
}`,
    [INVOICE_FIELDS],
  ),
  get: stored(
    `query GetExpandedInvoice($id: ID!, ${EXPANSION_VARIABLES}) {
  answer: invoice(id: $id) {
    ...InvoiceFields
    ${EXPANSION_FIELDS}
  }
}`,
    [INVOICE_FIELDS],
  ),
  list: stored(
    `query ListExpandedInvoices(${PAGE_VARIABLES}, ${EXPANSION_VARIABLES}) {
  answer: invoices(${PAGE_ARGUMENTS}) {
    edges {
      node {
        ...InvoiceFields
        ${EXPANSION_FIELDS}
      }
    }
    ${PAGE_INFO}
  }
}`,
    [INVOICE_FIELDS],
  ),
};
