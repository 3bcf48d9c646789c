import { z } from 'zod';
import { codes } from '../src/ground/errors/catalogue.ts';
import { EVENT_TYPES } from '../src/ground/journal/entry.ts';
import { KEY_SCOPES } from '../src/subjects/accounts/entry/permissions.ts';
import { TAX_ID_TYPES } from '../src/subjects/tax-ids/types.ts';
import { TAX_TYPES } from '../src/subjects/taxes/types.ts';
import { EVERY_TYPE } from '../src/subjects/webhooks/request.ts';
import { extensions } from './invoice-extensions.ts';

/** What REST answers, for the OpenAPI document and for the tests that hold the answers to it. */

const text = z.string();
const nullableText = text.nullable();
const cents = z.int().describe('Whole cents.');
const instant = z.iso.datetime();
/** An enumeration; whether it may grow is told in the document alone: the tests hold answers to the values that there are. */
const oneOf = (values: readonly string[]) => z.enum(values as [string, ...string[]]);

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

const verifactuError = z
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
  })
  .meta({ id: 'Invoice' });

const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: nullableText,
    next_url: nullableText,
  });

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
  })
  .meta({ id: 'ValidatedInvoice' });

export const download = z
  .strictObject({ download_url: z.url(), expires_at: instant })
  .meta({ id: 'Download' });

export const numberSeries = z
  .strictObject({
    id: text,
    prefix: text,
    type: oneOf(['standard', 'rectifying']),
    yearly: z.boolean(),
    is_default: z.boolean(),
    imported: z.literal(true).optional(),
    created_at: instant,
  })
  .meta({ id: 'NumberSeries' });

export const numberSeriesPage = page(numberSeries).meta({ id: 'NumberSeriesPage' });

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
  })
  .meta({ id: 'TaxIdValidation' });

const eventData = z
  .strictObject({
    object: z.record(text, z.unknown()),
    previous: z.record(text, z.unknown()).optional(),
  })
  .meta({ id: 'EventData' });

export const event = z
  .strictObject({
    id: text,
    type: oneOf(EVENT_TYPES),
    sequence: z.int(),
    created_at: instant,
    environment: z.enum(['test', 'live']),
    data: eventData,
  })
  .meta({ id: 'Event' });

export const eventPage = page(event).meta({ id: 'EventPage' });

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

const fieldIssue = z.strictObject({ field: text, code: text, message: text }).meta({ id: 'FieldIssue' });

export const errorEnvelope = z
  .strictObject({
    code: oneOf(codes),
    detail: text,
    errors: z.array(fieldIssue),
    doc_url: z.url(),
  })
  .meta({ id: 'Error' });
