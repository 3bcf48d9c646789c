import { z } from 'zod';
import { DOCUMENT_LANGUAGES, PAYMENT_MEANS } from '../src/subjects/extensions/types.ts';
import { PAYMENT_STATUSES } from '../src/subjects/invoices/types.ts';
import { oneOf } from './schema-parts.ts';

/** The optional fields of an invoice, as REST shows it: absent unless its request named them. */

const text = z.string();

const paymentTerms = z
  .strictObject({
    means: z.enum(PAYMENT_MEANS),
    ...{ iban: text.optional(), reference: text.optional(), terms: text.optional() },
  })
  .meta({ id: 'PaymentTerms' });

const references = z
  .strictObject({
    ...{ purchase_order: text.optional(), buyer_reference: text.optional() },
    ...{ contract: text.optional(), project: text.optional() },
  })
  .meta({ id: 'InvoiceReferences' });

const delivery = z.strictObject({ from: z.iso.date(), to: z.iso.date() }).meta({ id: 'DeliveryPeriod' });

const withholding = z
  .strictObject({
    type: z.enum(['irpf']),
    rate: z.number(),
    base: z.int().describe('Whole cents.'),
    amount: z.int().describe('Whole cents.'),
  })
  .meta({ id: 'Withholding' });

/** As returned by `validate`. */
export const computed = {
  withholding: withholding.optional(),
  amount_payable: z.int().describe('Whole cents.').optional(),
};

/** As returned for an invoice. */
export const extensions = {
  due_date: z.iso.date().optional(),
  payment: paymentTerms.optional(),
  language: z.enum(DOCUMENT_LANGUAGES).optional(),
  references: references.optional(),
  delivery: delivery.optional(),
  metadata: z.record(text, text).optional(),
  draft_id: text.optional(),
  prices_include_tax: z.boolean().optional(),
  payment_status: oneOf(PAYMENT_STATUSES).optional(),
  amount_paid: z.int().describe('Whole cents.').optional(),
  amount_due: z.int().describe('Whole cents.').optional(),
  ...computed,
};

type Extension = keyof typeof extensions;

/** Their descriptions in the OpenAPI document. */
export const EXTENSION_DESCRIPTIONS = {
  due_date: 'The due date, if the request named it.',
  payment: 'The means of payment, as the request stated it; absent otherwise.',
  language: 'Language of the PDF, if the request named it.',
  references: 'The recipient’s references, as the request stated them; absent otherwise.',
  delivery: 'The days of delivery or performance, if the request named them.',
  metadata: 'Your metadata as it is now; absent if there is none.',
  draft_id: 'The draft from which it was issued, if any.',
  prices_include_tax: 'True if the request said so.',
  payment_status:
    'The payment status today in Madrid; present if the invoice has a due date or a means of payment, if a payment was recorded, or with `expand[]=payments`. Absent if the invoice is not payable: voided, replaced, exchanged, or a rectificativa by differences of an invoice here.',
  amount_paid:
    'Payments of the invoice and its rectificativas less refunds; present together with `payment_status`.',
  amount_due:
    'The amount still due, without withheld tax; negative if a refund is due. Present together with `payment_status`.',
  withholding: 'The tax that the recipient withholds; absent without withholding. Not part of `total`.',
  amount_payable: '`total` less the withheld tax; absent without withholding.',
} as const satisfies Readonly<Record<Extension, string>>;

/** The descriptions of their nested objects in the OpenAPI document. */
export const EXTENSION_OBJECT_DESCRIPTIONS = {
  PaymentTerms: {
    means: 'The means of payment.',
    iban: 'The account to be paid; with `direct_debit` the account to be charged. Without spaces.',
    reference: 'The payment reference for the payer.',
    terms: 'The payment terms as text.',
  },
  InvoiceReferences: {
    purchase_order: 'The number of the order.',
    buyer_reference: 'The buyer’s reference, such as an office or a person.',
    contract: 'The number of the contract.',
    project: 'The name or number of the project.',
  },
  DeliveryPeriod: { from: 'The first day.', to: 'The last day.' },
  Withholding: {
    type: 'The tax.',
    rate: 'The percentage: 15 means 15 %.',
    base: 'The base of the withholding: the net total.',
    amount: 'Rounded half away from zero.',
  },
};
