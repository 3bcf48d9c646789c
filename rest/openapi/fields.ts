import { LINE_TERMS_DESCRIPTIONS } from '../line-terms.ts';
import { BATCH_FIELDS } from './batch-fields.ts';
import { DRAFT_FIELDS } from './draft-fields.ts';
import { eventFields, pageFields as page, RECIPIENT_STATUS_FIELDS } from './event-fields.ts';

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
  rectifies: 'The invoice that it corrects.',
  rectified_by: 'The rectificativas of this invoice that are not voided.',
  payment_status:
    'The payment status today in Madrid; present if the invoice has a due date or a means of payment, if a payment was recorded, or with `expand[]=payments`. Absent if the invoice is not payable: voided, replaced, exchanged, or a rectificativa by differences of an invoice here.',
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

/** What each field of the document's schemas is, by schema and name. A test requires every one. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  InvoiceChange: {
    metadata: 'The changes: keys that are not mentioned stay, null removes a key.',
  },
  PaymentRequest: {
    amount: 'More than 0; for an invoice with a negative total, the amount refunded. Whole cents.',
    paid_on:
      'The day in Madrid on which it was paid: not in the future, but it may be before the invoice was issued, for a prepayment.',
    means: 'The means of payment.',
    reference: 'Your own text, such as the bank’s reference.',
  },
  RecipientStatusRequest: {
    status: 'The status.',
    on: 'The day in Madrid of the payment, rejection or withdrawal: not in the future, not before the operation.',
    told_on: 'The day on which it was reported; default: today.',
    status_reason: 'The reason: required for a rejection or a withdrawal, refused for a payment.',
  },
  SendInvoiceRequest: {
    to: 'One address or a list of at most 10; default: the recipient’s address on the invoice. All recipients see each other’s addresses.',
    message: 'Your own text above the amount. Line breaks are kept.',
    formats: 'Structured documents to be attached beside the PDF.',
  },
  InvoiceEmail: {
    id: 'An opaque id.',
    invoice_id: 'The invoice.',
    kind: 'Why it was sent.',
    reminder_days: 'For a reminder, the number of days after the due date; otherwise null.',
    status: '`sent` once the mail server has accepted it for every recipient.',
    reason: 'The reason for the failure; null if it has not failed.',
    to: 'The addresses to which it is sent.',
    message: 'Text added to the message.',
    language: 'The language of its text.',
    formats: 'The structured documents attached beside the PDF.',
    deliveries: 'The result for each recipient.',
    attempts: 'Number of delivery attempts to the mail server.',
    last_error: 'Why the last attempt failed; null if it succeeded.',
    requested_by: 'The key that requested it; `reminder_schedule` for a reminder.',
    created_at: 'When it was requested.',
    next_attempt_at: 'The time of the next attempt; null once it is finished.',
    settled_at: 'When it was delivered or abandoned.',
  },
  EmailDelivery: {
    address: 'The address.',
    status: 'The status.',
    response: 'The last answer of the mail server, or the diagnostic text of a later bounce.',
    status_code: 'The enhanced status code (RFC 3463), such as `5.1.1`; null without one.',
    copy: 'True for your own copy (`copy_to`), which does not affect the status of the e-mail.',
  },
  EmailSettings: {
    sender_name: 'The name beside the sender’s address; null for the company’s legal name.',
    reply_to: 'The reply address; null if the message states that replies are not read.',
    copy_to: 'The address that receives a blind copy of each message; null for none.',
    reminder_days:
      'Days after the due date on which reminders for unpaid invoices are sent, in ascending order; empty for none.',
    reminder_language: 'The language of reminders; null for the language of the invoice.',
    reminder_message: 'Your own text in reminders; null without one.',
  },
  EmailSettingsChange: {
    sender_name: 'The name beside the sender’s address; null for the company’s legal name.',
    reply_to: 'The reply address; null for none.',
    copy_to: 'An address that gets a blind copy of each message; null for none.',
    reminder_days:
      'Days after the due date on which reminders for unpaid invoices are sent, in any order; empty or null for none.',
    reminder_language: 'The language of reminders; null for the language of the invoice.',
    reminder_message: 'Your own text in reminders; null for none. Line breaks are kept.',
  },
  CustomerPortalSessionRequest: {
    external_customer_id: 'The id of the customer in the integration.',
    integration_id: 'The integration; required if the environment has several.',
    return_url: 'The target of the page’s back link; http or https.',
  },
  AccessTokenRequest: {
    scopes: 'The scopes of the token: a subset of the key’s.',
    ttl_seconds: 'Lifetime in seconds: default 900, never longer than the key’s.',
  },
  TaxIdRequest: {
    tax_id: 'Spaces, dots and hyphens do not matter.',
    tax_id_type: 'Determined from the format if omitted.',
    tax_id_country: 'The country, ISO 3166-1 alpha-2.',
    name: 'The fiscal name: needed to check a Spanish NIF in the census.',
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
  InvoicePage: page,
  PaymentPage: { ...page, data: 'In the order in which they were recorded.' },
  InvoiceEmailPage: page,
  LineItem: { id: 'An opaque id.', ...pricedLine },
  TaxItem: {
    name: 'Label as printed.',
    type: 'The tax, or the reason why there is none.',
    rate: 'The percentage: 21 means 21 %.',
    amount: 'Rounded to the cent for the line.',
  },
  Recipient: {
    name: 'Name of the person or business.',
    company_name: 'Null if it was not recorded separately.',
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
  ExternalReference: { external: 'An invoice of another system.' },
  ExternalOriginal: { number: 'Its number.', issued_on: 'The day on which it was issued.' },
  ValidatedInvoice: {
    type: 'Complete or simplified.',
    kind: 'The kind that it would have.',
    currency: 'The currency, ISO 4217 in lower case.',
    subtotal: 'The net amount.',
    tax: 'All taxes.',
    total: '`subtotal` and `tax`.',
    line_items: 'In the order in which they were sent.',
    tax_breakdown: 'By tax and rate.',
  },
  ValidatedLineItem: pricedLine,
  TaxBreakdownItem: {
    type: 'The tax, or the reason why there is none.',
    name: 'Label as printed.',
    rate: 'The percentage: 21 means 21 %.',
    base: 'The taxable base.',
    amount: 'Sum of the lines’ taxes.',
  },
  Download: {
    download_url: 'Signed link to the PDF; it needs no key.',
    expires_at: 'Fifteen minutes after the answer.',
  },
  BusinessStatus: {
    status: 'The format.',
    on: 'Date of the payment; null if a correction of the invoice caused the status.',
    recipient_tells_by:
      'For `settled`: the last day on which the recipient has to confirm the payment, four days later without weekends and national holidays; otherwise null.',
  },
  RecipientStatus: { ...RECIPIENT_STATUS_FIELDS, created_at: 'When it was recorded.' },
  RecipientStatusList: { data: 'In the order in which they were recorded; the last one counts.' },
  BusinessStatusList: { data: 'In chronological order.' },
  InvoiceExport: {
    invoices: 'The current number of invoices in the period.',
    download_url:
      'Signed link to the ZIP file; it needs no key and can be opened repeatedly until it expires.',
    expires_at: 'Fifteen minutes after the answer.',
  },
  Payment: {
    id: 'An opaque id.',
    amount: 'More than 0; for an invoice with a negative total, the amount refunded.',
    paid_on: 'The day on which it was paid.',
    means: 'The means of payment; null if not stated.',
    reference: 'Your own text; null without one.',
    created_at: 'When it was recorded.',
  },
  CustomerPortalSession: {
    id: 'An opaque id.',
    url: 'Opens the customer’s page any number of times until `expires_at`; give it to that customer only.',
    external_customer_id: 'The customer.',
    integration_id: 'The integration of the customer.',
    created_at: 'When the link was made.',
    expires_at: 'When the link and its sessions expire.',
  },
  AccessToken: {
    token: 'Used like a key: `Authorization: Bearer at_…`.',
    scopes: 'The permissions.',
    expires_at: 'The expiry time; a token also ends as soon as its key is revoked.',
  },
  TaxIdValidation: {
    tax_id: 'Normalised.',
    tax_id_type: 'Null if the format matches no type.',
    tax_id_country: 'The country, ISO 3166-1 alpha-2.',
    valid: 'Whether it would be accepted for a recipient.',
    reason: 'Why it is not valid.',
    register: 'The queried register; null if only the format was checked.',
    registered_name:
      'The name under which the census knows the NIF, if a similar one was sent; absent otherwise.',
  },
  Error: {
    code: 'Stable: branch on it. Extensible: fall back to the HTTP status.',
    detail: 'For people; the wording may change.',
    errors: 'The invalid fields; empty unless the error concerns certain fields.',
    doc_url: 'The URL of the code’s documentation.',
  },
  FieldIssue: {
    field: 'Path such as `line_items[0].quantity`, or the name of a parameter or header.',
    code: 'Short reason, such as `too_big`.',
    message: 'A message for people.',
  },
  ...BATCH_FIELDS,
  ...DRAFT_FIELDS,
  ...eventFields(INVOICE),
};
