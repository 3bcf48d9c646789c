import { LINE_TERMS_DESCRIPTIONS } from '../line-terms.ts';
import { eventFields } from './event-fields.ts';

/** A line with its amounts, issued or only checked. */
const pricedLine = {
  description: 'Goods or service.',
  sku: 'Stock-keeping unit.',
  quantity: 'Units; 1 if `quantity_decimal` is not a whole number.',
  unit_amount:
    'Net price of one unit, rounded to a cent; the subtotal if the quantity is not a whole number. The subtotal decides.',
  ...LINE_TERMS_DESCRIPTIONS,
  subtotal: 'The net amount.',
  tax: 'All taxes of the line.',
  total: '`subtotal` and `tax`.',
  tax_items: 'By category.',
};

/** An invoice as every answer and event has it. */
const INVOICE = {
  id: 'Opaque and case-sensitive.',
  status: '`voided` if legally cancelled, otherwise `issued`.',
  number: 'As printed, from its series.',
  currency: 'The currency, ISO 4217 in lower case.',
  subtotal: 'The net amount.',
  tax: 'All taxes.',
  total: '`subtotal` and `tax`.',
  recipient_name: 'The fiscal name: that of the company when recorded, else the name.',
  recipient_tax_id: 'The recipient’s tax id.',
  email: 'The recipient’s e-mail address.',
  external_customer_id: 'The customer of the integration whose order was invoiced.',
  external_id: 'Your own reference, as sent.',
  invoice_date: 'When it was issued.',
  operation_date: 'Midnight in Madrid of the day of the sale; the instant of issue when it is the same day.',
  created_at: 'When it was issued, or for an imported invoice, when it was imported.',
  type: 'Complete or simplified.',
  number_series_id:
    'The series on which it was issued, or for an imported invoice, the series of imported invoices.',
  recipient: 'Null if no recipient is recorded.',
  pdf_url: 'Signed link to the PDF, valid for 48 hours; every read returns a new one.',
  verifactu: 'The registration; null only for an imported invoice.',
  line_items: 'In the order in which they were sent.',
  kind: 'Whether it corrects another invoice, and how; `exchange` was issued in exchange for simplified invoices, which remain valid.',
  rectifies: 'The invoice that it corrects, or several; empty for an original and for a volume discount.',
  rectified_period:
    'The days whose sales a volume discount reduces; present on such an invoice alone, whose `rectifies` is empty.',
  rectified_by: 'The rectificativas of this invoice that are not voided.',
  payment_status:
    'The payment status today; present if the invoice has a due date or a means of payment, if a payment was recorded, or with `expand[]=payments`. Absent if the invoice is not payable: voided, replaced, exchanged, or a rectificativa by differences of an invoice here.',
  amount_paid:
    'Payments of the invoice and its rectificativas less refunds; present together with `payment_status`.',
  amount_due:
    'The amount still due, without withheld tax; negative if a refund is due. Present together with `payment_status`.',
};

/** What `expand[]` adds. */
const EXPANDED = {
  notes: 'With `expand[]=notes`: the text that is printed at the bottom of the PDF.',
  rectification: 'With `expand[]=rectification`: how it corrects, and the state of its family.',
  exchange: 'With `expand[]=exchange`: which invoices were exchanged for which.',
  records:
    'With `expand[]=records`: the records that were or will be sent to the agency, in the order of the chain.',
  payments:
    'With `expand[]=payments`: its own payments that have not been removed, in the order in which they were recorded.',
};

/** What a line says of its own classification. */
const SAID = {
  regime_key: 'The regime key, if the line names it.',
  operation_class: 'The class of the operation, if the line names it.',
  exemption: 'The cause of the exemption, if the line names it.',
};

/** What each field of the document's schemas is, by schema and name. A test requires every one. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  InvoiceChange: {
    metadata: 'The changes: keys that are not mentioned stay, null removes a key.',
  },
  Invoice: { ...INVOICE, ...EXPANDED },
  Rectification: {
    method: 'Null unless it corrects an invoice.',
    reason: 'Null unless it corrects an invoice.',
    head: 'The last invoice of the family that is not voided: the one to correct next.',
    in_force_total:
      'The total in force of the family; null if the total of an original issued by another system is unknown.',
    creditable_remainder:
      'The amount that can still be credited by differences; null if the total is unknown.',
  },
  Exchange: {
    exchanges: 'The simplified invoices that it replaces in an exchange.',
    exchanged_by: 'The exchange invoice that replaces it and is not voided.',
  },
  RegistrationRecord: {
    id: 'An opaque id.',
    kind: 'The type of the record: issue or amendment, or cancellation.',
    status: 'The status of this record at the agency.',
    hash: 'Its fingerprint.',
    previous_hash: 'Fingerprint of the previous record in the chain; null for the first.',
    generated_at: 'When it was sealed.',
    xml: 'The exact text.',
    receipt: 'The agency’s code (CSV) for the envelope in which it accepted the record.',
    settled_at: 'When the agency answered.',
    error: 'The agency’s error.',
  },
  InvoiceReference: { invoice_id: 'An invoice of this service.' },
  LineItem: {
    id: 'An opaque id.',
    ...pricedLine,
    rectifies_invoice_id: 'In a correction of several invoices the one whose total the line changes.',
  },
  TaxItem: {
    name: 'Label as printed.',
    type: 'The tax, or the reason why there is none.',
    rate: 'The percentage: 21 means 21 %.',
    amount: 'Rounded to the cent for the line.',
    ...SAID,
  },
  Recipient: {
    name: 'Name of the person or business.',
    company_name: 'Null if it was not recorded separately.',
    given_name: 'The given name of a natural person, if it was sent.',
    surnames: 'The surnames of a natural person, if they were sent.',
    tax_id: 'Normalised: capitals, without spaces, dots and hyphens.',
    tax_id_type: 'Determined from the format if it was not sent.',
    tax_id_country: 'The country, ISO 3166-1 alpha-2.',
    email: 'As sent.',
    address: 'Null if none is recorded.',
  },
  Address: {
    line1: 'Street and number.',
    line2: 'Floor, door and similar.',
    postal_code: 'As sent.',
    city: 'The city.',
    country: 'The country, ISO 3166-1 alpha-2.',
  },
  Verifactu: {
    status: 'The status of the registration at the tax agency: poll while it is `pending`.',
    hash: 'Fingerprint of the record sealed at issue.',
    qr_url: 'The content of the document’s QR code.',
    error: 'The agency’s error for the record.',
  },
  VerifactuError: {
    code: 'The agency’s code, verbatim.',
    message: 'The agency’s words, verbatim and in Spanish.',
  },
  RectifiedPeriod: { from: 'The first day.', to: 'The last day.' },
  ExternalReference: { external: 'An invoice of another system.' },
  ExternalOriginal: {
    number: 'Its number.',
    issued_on: 'The day on which it was issued.',
    operation_date: 'The day of its operation, if it is not `issued_on`.',
  },
  ValidatedInvoice: {
    type: 'Complete or simplified.',
    kind: 'The kind that it would have.',
    currency: 'The currency, ISO 4217 in lower case.',
    subtotal: 'The net amount.',
    tax: 'All taxes.',
    total: '`subtotal` and `tax`.',
    line_items: 'In the order in which they were sent.',
    tax_breakdown: 'By tax and rate, and by what lines say of their classification.',
    errors: 'With `partial`: what is wrong with the recipient, for which issuing would be refused.',
    warnings: 'What is lawful and yet likely wrong; issuing refuses none of it.',
  },
  ValidatedLineItem: pricedLine,
  TaxBreakdownItem: {
    ...SAID,
    type: 'The tax, or the reason why there is none.',
    name: 'Label as printed.',
    rate: 'The percentage: 21 means 21 %.',
    base: 'The taxable base.',
    amount: 'Sum of the lines’ taxes.',
  },
  Error: {
    code: 'Stable: branch on it. Extensible: fall back to the HTTP status.',
    detail: 'For people; the wording may change. Spanish if `Accept-Language` prefers it, otherwise English.',
    errors: 'The invalid fields; empty unless the error concerns certain fields.',
    doc_url: 'The URL of the code’s documentation.',
  },
  FieldIssue: {
    field: 'Path such as `line_items[0].quantity`, or the name of a parameter or header.',
    code: 'Short reason, such as `too_big`.',
    message: 'A message for people.',
  },
  ...eventFields(INVOICE),
};
