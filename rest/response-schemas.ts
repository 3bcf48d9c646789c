import { z } from 'zod';
import { codes } from '../src/ground/errors/catalogue.ts';
import { EVENT_TYPES } from '../src/ground/journal/entry.ts';
import { KEY_SCOPES } from '../src/subjects/accounts/entry/permissions.ts';
import { BATCH_RESULTS, BATCH_STATUSES } from '../src/subjects/batches/types.ts';
import {
  DELIVERY_STATUSES,
  EMAIL_FAULTS,
  EMAIL_KINDS,
  EMAIL_STATUSES,
} from '../src/subjects/emails/types.ts';
import { DOCUMENT_LANGUAGES, PAYMENT_MEANS } from '../src/subjects/extensions/types.ts';
import { FORMAT_NAMES } from '../src/subjects/formats/types.ts';
import { BUSINESS_STATUSES, RECIPIENT_STATUSES } from '../src/subjects/payments/types.ts';
import { TAX_ID_TYPES } from '../src/subjects/tax-ids/types.ts';
import { TAX_TYPES } from '../src/subjects/taxes/types.ts';
import { EVERY_TYPE } from '../src/subjects/webhooks/request.ts';
import { computed, extensions } from './invoice-extensions.ts';
import { lineTerms } from './line-terms.ts';
import { cents, instant, nullableText, oneOf, page, text } from './schema-parts.ts';

/** The answers of REST, for the OpenAPI document and for the tests that check answers against it. */

const taxItem = z
  .strictObject({
    name: text,
    type: oneOf(TAX_TYPES),
    rate: z.number(),
    amount: cents,
  })
  .meta({ id: 'TaxItem' });

const pricedLine = {
  description: text,
  sku: nullableText,
  quantity: z.int(),
  unit_amount: cents,
  ...lineTerms,
  subtotal: cents,
  tax: cents,
  total: cents,
  tax_items: z.array(taxItem),
};

const lineItem = z.strictObject({ id: text, ...pricedLine }).meta({ id: 'LineItem' });

const address = z
  .strictObject({
    line1: nullableText,
    line2: nullableText,
    postal_code: nullableText,
    city: nullableText,
    country: nullableText,
  })
  .meta({ id: 'Address' });

const recipient = z
  .strictObject({
    name: nullableText,
    company_name: nullableText,
    tax_id: nullableText,
    tax_id_type: oneOf(TAX_ID_TYPES).nullable(),
    tax_id_country: nullableText,
    email: nullableText,
    address: address.nullable(),
  })
  .meta({ id: 'Recipient' });

export const verifactuError = z
  .strictObject({ code: nullableText, message: nullableText })
  .meta({ id: 'VerifactuError' });

const verifactu = z
  .strictObject({
    status: oneOf(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
    hash: text,
    qr_url: z.url(),
    error: verifactuError.nullable(),
  })
  .meta({ id: 'Verifactu' });

const invoiceReference = z.strictObject({ invoice_id: text }).meta({ id: 'InvoiceReference' });

const externalOriginal = z
  .strictObject({ number: text, issued_on: z.iso.date() })
  .meta({ id: 'ExternalOriginal' });

const externalReference = z.strictObject({ external: externalOriginal }).meta({ id: 'ExternalReference' });

const rectifiedReference = z.union([invoiceReference, externalReference]).meta({ id: 'RectifiedReference' });

const rectification = z
  .strictObject({
    method: oneOf(['differences', 'substitution']).nullable(),
    reason: oneOf(['correction', 'insolvency', 'uncollectible', 'other']).nullable(),
    head: invoiceReference,
    in_force_total: cents.nullable(),
    creditable_remainder: cents.nullable(),
  })
  .meta({ id: 'Rectification' });

const exchange = z
  .strictObject({ exchanges: z.array(invoiceReference), exchanged_by: invoiceReference.nullable() })
  .meta({ id: 'Exchange' });

const registrationRecord = z
  .strictObject({
    id: text,
    kind: oneOf(['registration', 'cancellation']),
    status: oneOf(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
    hash: text,
    previous_hash: nullableText,
    generated_at: instant,
    xml: text,
    receipt: nullableText,
    settled_at: instant.nullable(),
    error: verifactuError.nullable(),
  })
  .meta({ id: 'RegistrationRecord' });

export const payment = z
  .strictObject({
    id: text,
    amount: cents,
    paid_on: z.iso.date(),
    means: oneOf(PAYMENT_MEANS).nullable(),
    reference: nullableText,
    created_at: instant,
  })
  .meta({ id: 'Payment' });

export const paymentPage = page(payment).meta({ id: 'PaymentPage' });

const businessStatus = z
  .strictObject({
    status: oneOf(BUSINESS_STATUSES),
    on: z.iso.date().nullable(),
    recipient_tells_by: z.iso.date().nullable(),
  })
  .meta({ id: 'BusinessStatus' });

export const businessStatuses = z
  .strictObject({ data: z.array(businessStatus) })
  .meta({ id: 'BusinessStatusList' });

export const recipientStatus = z
  .strictObject({
    status: oneOf(RECIPIENT_STATUSES),
    on: z.iso.date(),
    told_on: z.iso.date(),
    told_by: z.iso.date().nullable(),
    is_late: z.boolean(),
    status_reason: nullableText,
    created_at: instant,
  })
  .meta({ id: 'RecipientStatus' });

export const recipientStatuses = z
  .strictObject({ data: z.array(recipientStatus) })
  .meta({ id: 'RecipientStatusList' });

/** The additions of `expand[]`. */
const expansions = {
  notes: nullableText.optional(),
  rectification: rectification.optional(),
  exchange: exchange.optional(),
  records: z.array(registrationRecord).optional(),
  payments: z.array(payment).optional(),
};

export const invoice = z
  .strictObject({
    id: text,
    status: oneOf(['issued', 'voided']),
    number: text,
    currency: text,
    subtotal: cents,
    tax: cents,
    total: cents,
    recipient_name: nullableText,
    recipient_tax_id: nullableText,
    email: nullableText,
    external_customer_id: nullableText,
    external_id: nullableText,
    invoice_date: instant,
    operation_date: instant,
    created_at: instant,
    type: oneOf(['complete', 'simplified']),
    number_series_id: text,
    recipient: recipient.nullable(),
    pdf_url: z.url(),
    verifactu: verifactu.nullable(),
    line_items: z.array(lineItem),
    kind: oneOf(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange']),
    rectifies: z.array(rectifiedReference),
    rectified_by: z.array(invoiceReference),
    ...extensions,
    ...expansions,
  })
  .meta({ id: 'Invoice' });

export const invoicePage = page(invoice).meta({ id: 'InvoicePage' });

const validatedLineItem = z.strictObject(pricedLine).meta({ id: 'ValidatedLineItem' });

const taxBreakdownItem = z
  .strictObject({
    type: oneOf(TAX_TYPES),
    name: text,
    rate: z.number(),
    base: cents,
    amount: cents,
  })
  .meta({ id: 'TaxBreakdownItem' });

export const validatedInvoice = z
  .strictObject({
    type: oneOf(['complete', 'simplified']),
    kind: oneOf(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange']),
    currency: text,
    subtotal: cents,
    tax: cents,
    total: cents,
    line_items: z.array(validatedLineItem),
    tax_breakdown: z.array(taxBreakdownItem),
    ...computed,
  })
  .meta({ id: 'ValidatedInvoice' });

export const download = z
  .strictObject({ download_url: z.url(), expires_at: instant })
  .meta({ id: 'Download' });

export const invoiceExport = z
  .strictObject({ invoices: z.int(), download_url: z.url(), expires_at: instant })
  .meta({ id: 'InvoiceExport' });

export const customerPortalSession = z
  .strictObject({
    id: text,
    url: z.url(),
    external_customer_id: text,
    integration_id: text,
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: 'CustomerPortalSession' });

export const accessToken = z
  .strictObject({ token: text, scopes: z.array(oneOf(KEY_SCOPES)), expires_at: instant })
  .meta({ id: 'AccessToken' });

export const taxIdValidation = z
  .strictObject({
    tax_id: text,
    tax_id_type: oneOf(TAX_ID_TYPES).nullable(),
    tax_id_country: nullableText,
    valid: z.boolean(),
    reason: oneOf(['format', 'not_registered', 'name_mismatch']).nullable(),
    register: oneOf(['aeat_census', 'vies']).nullable(),
    registered_name: text.optional(),
  })
  .meta({ id: 'TaxIdValidation' });

const endpointFields = {
  id: text,
  url: z.url(),
  event_types: z.array(oneOf([EVERY_TYPE, ...EVENT_TYPES])),
  description: nullableText,
  status: oneOf(['active', 'disabled']),
  disabled_reason: nullableText,
  created_at: instant,
};

export const webhookEndpoint = z.strictObject(endpointFields).meta({ id: 'WebhookEndpoint' });

export const webhookEndpointWithSecret = z
  .strictObject({ ...endpointFields, secret: text })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const webhookEndpointPage = page(webhookEndpoint).meta({ id: 'WebhookEndpointPage' });

const webhookAttempt = z
  .strictObject({
    at: instant,
    milliseconds: z.int(),
    http_status: z.int().nullable(),
    error: nullableText,
    response: nullableText,
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDelivery = z
  .strictObject({
    id: text,
    endpoint_id: text,
    event_id: text,
    event_type: oneOf(EVENT_TYPES),
    sequence: z.int(),
    status: oneOf(['pending', 'delivered', 'failed']),
    attempts: z.array(webhookAttempt),
    next_attempt_at: instant.nullable(),
    created_at: instant,
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookDeliveryPage = page(webhookDelivery).meta({ id: 'WebhookDeliveryPage' });

const emailDelivery = z
  .strictObject({
    ...{ address: text, status: oneOf(DELIVERY_STATUSES), response: nullableText, status_code: nullableText },
    copy: z.boolean(),
  })
  .meta({ id: 'EmailDelivery' });

export const invoiceEmail = z
  .strictObject({
    id: text,
    invoice_id: text,
    kind: oneOf(EMAIL_KINDS),
    reminder_days: z.int().nullable(),
    status: oneOf(EMAIL_STATUSES),
    reason: oneOf(EMAIL_FAULTS).nullable(),
    to: z.array(text),
    message: nullableText,
    language: oneOf(DOCUMENT_LANGUAGES),
    formats: z.array(oneOf(FORMAT_NAMES)),
    deliveries: z.array(emailDelivery),
    attempts: z.int(),
    last_error: nullableText,
    requested_by: text,
    created_at: instant,
    next_attempt_at: instant.nullable(),
    settled_at: instant.nullable(),
  })
  .meta({ id: 'InvoiceEmail' });

export const invoiceEmailPage = page(invoiceEmail).meta({ id: 'InvoiceEmailPage' });

export const emailSettings = z
  .strictObject({
    sender_name: nullableText,
    reply_to: nullableText,
    copy_to: nullableText,
    reminder_days: z.array(z.int()),
    reminder_language: oneOf(DOCUMENT_LANGUAGES).nullable(),
    reminder_message: nullableText,
  })
  .meta({ id: 'EmailSettings' });

const fieldIssue = z.strictObject({ field: text, code: text, message: text }).meta({ id: 'FieldIssue' });

export const errorEnvelope = z
  .strictObject({
    code: oneOf(codes),
    detail: text,
    errors: z.array(fieldIssue),
    doc_url: z.url(),
  })
  .meta({ id: 'Error' });

export const invoiceBatch = z
  .strictObject({
    id: text,
    status: oneOf(BATCH_STATUSES),
    ...{ size: z.int(), pending: z.int(), issued: z.int(), failed: z.int() },
    created_at: instant,
    completed_at: instant.nullable(),
  })
  .meta({ id: 'InvoiceBatch' });

export const invoiceBatchPage = page(invoiceBatch).meta({ id: 'InvoiceBatchPage' });

const invoiceBatchResult = z
  .strictObject({
    id: text,
    position: z.int(),
    external_id: text,
    status: oneOf(BATCH_RESULTS),
    invoice_id: nullableText,
    number: nullableText,
    error: errorEnvelope.nullable(),
  })
  .meta({ id: 'InvoiceBatchResult' });

export const invoiceBatchResultPage = page(invoiceBatchResult).meta({ id: 'InvoiceBatchResultPage' });
