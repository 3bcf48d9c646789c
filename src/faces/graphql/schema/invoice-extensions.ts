import type { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { EXTENSION_ANSWERS } from '../../../subjects/extensions/answers.ts';
import { changeMetadata } from '../../../subjects/invoices/metadata.ts';
import { invoiceChange } from '../../../subjects/invoices/metadata-request.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import type { Asked } from '../extent.ts';
import { answerFields } from '../output-type.ts';
import type { AuthContexts } from '../permissions.ts';
import { readInvoice } from '../read-invoices.ts';
import { Invoice } from './invoice.ts';

builder.objectFields(Invoice, (t) => ({
  ...answerFields(t, EXTENSION_ANSWERS, ({ invoice }: InvoiceView) => invoice),
  metadata: t.field({
    type: 'JSON',
    nullable: true,
    description: 'Your metadata in its current state: texts by key; null without any.',
    resolve: ({ metadata }) => metadata,
  }),
}));

builder.mutationField('updateInvoiceMetadata', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    type: Invoice,
    description:
      'Updates the metadata of an invoice, its only field that can be changed: keys that are not mentioned stay, null removes a key.',
    args: {
      id: t.arg.id({ required: true }),
      metadata: t.arg({
        type: 'JSON',
        required: true,
        description: 'The changes: a text or null for each key.',
      }),
    },
    resolve: async (_root, { id, metadata }, context, info) => {
      const change = valueOrThrow(parseRequest(invoiceChange, { metadata }));
      return changedInvoice(context, info, id, change);
    },
  }),
);

/** The invoice after an accepted change; throws `invoice_not_found` and the refusals of `changeMetadata`. */
export async function changedInvoice(
  context: AuthContexts['scope'],
  asked: Asked,
  id: string,
  { metadata }: z.output<typeof invoiceChange>,
): Promise<InvoiceView> {
  const { environmentId } = context.caller;
  valueOrThrow(await changeMetadata(context.services.db, environmentId, id, metadata));
  const changed = await readInvoice(context, asked, environmentId, id);
  if (changed === null) throw new Error('an invoice of which something was noted has vanished');
  return changed;
}
