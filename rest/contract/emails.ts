import { z } from 'zod';
import { sendRequest } from '../../src/subjects/emails/send-request.ts';
import { emailSettingsChange } from '../../src/subjects/emails/settings-request.ts';
import {
  DELIVERY_STATUSES,
  EMAIL_FAULTS,
  EMAIL_KINDS,
  EMAIL_STATUSES,
} from '../../src/subjects/emails/types.ts';
import { DOCUMENT_LANGUAGES } from '../../src/subjects/extensions/types.ts';
import { FORMAT_NAMES } from '../../src/subjects/formats/types.ts';
import { CORRECTED } from '../openapi/examples.ts';
import { instant, nullableText, oneOf, text } from '../schema-parts.ts';
import { listed, paging } from './lists.ts';
import { operations } from './operation.ts';

const isEmailId = (value: string): boolean => /^eml_[0-9a-f]{32}$/.test(value);

const emailDelivery = z
  .strictObject({
    address: text.describe('The address.'),
    status: oneOf(DELIVERY_STATUSES).describe('The status.'),
    response: nullableText.describe(
      'The last answer of the mail server, or the diagnostic text of a later bounce.',
    ),
    status_code: nullableText.describe(
      'The enhanced status code (RFC 3463), such as `5.1.1`; null without one.',
    ),
    copy: z
      .boolean()
      .describe('True for your own copy (`copy_to`), which does not affect the status of the e-mail.'),
  })
  .meta({ id: 'EmailDelivery' });

const invoiceEmail = z
  .strictObject({
    id: text.describe('An opaque id.'),
    invoice_id: text.describe('The invoice.'),
    kind: oneOf(EMAIL_KINDS).describe('Why it was sent.'),
    reminder_days: z
      .int()
      .nullable()
      .describe('For a reminder, the number of days after the due date; otherwise null.'),
    status: oneOf(EMAIL_STATUSES).describe(
      '`sent` once the mail server has accepted it for every recipient.',
    ),
    reason: oneOf(EMAIL_FAULTS).nullable().describe('The reason for the failure; null if it has not failed.'),
    to: z.array(text).describe('The addresses to which it is sent.'),
    message: nullableText.describe('Text added to the message.'),
    language: oneOf(DOCUMENT_LANGUAGES).describe('The language of its text.'),
    formats: z.array(oneOf(FORMAT_NAMES)).describe('The structured documents attached beside the PDF.'),
    deliveries: z.array(emailDelivery).describe('The result for each recipient.'),
    attempts: z.int().describe('Number of delivery attempts to the mail server.'),
    last_error: nullableText.describe('Why the last attempt failed; null if it succeeded.'),
    requested_by: text.describe('The key that requested it; `reminder_schedule` for a reminder.'),
    created_at: instant.describe('When it was requested.'),
    next_attempt_at: instant.nullable().describe('The time of the next attempt; null once it is finished.'),
    settled_at: instant.nullable().describe('When it was delivered or abandoned.'),
  })
  .meta({ id: 'InvoiceEmail' });

const emailSettings = z
  .strictObject({
    sender_name: nullableText.describe(
      'The name beside the sender’s address; null for the company’s legal name.',
    ),
    reply_to: nullableText.describe(
      'The reply address; null if the message states that replies are not read.',
    ),
    copy_to: nullableText.describe('The address that receives a blind copy of each message; null for none.'),
    reminder_days: z
      .array(z.int())
      .describe(
        'Days after the due date on which reminders for unpaid invoices are sent, in ascending order; empty for none.',
      ),
    reminder_language: oneOf(DOCUMENT_LANGUAGES)
      .nullable()
      .describe('The language of reminders; null for the language of the invoice.'),
    reminder_message: nullableText.describe('Your own text in reminders; null without one.'),
  })
  .meta({ id: 'EmailSettings' });

const invoiceEmailExample = {
  id: 'eml_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9',
  invoice_id: CORRECTED,
  kind: 'invoice',
  reminder_days: null,
  status: 'queued',
  reason: null,
  to: ['ana@example.com'],
  message: 'Gracias por su compra.',
  language: 'es',
  formats: [],
  deliveries: [
    { address: 'ana@example.com', status: 'queued', response: null, status_code: null, copy: false },
  ],
  attempts: 0,
  last_error: null,
  requested_by: 'key_01a1f90e0b7a7cc0a4f1d1a2b3c4d5ea',
  created_at: '2026-11-20T13:00:00.000Z',
  next_attempt_at: '2026-11-20T13:00:00.000Z',
  settled_at: null,
};

const emailSettingsExample = {
  sender_name: 'Talleres Ñandú',
  reply_to: 'facturas@example.com',
  copy_to: null,
  reminder_days: [3, 10, 30],
  reminder_language: null,
  reminder_message: null,
};

const ids = { id: ['invoice', CORRECTED] } as const;

/** A body in which a single address may be sent instead of a list. */
function withList(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  const { to, ...others } = body as { to?: unknown };
  return typeof to === 'string' ? { ...others, to: [to] } : body;
}

export const emailOperations = operations('E-mail', [
  {
    id: 'sendInvoice',
    method: 'POST',
    path: '/v1/invoices/{id}/send',
    field: 'sendInvoice',
    renamed: { id: 'invoiceId' },
    summary: 'Send an invoice by e-mail',
    description:
      'Sends the PDF, and a link to the customer’s page if the invoice has a customer, in the invoice’s language. The e-mail is queued; read its result from the list of e-mails or from events. Needs the scope `issue`.',
    ids,
    isKeyed: true,
    body: {
      schema: sendRequest,
      read: withList,
      examples: {
        recipient: { summary: 'To the address on the invoice', value: {} },
        others: {
          summary: 'To others, with a message and the invoice in UBL',
          value: {
            to: ['ana@example.com', 'contabilidad@example.com'],
            message: 'Gracias.',
            formats: ['ubl'],
          },
        },
      },
    },
    answer: { status: 202, description: 'Queued', schema: invoiceEmail, example: invoiceEmailExample },
    codes: [
      'invoice_not_found',
      'idempotency_conflict',
      'email_not_available',
      'recipient_email_missing',
      'format_not_applicable',
    ],
    command: {
      name: 'invoices send',
      options: { to: 'to <addresses>' },
      examples: [['To somebody else', 'invoices send $INVOICE --to ana@example.com']],
    },
  },
  {
    id: 'listInvoiceEmails',
    method: 'GET',
    path: '/v1/invoices/{id}/emails',
    field: 'invoice.emails',
    summary: 'List the e-mails of an invoice',
    description:
      'Newest first, each with the mail server’s answer for each recipient. Needs the scope `read`.',
    ids,
    query: paging(isEmailId, 'e-mail'),
    answer: listed('InvoiceEmailPage', invoiceEmail, invoiceEmailExample),
    codes: ['invoice_not_found'],
  },
  {
    id: 'retrieveEmailSettings',
    method: 'GET',
    path: '/v1/email_settings',
    field: 'emailSettings',
    summary: 'Retrieve e-mail settings',
    description:
      'The sender of the environment’s e-mails, and the schedule of its payment reminders. Needs the scope `read`.',
    answer: {
      status: 200,
      description: 'The settings',
      schema: emailSettings,
      example: emailSettingsExample,
    },
  },
  {
    id: 'updateEmailSettings',
    method: 'PATCH',
    path: '/v1/email_settings',
    field: 'setEmailSettings',
    summary: 'Update e-mail settings',
    description:
      'Fields that are not sent remain unchanged; null restores the default. With `reminder_days`, reminders are sent by e-mail that many days after the due date while an amount is unpaid; days already past are skipped. Needs the scope `manage`.',
    body: {
      schema: emailSettingsChange,
      examples: {
        reply: { summary: 'Set the reply address', value: { reply_to: 'facturas@example.com' } },
        reminders: {
          summary: 'Reminders three, ten and thirty days after the due date',
          value: { reminder_days: [3, 10, 30], reminder_message: '¿Alguna duda? Llámenos.' },
        },
      },
    },
    answer: {
      status: 200,
      description: 'The settings',
      schema: emailSettings,
      example: emailSettingsExample,
    },
  },
]);
