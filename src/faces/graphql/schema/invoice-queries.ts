import { Refusal } from '../../../ground/errors/refusal.ts';
import { isInvoiceId } from '../../../subjects/invoices/list.ts';
import { builder } from '../builder.ts';
import { chargeInvoice } from '../charged-invoices.ts';
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
      if (context.bounded) await chargeInvoice(context, info, id);
      return valueOrThrow((await readInvoice(context, info, within, id)) ?? unknown);
    },
  }),
);
