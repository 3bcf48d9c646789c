import { RECIPIENT_STATUS, withFieldsOf } from '../../../ground/errors/fields.ts';
import { recipientStatusRequest } from '../../../subjects/payments/recipient-status-request.ts';
import {
  currentStatus,
  isLate,
  type RecordedStatus,
  recordRecipientStatus,
} from '../../../subjects/payments/recipient-statuses.ts';
import type { RecipientStatus } from '../../../subjects/payments/store/read-recipient-statuses.ts';
import { RECIPIENT_STATUSES } from '../../../subjects/payments/types.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { loadersOf } from '../loaders.ts';
import { Invoice } from './invoice.ts';
import { invoiceOf, recordOf } from './payments.ts';

/** What recipients say of invoices between businesses. */

const RecipientStatusEnum = builder.enumType('RecipientStatusKind', {
  description:
    'What the recipient of an invoice between businesses has said of it (Orden HAC/1028/2026); `withdrawn` is ours.',
  values: RECIPIENT_STATUSES,
});

const RecipientStatusType = builder.objectRef<RecipientStatus>('RecipientStatus').implement({
  description: 'What the recipient of an invoice has said of it, as it was recorded; it is never changed.',
  fields: (t) => ({
    status: t.expose('status', { type: RecipientStatusEnum, description: 'Which.' }),
    on: t.expose('on', {
      type: 'Date',
      description: 'The day on which it paid or rejected the invoice, or on which that was withdrawn.',
    }),
    toldOn: t.expose('toldOn', { type: 'Date', description: 'The day on which it said so.' }),
    toldBy: t.expose('toldBy', {
      type: 'Date',
      nullable: true,
      description:
        'The day until which it was to say so: four days after `on`, without weekends and national holidays; null of a withdrawal.',
    }),
    isLate: t.boolean({ description: 'Whether it said so later.', resolve: isLate }),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'Its reason; null of a payment.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
  }),
});

builder.objectFields(Invoice, (t) => ({
  recipientStatus: t.field({
    type: RecipientStatusType,
    nullable: true,
    complexity: 5,
    description:
      'What its recipient has said of it and counts; null when it has said nothing, or withdrawn it.',
    resolve: async ({ invoice, pdfToken }, _args, context) =>
      pdfToken === undefined
        ? currentStatus(await loadersOf(context).recipientStatuses(invoice.environment_id, invoice.id))
        : null,
  }),
  recipientStatuses: t.field({
    type: [RecipientStatusType],
    complexity: { field: 20, multiplier: 5 },
    description: 'All that its recipient has said of it, in the order in which it was recorded; at most 20.',
    // Nothing was said of what is issued this moment, and a replayed answer says the same.
    resolve: async ({ invoice, pdfToken }, _args, context) =>
      pdfToken === undefined
        ? [...(await loadersOf(context).recipientStatuses(invoice.environment_id, invoice.id))]
        : [],
  }),
}));

const RecordRecipientStatusInput = builder.inputType('RecordRecipientStatusInput', {
  description: 'What the recipient of an invoice has said of it.',
  fields: (t) => ({
    invoiceId: t.id({ required: true, description: 'The invoice of which it was said.' }),
    status: t.field({ type: RecipientStatusEnum, required: true, description: 'Which.' }),
    on: t.field({
      type: 'Date',
      required: true,
      description:
        'The day in Madrid on which it paid or rejected the invoice, or withdrew that: not in the future, not before that of the operation.',
    }),
    toldOn: t.field({ type: 'Date', description: 'The day on which it said so: today when left out.' }),
    statusReason: t.string({
      description:
        'Its reason, at most 500 characters: needed of a rejection and of a withdrawal, refused of a payment.',
    }),
  }),
});

const RecipientStatusPayload = builder.objectRef<RecordedStatus>('RecipientStatusPayload').implement({
  description: 'What was recorded of a recipient, and the invoice as it is now.',
  fields: (t) => ({
    recipientStatus: t.field({
      type: RecipientStatusType,
      description: 'What was recorded.',
      resolve: ({ recorded }) => recorded,
    }),
    invoice: t.field({
      type: Invoice,
      description: 'The invoice as it is now.',
      resolve: (recorded, _args, context, info) => invoiceOf(context, info, recorded),
    }),
  }),
});

builder.mutationField('recordRecipientStatus', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: RecipientStatusPayload,
    description:
      'Records what the recipient of an invoice has said of it: paid, rejected with a reason, or the withdrawal of an earlier status. It is added to the journal and announced by an event; no payment changes. Codes: `recipient_status_not_applicable`, `recipient_status_conflict`, `invoice_already_voided`, `invoice_already_replaced`.',
    args: {
      input: t.arg({ type: RecordRecipientStatusInput, required: true }),
      idempotencyKey: t.arg.string(),
      reason: t.arg.string({ description: 'Why; kept in the audit log. Operators must say it.' }),
    },
    resolve: async (_root, given, context) => {
      const record = await recordOf(context, given, recipientStatusRequest, recordRecipientStatus);
      return valueOrThrow(withFieldsOf(RECIPIENT_STATUS, record));
    },
  }),
);
