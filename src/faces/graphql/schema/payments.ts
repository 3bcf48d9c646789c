import type { GraphQLResolveInfo } from 'graphql';
import { z } from 'zod';
import type { Db } from '../../../ground/db/client.ts';
import { listedRows } from '../../../ground/db/listed.ts';
import { PAYMENT, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import type { Outcome } from '../../../ground/errors/refusal.ts';
import { readReason } from '../../../ground/journal/audit-log.ts';
import { id } from '../../../ground/lib/request-fields.ts';
import type { Caller, Operator } from '../../../subjects/accounts/entry/caller.ts';
import { atEnvironmentTime, MADRID_TIME } from '../../../subjects/accounts/entry/environment-time.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { type Recorder, recordPayment, removePayment } from '../../../subjects/payments/payments.ts';
import { paymentRequest } from '../../../subjects/payments/request.ts';
import type { Payment } from '../../../subjects/payments/shapes.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import { keyOf } from '../idempotency.ts';
import { inputType } from '../input-type.ts';
import { loadersOf } from '../loaders.ts';
import { pageCost } from '../paging.ts';
import { readInvoice } from '../read-invoices.ts';
import { paymentOf } from '../shown-invoice.ts';
import { PaymentMeansEnum, PaymentStatusEnum } from './enums.ts';
import { Invoice } from './invoice.ts';
import { Node } from './node-interface.ts';

/** What was paid of invoices. */

export const PaymentType = builder.objectRef<Payment>('Payment').implement({
  interfaces: [Node],
  description: 'A recorded payment of an invoice.',
  fields: (t) => ({
    id: t.exposeID('id'),
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'The amount in whole cents, more than 0; for a credit note, the amount refunded.',
    }),
    paidOn: t.expose('paidOn', { type: 'Date', description: 'The day on which it was paid.' }),
    means: t.expose('means', {
      type: PaymentMeansEnum,
      nullable: true,
      description: 'The means of payment; null if none was stated.',
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'Your own text; null if none was stated.',
    }),
    createdAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was recorded.' }),
    removedAt: t.expose('removedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was removed because it was recorded by mistake; null while it is in force.',
    }),
    invoiceId: t.exposeID('invoiceId', { description: 'The id of the invoice.' }),
    invoice: t.field({
      type: Invoice,
      complexity: 5,
      description: 'The invoice in its current state.',
      resolve: ({ environmentId, invoiceId }, _args, context, info) =>
        invoiceOf(context, info, { environmentId, invoiceId }),
    }),
  }),
});

/** The invoice as it is now. */
export async function invoiceOf(
  context: Context,
  info: GraphQLResolveInfo,
  { environmentId, invoiceId }: Pick<Payment, 'environmentId' | 'invoiceId'>,
): Promise<InvoiceView> {
  const found = await readInvoice(context, info, environmentId, invoiceId);
  if (found === null) throw new Error('the invoice of a payment has vanished');
  return found;
}

const NULL_WITHOUT_PAYMENTS =
  'Null if it is not payable: voided, replaced, exchanged, or a rectificativa by differences of an invoice here, which changes the amount due of that one.';

builder.objectFields(Invoice, (t) => ({
  paymentStatus: t.field({
    type: PaymentStatusEnum,
    nullable: true,
    description: `The payment status today. ${NULL_WITHOUT_PAYMENTS}`,
    resolve: (invoice) => paymentOf(invoice)?.status ?? null,
  }),
  amountPaid: t.field({
    type: 'SafeInt',
    nullable: true,
    description: `Payments of the invoice and its rectificativas less refunds. ${NULL_WITHOUT_PAYMENTS}`,
    resolve: (invoice) => paymentOf(invoice)?.paid ?? null,
  }),
  amountDue: t.field({
    type: 'SafeInt',
    nullable: true,
    description: `The amount still due, without withheld tax; negative if a refund is due. ${NULL_WITHOUT_PAYMENTS}`,
    resolve: (invoice) => paymentOf(invoice)?.due ?? null,
  }),
  payments: t.connection(
    {
      type: PaymentType,
      description:
        'Its own payments that have not been removed, in the order in which they were recorded. `first` and `last` are 1 to 100, 25 by default.',
      complexity: (args) => pageCost(args),
      resolve: async ({ invoice: { environment_id: environmentId, id }, pdfToken }, args, context) => {
        // Nothing was paid of what is issued this moment, and a replayed answer is the same.
        const isIssued = pdfToken !== undefined;
        const payments = isIssued ? [] : await loadersOf(context).payments(environmentId, id);
        return connectionOf(context, args, listedRows(payments, idOf), { idOf });
      },
    },
    ...namesOf('Payment'),
  ),
}));

const idOf = ({ id }: Payment): string => id;

const RecordPaymentInput = inputType(
  z
    .strictObject({ invoiceId: id.describe('The invoice that was paid.'), ...paymentRequest.shape })
    .describe(paymentRequest.description!),
  'RecordPaymentInput',
);

const PaymentPayload = builder.objectRef<Payment>('PaymentPayload').implement({
  description: 'A recorded or removed payment, with its invoice in its current state.',
  fields: (t) => ({
    payment: t.field({ type: PaymentType, description: 'The payment.', resolve: (payment) => payment }),
    invoice: t.field({
      type: Invoice,
      description: 'The invoice in its current state.',
      resolve: (payment, _args, context, info) => invoiceOf(context, info, payment),
    }),
  }),
});

/** A merchant records what is its environment's, an operator what is anybody's, and gives a reason. */
function recorderOf(
  { caller }: { readonly caller: Caller | Operator },
  reason: string | null | undefined,
): Recorder {
  if (caller.kind === 'operator') {
    return { actor: caller.keyId, within: null, reason: valueOrThrow(readReason({ reason: reason ?? '' })) };
  }
  const stated = reason == null ? null : valueOrThrow(readReason({ reason }));
  return { actor: caller.keyId, within: caller.environmentId, reason: stated };
}

type Recorded<Value> = { readonly outcome: Outcome<Value>; readonly replayed: boolean };

/**
 * Records something of an invoice with `record`, once for the idempotency key of the request; its days are validated against
 * the time of the caller's environment. `recordOf` refuses as `record` does, and with `invalid_request`.
 */
export async function recordOf<Request, Value>(
  context: Context & { readonly caller: Caller | Operator },
  args: {
    readonly input: { readonly invoiceId: string };
    readonly idempotencyKey?: string | null | undefined;
    readonly reason?: string | null | undefined;
  },
  schema: z.ZodType<Request>,
  record: (
    db: Db,
    by: Recorder,
    invoiceId: string,
    request: Request,
    repeated: { readonly key: string | null; readonly sent: unknown },
  ) => Promise<Recorded<Value>>,
): Promise<Outcome<Value>> {
  const { caller, services } = context;
  const by = recorderOf(context, args.reason);
  const key = valueOrThrow(keyOf(context, args.idempotencyKey));
  const { invoiceId, ...sent } = args.input;
  const time = caller.kind === 'merchant' ? caller : MADRID_TIME;
  const request = valueOrThrow(atEnvironmentTime(time, () => parseRequest(schema, sent)));
  const { outcome, replayed } = await record(services.db, by, invoiceId, request, { key, sent });
  context.replayed = replayed;
  return outcome;
}

const REASON = 'The reason; kept in the audit log. Required with an operator’s key.';

builder.mutationField('recordPayment', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: PaymentPayload,
    description:
      'Records a payment of an invoice, or a refund if its total is negative. The invoice itself does not change. Codes: `payment_exceeds_payable`, `too_many_payments`, `invoice_already_voided`, `invoice_already_replaced`, `invoice_has_live_canje`.',
    args: {
      input: t.arg({ type: RecordPaymentInput, required: true }),
      idempotencyKey: t.arg.string(),
      reason: t.arg.string({ description: REASON }),
    },
    resolve: async (_root, args, context) =>
      valueOrThrow(withFieldsOf(PAYMENT, await recordOf(context, args, paymentRequest, recordPayment))),
  }),
);

builder.mutationField('removePayment', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: PaymentPayload,
    description:
      'Removes a payment recorded by mistake; the journal keeps both facts. Removing it again has no effect.',
    args: {
      invoiceId: t.arg.id({ required: true }),
      paymentId: t.arg.id({ required: true }),
      reason: t.arg.string({ description: REASON }),
    },
    resolve: async (_root, { invoiceId, paymentId, reason }, context) => {
      const by = recorderOf(context, reason);
      return valueOrThrow(await removePayment(context.services.db, by, invoiceId, paymentId));
    },
  }),
);
