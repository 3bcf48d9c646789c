import { z } from 'zod';
import { besideOthers, type Listed } from '../../../ground/db/listed.ts';
import { SENDING, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { Refusal } from '../../../ground/errors/refusal.ts';
import { id } from '../../../ground/lib/request-fields.ts';
import type { WrittenMessage } from '../../../subjects/emails/folder.ts';
import { EMAIL_LIMITS } from '../../../subjects/emails/limits.ts';
import { type BounceResult, processBounce } from '../../../subjects/emails/process-bounce.ts';
import { emailsOfInvoice, sendInvoice } from '../../../subjects/emails/send-invoice.ts';
import { sendRequest } from '../../../subjects/emails/send-request.ts';
import type { Delivery, Email } from '../../../subjects/emails/shapes.ts';
import {
  BOUNCE_OUTCOMES,
  DELIVERY_STATUSES,
  EMAIL_FAULTS,
  EMAIL_KINDS,
  EMAIL_STATUSES,
} from '../../../subjects/emails/types.ts';
import { FORMAT_NAMES } from '../../../subjects/formats/types.ts';
import { locateResource } from '../../../subjects/operations/store/read-location.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import { keyOf } from '../idempotency.ts';
import { inputType } from '../input-type.ts';
import { loadersOf } from '../loaders.ts';
import { pageCost } from '../paging.ts';
import { DocumentLanguageEnum } from './enums.ts';
import { InvoiceFormatEnum } from './formats.ts';
import { Invoice } from './invoice.ts';
import { invoiceReferredTo, READING } from './invoice-edges.ts';
import { Node } from './node-interface.ts';
import { operatorAction } from './operator-actions.ts';

const EmailKindEnum = builder.enumType('EmailKind', {
  description: 'Why an e-mail was sent. More values may be added.',
  values: EMAIL_KINDS,
});

const EmailStatusEnum = builder.enumType('EmailStatus', {
  description: 'The status of an e-mail.',
  values: EMAIL_STATUSES,
});

const EmailDeliveryStatusEnum = builder.enumType('EmailDeliveryStatus', {
  description: 'The status of an e-mail for one of its recipients.',
  values: DELIVERY_STATUSES,
});

const EmailFaultEnum = builder.enumType('EmailFault', {
  description: 'Why an e-mail has failed. More values may be added.',
  values: EMAIL_FAULTS,
});

const EmailDelivery = builder.objectRef<Delivery>('EmailDelivery').implement({
  description: 'The result of an e-mail for one of its recipients.',
  fields: (t) => ({
    address: t.exposeString('address', { description: 'The address.' }),
    status: t.expose('status', { type: EmailDeliveryStatusEnum, description: 'The status.' }),
    response: t.exposeString('response', {
      nullable: true,
      description:
        'The mail server’s last answer, or the diagnostic text of a later bounce; null before the first.',
    }),
    statusCode: t.exposeString('statusCode', {
      nullable: true,
      description:
        'The enhanced status code (RFC 3463), such as `5.1.1`: 5 is permanent, 4 temporary; null without one.',
    }),
    copy: t.exposeBoolean('copy', {
      description: 'True for the company’s copy (`copyTo`), which does not affect the status of the e-mail.',
    }),
  }),
});

export const InvoiceEmail = builder.objectRef<Email>('InvoiceEmail').implement({
  interfaces: [Node],
  description: 'An e-mail with an invoice: the request and its progress.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id, `eml_…`.' }),
    invoiceId: t.exposeID('invoiceId'),
    kind: t.expose('kind', { type: EmailKindEnum, description: 'Why it was sent.' }),
    reminderDays: t.exposeInt('reminder', {
      nullable: true,
      description: 'For a reminder, the number of days after the due date; otherwise null.',
    }),
    status: t.expose('status', {
      type: EmailStatusEnum,
      description: '`sent` once the mail server has accepted it for every recipient.',
    }),
    reason: t.expose('reason', {
      type: EmailFaultEnum,
      nullable: true,
      description: 'The reason for the failure; null if it has not failed.',
    }),
    to: t.exposeStringList('recipients', {
      complexity: EMAIL_LIMITS.emailRecipients.value,
      description: 'The addresses to which it is sent.',
    }),
    message: t.exposeString('message', {
      nullable: true,
      description: 'Text added to the message; null without any.',
    }),
    language: t.expose('language', { type: DocumentLanguageEnum, description: 'The language of its text.' }),
    formats: t.field({
      type: [InvoiceFormatEnum],
      complexity: FORMAT_NAMES.length,
      description: 'The structured documents attached beside the PDF.',
      resolve: ({ formats }) => formats,
    }),
    deliveries: t.field({
      type: [EmailDelivery],
      complexity: { multiplier: 5 },
      description: 'The result for each recipient.',
      resolve: ({ deliveries }) => deliveries,
    }),
    attempts: t.exposeInt('attempts', { description: 'Number of delivery attempts to the mail server.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed; null if it succeeded.',
    }),
    requestedBy: t.exposeID('requestedBy', {
      description: 'The key that requested it; `reminder_schedule` for a reminder.',
    }),
    createdAt: t.expose('requestedAt', { type: 'DateTime', description: 'When it was requested.' }),
    nextAttemptAt: t.expose('nextAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the next attempt; null once it is finished.',
    }),
    settledAt: t.expose('settledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was delivered or abandoned; null while it is queued.',
    }),
  }),
});

builder.objectField(InvoiceEmail, 'invoice', (t) =>
  t.field({
    type: Invoice,
    complexity: READING,
    description: 'The invoice in its current state.',
    resolve: ({ invoiceId }, _args, context, info) => invoiceReferredTo(context, info, invoiceId),
  }),
);

/** Counts and pages without cursors are read together with those of other invoices. */
function emailsOf(
  context: Context,
  { environment_id: environmentId, id }: { readonly environment_id: number; readonly id: string },
): Listed<Email> {
  const loaders = loadersOf(context);
  return besideOthers(emailsOfInvoice(context.services.db, environmentId, id), {
    first: (rows, backwards) => loaders.emails(environmentId, id, rows, backwards),
    count: () => loaders.emailCount(environmentId, id),
  });
}

builder.objectField(Invoice, 'emails', (t) =>
  t.connection(
    {
      type: InvoiceEmail,
      description:
        'The e-mails that delivered it, newest first. `first` and `last` are 1 to 100, 25 by default.',
      complexity: (args) => pageCost(args),
      resolve: ({ invoice }, args, context) => {
        return connectionOf(context, args, emailsOf(context, invoice), { idOf: ({ id }) => id });
      },
    },
    ...namesOf('InvoiceEmail'),
  ),
);

const SendInvoiceInput = inputType(
  z
    .strictObject({ invoiceId: id.describe('The invoice.'), ...sendRequest.shape })
    .meta({ description: 'The invoice to send, its recipients and attachments.' }),
  'SendInvoiceInput',
);

builder.mutationField('sendInvoice', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: InvoiceEmail,
    description:
      'Sends an invoice by e-mail: its PDF, and a link to the customer’s page if the invoice has a customer. The returned e-mail is queued and sent shortly afterwards. Codes: `invoice_not_found`, `email_not_available`, `recipient_email_missing`, `format_not_applicable`, `rate_limited`.',
    args: {
      input: t.arg({ type: SendInvoiceInput, required: true }),
      idempotencyKey: t.arg.string(),
      reason: t.arg.string({
        description: 'The reason; kept in the audit log. Required with an operator’s key.',
      }),
    },
    resolve: async (_root, { input, idempotencyKey, reason }, context) => {
      const { invoiceId, ...fields } = input;
      const key = valueOrThrow(keyOf(context, idempotencyKey));
      const request = valueOrThrow(parseRequest(sendRequest, fields));
      const { caller, services } = context;
      const operator = operatorAction(context, reason);
      const environmentId =
        caller.kind === 'merchant'
          ? caller.environmentId
          : (await locateResource(services.db.pool, invoiceId))?.environmentId;
      if (environmentId === undefined) return valueOrThrow<Email>(unknownInvoice());
      const requester = { by: caller.keyId, operator, key, sent: input };
      const done = await sendInvoice(services, environmentId, invoiceId, request, requester);
      context.replayed = done.replayed;
      return valueOrThrow(withFieldsOf(SENDING, done.outcome));
    },
  }),
);

function unknownInvoice(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of this id exists.');
}

const BounceOutcomeEnum = builder.enumType('BounceOutcome', {
  description: 'The result of a bounce message. More values may be added.',
  values: BOUNCE_OUTCOMES,
});

const ProcessedBounceType = builder.objectRef<BounceResult>('TakenBounce').implement({
  description: 'The result of a bounce message.',
  fields: (t) => ({
    outcome: t.expose('outcome', { type: BounceOutcomeEnum, description: 'The result.' }),
    email: t.expose('email', {
      type: InvoiceEmail,
      nullable: true,
      description:
        'The reported e-mail with its new status; null if the report concerns none of this installation.',
    }),
  }),
});

builder.mutationField('takeBounce', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: ProcessedBounceType,
    description:
      'Processes a bounce message (RFC 3464) that a mail server received for the return path of e-mails. Repeating it has no effect. Codes: `rate_limited`.',
    args: {
      message: t.arg.string({
        required: true,
        description: 'The whole message with its headers; only its first 256 KiB are read.',
      }),
    },
    resolve: async (_root, { message }, { services }) =>
      valueOrThrow(await processBounce(services, Buffer.from(message))),
  }),
);

const WrittenFile = builder.objectRef<WrittenMessage['attachments'][number]>('WrittenEmailFile').implement({
  description: 'An attachment of a message.',
  fields: (t) => ({
    filename: t.exposeString('filename'),
    mediaType: t.exposeString('mediaType'),
    content: t.string({ description: 'The file in base64.', resolve: ({ base64 }) => base64 }),
  }),
});

const WrittenEmail = builder.objectRef<WrittenMessage>('WrittenEmail').implement({
  description:
    'A message that a demo wrote into a folder instead of sending it. `node` does not return it: its id is that of the `InvoiceEmail`.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the e-mail, `eml_…`.' }),
    writtenAt: t.field({
      type: 'DateTime',
      description: 'When it was written.',
      resolve: ({ writtenAt }) => new Date(writtenAt),
    }),
    from: t.exposeString('from', { description: 'The sender.' }),
    to: t.exposeStringList('to', {
      complexity: EMAIL_LIMITS.emailRecipients.value,
      description: 'The addresses to which it is sent.',
    }),
    subject: t.exposeString('subject', { description: 'The subject.' }),
    text: t.exposeString('text', { description: 'The plain text.' }),
    html: t.exposeString('html', { description: 'The HTML text.' }),
    attachments: t.field({
      type: [WrittenFile],
      // The PDF and each format.
      complexity: { multiplier: 1 + FORMAT_NAMES.length },
      description: 'The attachments.',
      resolve: ({ attachments }) => attachments,
    }),
  }),
});

/** Reading one reads a file of as much as a message may have. */
const READING_A_MESSAGE = 20;

builder.queryFields((t) => ({
  writtenEmails: t.withAuth({ role: 'viewer' }).field({
    type: [WrittenEmail],
    nullable: true,
    complexity: { field: READING_A_MESSAGE, multiplier: 50 },
    description:
      'The last 50 messages that a demo wrote into a folder instead of sending them, newest first; null on other installations.',
    resolve: (_root, _args, { services }) => services.mailer?.folder?.list().slice(0, 50) ?? null,
  }),
  writtenEmail: t.withAuth({ role: 'viewer' }).field({
    type: WrittenEmail,
    nullable: true,
    complexity: READING_A_MESSAGE,
    description: 'One written message; null if no e-mail has this id.',
    args: { id: t.arg.id({ required: true, description: 'The id of the e-mail.' }) },
    resolve: (_root, { id }, { services }) => services.mailer?.folder?.find(id) ?? null,
  }),
}));
