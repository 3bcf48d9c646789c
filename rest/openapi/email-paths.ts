import * as examples from './email-examples.ts';
import { registered } from './examples.ts';
import { idOf, keyHeader, operation, paging, replayed } from './parts.ts';
import { answered, type refusalsAt, sent, withBody } from './responses.ts';
import type { Json } from './schemas.ts';

const invoiceId = idOf('invoice', registered.id);

/** The operations on e-mail. */
export function emailPaths({ refusals }: ReturnType<typeof refusalsAt>): Json {
  const settings = { description: 'The settings', ...answered('EmailSettings', examples.emailSettings) };
  return {
    '/v1/invoices/{id}/send': {
      post: operation(
        'sendInvoice',
        'E-mail',
        'Send an invoice by e-mail',
        'Its PDF, and a link to the customer’s page where the invoice has a customer, in the invoice’s language. The answer says that it is written down; what becomes of it is read from the list of its e-mails or heard of by events. Needs the scope `issue`.',
        {
          parameters: [invoiceId, keyHeader],
          requestBody: { ...sent('SendInvoiceRequest', examples.sendRequests), required: false },
          responses: {
            202: { description: 'Queued', headers: replayed, ...answered('InvoiceEmail', examples.email) },
            ...refusals(
              ...withBody,
              'idempotency_conflict',
              'invoice_not_found',
              'email_not_available',
              'recipient_email_missing',
              'format_not_applicable',
            ),
          },
        },
      ),
    },
    '/v1/invoices/{id}/emails': {
      get: operation(
        'listInvoiceEmails',
        'E-mail',
        'List the e-mails of an invoice',
        'Newest first, each with what the mail server said for each recipient. Needs the scope `read`.',
        {
          parameters: [invoiceId, ...paging],
          responses: {
            200: { description: 'A page', ...answered('InvoiceEmailPage', examples.emailPage) },
            ...refusals('invoice_not_found'),
          },
        },
      ),
    },
    '/v1/email_settings': {
      get: operation(
        'retrieveEmailSettings',
        'E-mail',
        'Retrieve e-mail settings',
        'As whom the key’s environment sends e-mail, and when it reminds of overdue invoices. Needs the scope `read`.',
        { responses: { 200: settings, ...refusals() } },
      ),
      patch: operation(
        'updateEmailSettings',
        'E-mail',
        'Update e-mail settings',
        'What is not sent stays; null goes back to the default. With `reminder_days` overdue invoices are reminded of by e-mail, so many days after each is due, while something of them is unpaid; days that are past are not made up for. Needs the scope `manage`.',
        {
          requestBody: sent('EmailSettingsChange', examples.settingsChanges),
          responses: { 200: settings, ...refusals(...withBody) },
        },
      ),
    },
  };
}
