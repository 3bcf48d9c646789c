import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { CONTRACT } from '../contract/all.ts';
import { CORRECTING, ISSUING } from '../contract/issuing-codes.ts';
import { contractPaths } from '../kernel/paths.ts';
import { documentPaths } from './document-paths.ts';
import * as examples from './examples.ts';
import { allowance, idOf, issued, keyHeader, operation, paging, query } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import { enumeration, type Json } from './schemas.ts';

type Refusals = ReturnType<typeof refusalsAt>;

const invoiceId = idOf('invoice', examples.CORRECTED);
const anyOf = (name: string): Json => ({ type: 'array', items: enumeration(name, 'sent') });
const someTexts: Json = {
  type: 'array',
  items: { type: 'string' },
  maxItems: GRAPHQL_LIMITS.filterValues.value,
};

const expand = query(
  'expand[]',
  anyOf('InvoiceExpansion'),
  'Additional fields of each invoice; may be given several times.',
);

/** Every operation, by path and method. */
export function pathsOf(refusing: Refusals): Json {
  return {
    ...invoicePaths(refusing),
    ...documentPaths(refusing),
    ...contractPaths(CONTRACT, refusing),
  };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of endpoints
function invoicePaths({ refusals }: Refusals): Json {
  return {
    '/v1/invoices': {
      get: operation(
        'listInvoices',
        'Invoices',
        'List invoices, newest first',
        'The invoices of the key’s environment. Follow `next_url` until it is null; no page repeats or skips one while others are being issued. Needs the scope `read`.',
        {
          parameters: [
            ...paging,
            query('external_customer_id', { type: 'string' }, 'Exact.'),
            query(
              'email',
              { type: 'string' },
              'Exact, in any case and in both spellings of an internationalised domain.',
            ),
            query('number', { type: 'string' }, 'Exact, in any case.'),
            query('external_id', someTexts, 'Exact, any of these; may be given several times.'),
            query('status', anyOf('InvoiceStatus'), 'Any of these; may be given several times.'),
            query('type', anyOf('InvoiceType'), 'Any of these; may be given several times.'),
            query('kind', anyOf('InvoiceKind'), 'Any of these; may be given several times.'),
            query(
              'verifactu_status',
              anyOf('RegistrationStatus'),
              'Any of these; may be given several times.',
            ),
            query(
              'payment_status',
              anyOf('PaymentStatus'),
              'The payment status today in Madrid: any of these; may be given several times.',
            ),
            query(
              'recipient_tax_id',
              someTexts,
              'Exact, but for case, spaces, dots and hyphens; any of these; may be given several times.',
            ),
            query(
              'number_series_id',
              someTexts,
              'Issued on any of these series; may be given several times.',
            ),
            query(
              'issued_from',
              { type: 'string', format: 'date' },
              'Issued on this day of Madrid or later.',
            ),
            query(
              'issued_to',
              { type: 'string', format: 'date' },
              'Issued on this day of Madrid or earlier.',
            ),
            {
              ...query(
                'metadata',
                { type: 'object', additionalProperties: { type: 'string' } },
                'As `metadata[key]`: invoices whose metadata has this value under the key. Several keys must all match; of a key given several times any value matches.',
              ),
              ...{ style: 'deepObject', explode: true },
            },
            expand,
          ],
          responses: {
            200: { description: 'A page', ...answered('InvoicePage', examples.invoicePage) },
            ...refusals(),
          },
        },
      ),
      post: operation(
        'createInvoice',
        'Invoices',
        'Issue an invoice',
        'Once answered, the invoice exists legally: it cannot be edited, only corrected. With `rectifies` it is a rectificativa. The service assigns number, date and totals. Send an `Idempotency-Key`. Needs the scope `issue`.',
        {
          parameters: [keyHeader, expand],
          requestBody: sent('InvoiceRequest', examples.invoiceRequests),
          responses: {
            201: { description: 'Issued', headers: issued, ...answered('Invoice', examples.invoice) },
            ...refusals(...withBody, ...ISSUING, ...CORRECTING, 'idempotency_conflict'),
          },
        },
      ),
    },
    '/v1/invoices/validate': {
      post: operation(
        'validateInvoice',
        'Invoices',
        'Check an invoice without issuing it',
        'The same body and the same checks as issuing, with nothing stored and no number used. Limited for each key. Needs the scope `issue`.',
        {
          requestBody: sent('InvoiceRequest', examples.invoiceRequests),
          responses: {
            200: {
              description: 'The invoice as it would be issued',
              headers: allowance,
              ...answered('ValidatedInvoice', examples.validatedInvoice),
            },
            ...refusals(...withBody, ...ISSUING, ...CORRECTING),
          },
        },
      ),
    },
    '/v1/invoices/{id}': {
      get: operation(
        'retrieveInvoice',
        'Invoices',
        'Read an invoice',
        'Poll `verifactu.status` until it is no longer `pending`. `pdf_url` is a new link each time. Needs the scope `read`.',
        {
          parameters: [invoiceId, expand],
          responses: {
            200: { description: 'The invoice', ...answered('Invoice', examples.registered) },
            ...refusals('invoice_not_found'),
          },
        },
      ),
      patch: operation(
        'updateInvoice',
        'Invoices',
        'Update an invoice’s metadata',
        'Only `metadata` can be changed: the invoice itself is corrected, never edited. Keys that are not mentioned stay. Needs the scope `issue`.',
        {
          parameters: [invoiceId],
          requestBody: sent('InvoiceChange', examples.invoiceChanges),
          responses: {
            200: { description: 'The invoice', ...answered('Invoice', examples.noted) },
            ...refusals(...withBody, 'invoice_not_found'),
          },
        },
      ),
    },
  };
}
