import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import type { Caller, Operator } from '../../../subjects/accounts/entry/caller.ts';
import { isInvoiceId } from '../../../subjects/invoices/list.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { builder } from '../builder.ts';
import { chargeInvoices } from '../charged-rows.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import type { Asked } from '../extent.ts';
import { readInvoice } from '../read-invoices.ts';
import { Invoice } from './invoice.ts';

/** An invoice of the caller's environment, for an operator of any; `invoice_not_found` if no invoice there has the id. */
export async function findInvoice(
  context: Context & { readonly caller: Caller | Operator },
  asked: Asked,
  id: string,
): Promise<Outcome<InvoiceView>> {
  // A merchant's key never sees another environment; an operator's sees them all.
  const within = context.caller.kind === 'operator' ? null : context.caller.environmentId;
  const unknown = new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
  if (!isInvoiceId(id)) return unknown;
  if (context.bounded && typeof asked !== 'string') await chargeInvoices(context, asked, [id]);
  return (await readInvoice(context, asked, within, id)) ?? unknown;
}

builder.queryField('invoice', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: Invoice,
    description:
      'One invoice of the environment, or with an operator’s key of any environment; `invoice_not_found` if no invoice has this id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => valueOrThrow(await findInvoice(context, info, id)),
  }),
);
