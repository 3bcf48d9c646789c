import { z } from 'zod';
import { codes } from '../src/ground/errors/catalogue.ts';
import { TAX_ID_TYPES } from '../src/subjects/tax-ids/types.ts';
import { EXEMPTIONS, OPERATION_CLASSES, REGIME_KEYS, TAX_TYPES } from '../src/subjects/taxes/types.ts';
import { payment } from './contract/payments.ts';
import { computed, extensions } from './invoice-extensions.ts';
import { lineTerms } from './line-terms.ts';
import { cents, instant, nullableText, oneOf, text } from './schema-parts.ts';

/** The answers of REST, for the OpenAPI document and for the tests that check answers against it. */

/** What a line says of its classification. */
const said = {
  regime_key: oneOf(REGIME_KEYS).optional(),
  operation_class: oneOf(OPERATION_CLASSES).optional(),
  exemption: oneOf(EXEMPTIONS).optional(),
};

const taxItem = z
  .strictObject({
    name: text,
    type: oneOf(TAX_TYPES),
    rate: z.number(),
    amount: cents,
    ...said,
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

const lineItem = z
  .strictObject({ id: text, ...pricedLine, rectifies_invoice_id: text.optional() })
  .meta({ id: 'LineItem' });

export const address = z
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
    given_name: text.optional(),
    surnames: text.optional(),
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
  .strictObject({ number: text, issued_on: z.iso.date(), operation_date: z.iso.date().optional() })
  .meta({ id: 'ExternalOriginal' });

const externalReference = z.strictObject({ external: externalOriginal }).meta({ id: 'ExternalReference' });

const rectifiedReference = z.union([invoiceReference, externalReference]).meta({ id: 'RectifiedReference' });

const rectifiedPeriod = z
  .strictObject({ from: z.iso.date(), to: z.iso.date() })
  .meta({ id: 'RectifiedPeriod' });

const rectification = z
  .strictObject({
    method: oneOf(['differences', 'substitution']).nullable(),
    reason: oneOf(['correction', 'insolvency', 'uncollectible', 'other', 'volume_discount']).nullable(),
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
    rectified_period: rectifiedPeriod.optional(),
    rectified_by: z.array(invoiceReference),
    ...extensions,
    ...expansions,
  })
  .meta({ id: 'Invoice' });

const validatedLineItem = z.strictObject(pricedLine).meta({ id: 'ValidatedLineItem' });

const taxBreakdownItem = z
  .strictObject({
    type: oneOf(TAX_TYPES),
    name: text,
    rate: z.number(),
    base: cents,
    amount: cents,
    ...said,
  })
  .meta({ id: 'TaxBreakdownItem' });

const fieldIssue = z.strictObject({ field: text, code: text, message: text }).meta({ id: 'FieldIssue' });

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
    errors: z.array(fieldIssue).optional(),
    warnings: z.array(fieldIssue),
    ...computed,
  })
  .meta({ id: 'ValidatedInvoice' });

export const errorEnvelope = z
  .strictObject({
    code: oneOf(codes),
    detail: text,
    errors: z.array(fieldIssue),
    doc_url: z.url(),
  })
  .meta({ id: 'Error' });
