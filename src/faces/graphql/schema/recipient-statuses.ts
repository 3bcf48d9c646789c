import { z } from 'zod';
import { RECIPIENT_STATUS, withFieldsOf } from '../../../ground/errors/fields.ts';
import { id } from '../../../ground/lib/request-fields.ts';
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
import { charged } from '../charged-rows.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { loadersOf } from '../loaders.ts';
import { Invoice } from './invoice.ts';
import { invoiceOf, recordOf } from './payments.ts';

/** The statuses that recipients state of invoices between businesses. */

const RecipientStatusEnum = builder.enumType('RecipientStatusKind', {
  description:
    'A status that the recipient of an invoice between businesses reports (Orden HAC/1028/2026); `withdrawn` is an addition of this API.',
  values: RECIPIENT_STATUSES,
});

const RecipientStatusType = builder.objectRef<RecipientStatus>('RecipientStatus').implement({
  description: 'A recorded status that the recipient of an invoice has reported. It is never changed.',
  fields: (t) => ({
    status: t.expose('status', { type: RecipientStatusEnum, description: 'The status.' }),
    on: t.expose('on', {
      type: 'Date',
      description: 'The day of the payment or rejection, or of its withdrawal.',
    }),
    toldOn: t.expose('toldOn', { type: 'Date', description: 'The day on which it was reported.' }),
    toldBy: t.expose('toldBy', {
      type: 'Date',
      nullable: true,
      description:
        'The last day to report it: four days after `on`, without weekends and national holidays; null for a withdrawal.',
    }),
    isLate: t.boolean({ description: 'Whether it was reported after that day.', resolve: isLate }),
    statusReason: t.exposeString('statusReason', {
      nullable: true,
      description: 'The reason; null for a payment.',
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
      'The status reported by its recipient that is in force; null if none was reported, or the last one was withdrawn.',
    resolve: async ({ invoice, pdfToken }, _args, context) =>
      pdfToken === undefined
        ? currentStatus(await loadersOf(context).recipientStatuses(invoice.environment_id, invoice.id))
        : null,
  }),
  recipientStatuses: t.field({
    type: [RecipientStatusType],
    complexity: { field: 20, multiplier: 5 },
    description:
      'All statuses reported by its recipient, in the order in which they were recorded; at most 20.',
    // No status exists of what is issued this moment, and a replayed answer is the same.
    resolve: async ({ invoice: { environment_id: environmentId, id }, pdfToken }, _args, context) => {
      if (pdfToken !== undefined) return [];
      return [...charged(context, await loadersOf(context).recipientStatuses(environmentId, id))];
    },
  }),
}));

const RecordRecipientStatusInput = inputType(
  z
    .strictObject({ invoiceId: id.describe('The invoice.'), ...recipientStatusRequest.shape })
    .describe(recipientStatusRequest.description!),
  'RecordRecipientStatusInput',
);

const RecipientStatusPayload = builder.objectRef<RecordedStatus>('RecipientStatusPayload').implement({
  description: 'The recorded status, with the invoice in its current state.',
  fields: (t) => ({
    recipientStatus: t.field({
      type: RecipientStatusType,
      description: 'The recorded status.',
      resolve: ({ recorded }) => recorded,
    }),
    invoice: t.field({
      type: Invoice,
      description: 'The invoice in its current state.',
      resolve: (recorded, _args, context, info) => invoiceOf(context, info, recorded),
    }),
  }),
});

builder.mutationField('recordRecipientStatus', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: RecipientStatusPayload,
    description:
      'Records a status reported by the recipient of an invoice: paid, rejected with a reason, or the withdrawal of an earlier status. It is added to the journal and announced by an event; payments do not change. Codes: `recipient_status_not_applicable`, `recipient_status_conflict`, `invoice_already_voided`, `invoice_already_replaced`.',
    args: {
      input: t.arg({ type: RecordRecipientStatusInput, required: true }),
      idempotencyKey: t.arg.string(),
      reason: t.arg.string({
        description: 'The reason; kept in the audit log. Required with an operator’s key.',
      }),
    },
    resolve: async (_root, args, context) => {
      const record = await recordOf(context, args, recipientStatusRequest, recordRecipientStatus);
      return valueOrThrow(withFieldsOf(RECIPIENT_STATUS, record));
    },
  }),
);
