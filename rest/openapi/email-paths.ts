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
        'Sends the PDF, and a link to the customer’s page if the invoice has a customer, in the invoice’s language. The e-mail is queued; read its result from the list of e-mails or from events. Needs the scope `issue`.',
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
        'Newest first, each with the mail server’s answer for each recipient. Needs the scope `read`.',
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
        'The sender of the environment’s e-mails, and the schedule of its payment reminders. Needs the scope `read`.',
        { responses: { 200: settings, ...refusals() } },
      ),
      patch: operation(
        'updateEmailSettings',
        'E-mail',
        'Update e-mail settings',
        'Fields that are not sent remain unchanged; null restores the default. With `reminder_days`, reminders are sent by e-mail that many days after the due date while an amount is unpaid; days already past are skipped. Needs the scope `manage`.',
        {
          requestBody: sent('EmailSettingsChange', examples.settingsChanges),
          responses: { 200: settings, ...refusals(...withBody) },
        },
      ),
    },
  };
}
