import type { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { changeMetadata } from '../../../subjects/invoices/metadata.ts';
import { invoiceChange } from '../../../subjects/invoices/metadata-request.ts';
import { withholdingOf } from '../../../subjects/invoices/payable.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import type { Asked } from '../extent.ts';
import type { AuthContexts } from '../permissions.ts';
import { readInvoice } from '../read-invoices.ts';
import { withheldOf } from '../shown-invoice.ts';
import { DocumentLanguageEnum, PaymentMeansEnum } from './enums.ts';
import { Invoice } from './invoice.ts';
import { WithholdingType } from './withholding.ts';

type Columns = InvoiceView['invoice'];

const PaymentTerms = builder.objectRef<NonNullable<Columns['payment']>>('PaymentTerms').implement({
  description: 'The means of payment of an invoice, as its request stated it.',
  fields: (t) => ({
    means: t.expose('means', { type: PaymentMeansEnum }),
    iban: t.exposeString('iban', {
      nullable: true,
      description: 'The IBAN without spaces; null if none was stated.',
    }),
    reference: t.exposeString('reference', { nullable: true }),
    terms: t.exposeString('terms', { nullable: true }),
  }),
});

const InvoiceReferences = builder
  .objectRef<NonNullable<Columns['references']>>('InvoiceReferences')
  .implement({
    description: 'The recipient’s references of an invoice, as its request stated them.',
    fields: (t) => ({
      purchaseOrder: t.exposeString('purchase_order', { nullable: true }),
      buyerReference: t.exposeString('buyer_reference', { nullable: true }),
      contract: t.exposeString('contract', { nullable: true }),
      project: t.exposeString('project', { nullable: true }),
    }),
  });

const DeliveryPeriod = builder.objectRef<NonNullable<Columns['delivery']>>('DeliveryPeriod').implement({
  description: 'A period of delivery or performance, both days included.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date' }),
    to: t.expose('to', { type: 'Date' }),
  }),
});

builder.objectFields(Invoice, (t) => ({
  dueDate: t.field({
    type: 'Date',
    nullable: true,
    description: 'The due date; null if its request stated none.',
    resolve: ({ invoice }) => invoice.due_date,
  }),
  pricesIncludeTax: t.boolean({
    nullable: true,
    description: 'True if its request stated prices including taxes; otherwise null.',
    resolve: ({ invoice }) => invoice.prices_include_tax,
  }),
  withholding: t.field({
    type: WithholdingType,
    nullable: true,
    description: 'The tax that the recipient withholds; null without withholding. Not part of `total`.',
    resolve: ({ invoice }) => withholdingOf(invoice),
  }),
  amountPayable: t.field({
    type: 'SafeInt',
    nullable: true,
    description: '`total` less the withheld tax; null without withholding.',
    resolve: ({ invoice }) => withheldOf(invoice)?.payable ?? null,
  }),
  payment: t.field({
    type: PaymentTerms,
    nullable: true,
    description: 'The means of payment; null if its request did not state it.',
    resolve: ({ invoice }) => invoice.payment,
  }),
  language: t.field({
    type: DocumentLanguageEnum,
    nullable: true,
    description: 'The language of its document; null for the company’s language.',
    resolve: ({ invoice }) => invoice.language,
  }),
  references: t.field({
    type: InvoiceReferences,
    nullable: true,
    description: 'The recipient’s references; null if its request stated none.',
    resolve: ({ invoice }) => invoice.references,
  }),
  delivery: t.field({
    type: DeliveryPeriod,
    nullable: true,
    description: 'The period of delivery or performance; null if its request stated none.',
    resolve: ({ invoice }) => invoice.delivery,
  }),
  draftId: t.id({
    nullable: true,
    description: 'The draft from which it was issued; null if it was issued without one.',
    resolve: ({ invoice }) => invoice.draft_id,
  }),
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
