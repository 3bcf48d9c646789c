import type { GraphQLResolveInfo } from 'graphql';
import { Refusal } from '../../../ground/errors/refusal.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { isInvoiceId } from '../../../subjects/invoices/list.ts';
import { countRows } from '../../../subjects/invoices/store/read-counts.ts';
import { builder } from '../builder.ts';
import { chargeRows, isOnlyField } from '../charged-values.ts';
import type { Context } from '../context.ts';
import { costOfField, LONGEST_INVOICE, valuesOf } from '../cost.ts';
import { valueOrThrow } from '../errors.ts';
import { readInvoice } from '../read-invoices.ts';
import { Invoice } from './invoice.ts';

builder.queryField('invoice', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: Invoice,
    description:
      'One invoice of the environment, or with an operator’s key of any environment; `invoice_not_found` if no invoice has this id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => {
      // A merchant's key never sees another environment; an operator's sees them all.
      const within = context.caller.kind === 'operator' ? null : context.caller.environmentId;
      const unknown = new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
      if (!isInvoiceId(id)) return valueOrThrow<never>(unknown);
      if (context.bounded) await chargeOne(context, info, id);
      return valueOrThrow((await readInvoice(context, info, within, id)) ?? unknown);
    },
  }),
);

/** Charges the request for the requested values of the invoice. A single invoice never exceeds the limit, so its rows are not counted. */
async function chargeOne(context: Context, info: GraphQLResolveInfo, id: string): Promise<void> {
  const cost = costOfField(info);
  if (isOnlyField(info) && valuesOf(cost, LONGEST_INVOICE) <= LIMITS.values.value) return;
  const isKnown = [...cost.keys()].every((rows) => rows === 'field');
  await chargeRows(context, info, isKnown ? {} : await countRows(context.services.db.pool, [id]), cost);
}
