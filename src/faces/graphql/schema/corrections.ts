import type { GraphQLResolveInfo } from 'graphql';
import { EXCHANGE, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import type { Outcome } from '../../../ground/errors/refusal.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { amendRecord } from '../../../subjects/rectifying/amend-record.ts';
import { amendmentRequest } from '../../../subjects/rectifying/amended-content.ts';
import {
  environmentOfExchange,
  exchangeInvoices,
  exchangeRequest,
} from '../../../subjects/rectifying/exchange.ts';
import { voidInvoice, voidRequest } from '../../../subjects/rectifying/void-invoice.ts';
import { correctorOf } from '../../../subjects/rectifying/who-may-correct.ts';
import { skipRecord, skipRequest } from '../../../subjects/registration/skip-record.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { readInvoice } from '../read-invoices.ts';
import { Invoice } from './invoice.ts';

/** Corrections beside rectificativas. */

/** The invoice as it is now that the act is done. */
async function readBack(
  context: Context,
  info: GraphQLResolveInfo,
  { environmentId, invoiceId }: { environmentId: number; invoiceId: string },
): Promise<InvoiceView> {
  const found = await readInvoice(context, info, environmentId, invoiceId);
  if (found === null) throw new Error('an invoice that was acted on has vanished');
  return found;
}

builder.mutationField('voidInvoice', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: Invoice,
    description:
      'Cancels an invoice that should never have been issued, here and at the agency. If the agency has rejected the cancellation, repeating the request sends another one.',
    args: { invoiceId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, args, context, info) => {
      const request = valueOrThrow(parseRequest(voidRequest, args));
      const voided = await voidInvoice(context.services, correctorOf(context.caller), request);
      return readBack(context, info, valueOrThrow(voided));
    },
  }),
);

const ExchangeInvoicesInput = inputType(exchangeRequest, 'ExchangeInvoicesInput');

builder.mutationField('exchangeInvoices', (t) =>
  t.withAuth({ scope: 'issue', role: 'operator' }).field({
    type: Invoice,
    description:
      'Issues one complete invoice in exchange for simplified ones (F3). They remain valid, but cannot be corrected unless it is voided.',
    args: { input: t.arg({ type: ExchangeInvoicesInput, required: true }) },
    resolve: async (_root, { input }, context, info) => {
      const { actor, within } = correctorOf(context.caller);
      const request = valueOrThrow(parseRequest(exchangeRequest, input));
      const environmentId = within ?? valueOrThrow(await environmentOfExchange(context.services, request));
      const outcome = await exchangeInvoices(context.services, actor, environmentId, request);
      const { invoice } = valueOrThrow(withFieldsOf(EXCHANGE, outcome));
      return readBack(context, info, { environmentId, invoiceId: invoice.id });
    },
  }),
);

const AmendRecordInput = inputType(amendmentRequest, 'AmendRecordInput');

builder.mutationField('amendRecord', (t) =>
  t.withAuth({ scope: 'correct', role: 'operator' }).field({
    type: Invoice,
    description:
      'Corrects the declaration of an invoice by a further record. The invoice and its amounts stay unchanged. What the agency rejected or flagged is sent again with the same content where nothing is corrected; what it accepted without errors can be amended where something of the record changes. What would contradict the printed invoice is refused (`amendment_needs_rectification`).',
    args: { input: t.arg({ type: AmendRecordInput, required: true }) },
    resolve: async (_root, { input }, context, info) => {
      const request = valueOrThrow(parseRequest(amendmentRequest, input));
      const amended = await amendRecord(context.services, correctorOf(context.caller), request);
      return readBack(context, info, valueOrThrow(amended));
    },
  }),
);

builder.mutationField('skipRecord', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: Invoice,
    description:
      'Marks a pending record as skipped, so that it is never sent; it must not have been sent yet.',
    args: { recordId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, args, context, info) => {
      const { keyId } = context.caller;
      const request = valueOrThrow(parseRequest(skipRequest, args));
      const outcome: Outcome<{ environmentId: number; invoiceId: string }> = await skipRecord(
        context.services.db,
        keyId,
        request,
      );
      return readBack(context, info, valueOrThrow(outcome));
    },
  }),
);
