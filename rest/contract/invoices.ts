import { z } from 'zod';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { INVOICE_LIST_VALUES } from '../../src/faces/graphql/schema/invoice-list.ts';
import { isExistingDay } from '../../src/ground/lib/calendar.ts';
import { exactLine, taxIdLine } from '../../src/ground/lib/text.ts';
import { invoiceChange } from '../../src/subjects/invoices/metadata-request.ts';
import { PAYMENT_STATUSES } from '../../src/subjects/invoices/types.ts';
import { invoiceRequest } from '../../src/subjects/issuing/request.ts';
import { voidBody } from '../../src/subjects/rectifying/void-request.ts';
import { voidInvoice } from '../exchanges.ts';
import { EXPANSIONS } from '../invoice-expansions.ts';
import { changeInvoice, getInvoice, issueInvoice, listInvoices, validateInvoice } from '../invoices.ts';
import * as examples from '../openapi/examples.ts';
import { invoice, validatedInvoice } from '../response-schemas.ts';
import { CORRECTING, ISSUING } from './issuing-codes.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

const ANY = 'Any of these; may be given several times.';

const anyOf = <const Values extends readonly string[]>(values: Values) =>
  z.array(z.enum(values)).describe(ANY);

/** Texts of which any matches; the document leaves their length out. */
const someTexts = (value: z.ZodType, description: string) =>
  z.array(value).meta({ description, maxItems: GRAPHQL_LIMITS.filterValues.value });

const day = z.string().refine(isExistingDay, 'must be an existing day, YYYY-MM-DD').meta({ format: 'date' });

const expand = {
  'expand[]': z
    .array(z.enum(EXPANSIONS))
    .describe('Additional fields of each invoice; may be given several times.'),
};

const ids = { id: ['invoice', examples.CORRECTED] } as const;
const body = { schema: invoiceRequest, examples: examples.invoiceRequests };

export const invoiceOperations = operations('Invoices', [
  {
    id: 'listInvoices',
    method: 'GET',
    path: '/v1/invoices',
    field: 'invoices',
    summary: 'List invoices, newest first',
    description:
      'The invoices of the key’s environment. Follow `next_url` until it is null; no page repeats or skips one while others are being issued. Needs the scope `read`.',
    query: {
      ...paging(INVOICE_LIST_VALUES.isAfter, 'invoice'),
      external_customer_id: INVOICE_LIST_VALUES.externalCustomerId.describe('Exact.'),
      email: INVOICE_LIST_VALUES.email.describe(
        'Exact, in any case and in both spellings of an internationalised domain.',
      ),
      number: INVOICE_LIST_VALUES.number.describe('Exact, in any case.'),
      external_id: someTexts(exactLine(255), 'Exact, any of these; may be given several times.'),
      status: anyOf(['issued', 'voided']),
      type: anyOf(['complete', 'simplified']),
      kind: anyOf(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange']),
      verifactu_status: anyOf(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
      payment_status: z
        .array(z.enum(PAYMENT_STATUSES))
        .describe('The payment status today: any of these; may be given several times.'),
      recipient_tax_id: someTexts(
        taxIdLine(60),
        'Exact, but for case, spaces, dots and hyphens; any of these; may be given several times.',
      ),
      number_series_id: someTexts(
        exactLine(60),
        'Issued on any of these series; may be given several times.',
      ),
      issued_from: day.describe('Issued on this day or later.'),
      issued_to: day.describe('Issued on this day or earlier.'),
      due_from: day.describe('Due on this day or later; invoices without a due day do not match.'),
      due_to: day.describe('Due on this day or earlier; invoices without a due day do not match.'),
      amount_due_min: z
        .int()
        .describe(
          'With at least this `amount_due`, in whole cents; those of which nothing is to be paid do not match.',
        ),
      amount_due_max: z
        .int()
        .describe(
          'With at most this `amount_due`, in whole cents; those of which nothing is to be paid do not match.',
        ),
      metadata: z
        .record(z.string(), z.string())
        .describe(
          'As `metadata[key]`: invoices whose metadata has this value under the key. Several keys must all match; of a key given several times any value matches.',
        ),
      ...expand,
    },
    renamed: {
      external_id: 'externalIds',
      verifactu_status: 'registrationStatus',
      recipient_tax_id: 'recipientTaxIds',
      number_series_id: 'seriesIds',
    },
    answer: { ...listed('InvoicePage', invoice, {}), example: examples.invoicePage },
    handler: listInvoices,
  },
  {
    id: 'createInvoice',
    method: 'POST',
    path: '/v1/invoices',
    field: 'issueInvoice',
    summary: 'Issue an invoice',
    description:
      'Once answered, the invoice exists legally: it cannot be edited, only corrected. With `rectifies` it is a rectificativa. The service assigns number, date and totals. Send an `Idempotency-Key`. Needs the scope `issue`.',
    isKeyed: true,
    query: expand,
    body,
    answer: { status: 201, description: 'Issued', schema: invoice, example: examples.invoice },
    codes: [...ISSUING, ...CORRECTING],
    handler: issueInvoice,
  },
  {
    id: 'validateInvoice',
    method: 'POST',
    path: '/v1/invoices/validate',
    field: 'validateInvoice',
    limit: 'validate_invoice',
    summary: 'Check an invoice without issuing it',
    description:
      'The same body and the same checks as issuing, with nothing stored and no number used. `warnings` has what is lawful and yet likely wrong. Limited for each key. Needs the scope `issue`.',
    query: {
      partial: z
        .boolean()
        .default(false)
        .describe(
          'Whether to answer the amounts although the recipient is missing or faulty; `errors` then says what is wrong with it.',
        ),
    },
    body,
    answer: {
      status: 200,
      description: 'The invoice as it would be issued',
      schema: validatedInvoice,
      example: examples.validatedInvoice,
    },
    codes: [...ISSUING, ...CORRECTING],
    handler: validateInvoice,
  },
  {
    id: 'retrieveInvoice',
    method: 'GET',
    path: '/v1/invoices/{id}',
    field: 'invoice',
    summary: 'Read an invoice',
    description:
      'Poll `verifactu.status` until it is no longer `pending`. `pdf_url` is a new link each time. Needs the scope `read`.',
    ids,
    query: expand,
    answer: { status: 200, description: 'The invoice', schema: invoice, example: examples.registered },
    codes: ['invoice_not_found'],
    handler: getInvoice,
    command: { name: 'invoices get', examples: [['As JSON', 'invoices get $INVOICE --json']] },
    tool: { name: 'read_invoice' },
  },
  {
    id: 'updateInvoice',
    method: 'PATCH',
    path: '/v1/invoices/{id}',
    field: 'updateInvoiceMetadata',
    summary: 'Update an invoice’s metadata',
    description:
      'Only `metadata` can be changed: the invoice itself is corrected, never edited. Keys that are not mentioned stay. Needs the scope `issue`.',
    ids,
    body: {
      schema: invoiceChange,
      examples: {
        note: {
          summary: 'Sets one key and removes another',
          value: { metadata: { order: '17', draft: null } },
        },
      },
    },
    answer: { status: 200, description: 'The invoice', schema: invoice, example: examples.noted },
    codes: ['invoice_not_found'],
    handler: changeInvoice,
  },
  {
    id: 'voidInvoice',
    method: 'POST',
    path: '/v1/invoices/{id}/void',
    field: 'voidInvoice',
    summary: 'Void an invoice',
    description:
      'Cancels an invoice that should never have been issued, here and at the agency, with what was issued together with it. What was sold and came back is corrected by a rectificativa instead. If the agency has rejected the cancellation, another request sends another one. Needs the scope `correct`.',
    ids,
    isKeyed: true,
    body: {
      schema: voidBody,
      examples: { twice: { summary: 'Issued twice by mistake', value: { reason: 'Issued twice' } } },
    },
    answer: {
      status: 200,
      description: 'Voided',
      schema: invoice,
      example: { ...examples.registered, status: 'voided' },
    },
    codes: [
      'invoice_not_found',
      'idempotency_conflict',
      'invoice_already_voided',
      'invoice_has_live_canje',
      'invoice_already_replaced',
      'invoice_not_family_tip',
      'invoice_pending_at_aeat',
      'invoice_not_rectifiable_at_aeat',
    ],
    handler: voidInvoice,
  },
]);
