import { ORDER, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { issuingCaller } from '../../../subjects/accounts/entry/caller.ts';
import { atEnvironmentTime } from '../../../subjects/accounts/entry/environment-time.ts';
import { issueFromOrder, orderRequest } from '../../../subjects/customers/issue-from-order.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { readInvoice } from '../read-invoices.ts';
import { issuedInvoice, pdfToken } from '../shown-invoice.ts';
import { InvoiceTypeEnum } from './enums.ts';
import { Invoice } from './invoice.ts';
import { extensionInputs } from './invoice-extensions.ts';
import { LineItemInput, RecipientInput } from './issuing.ts';

const OrderCustomerInput = builder.inputType('OrderCustomerInput', {
  fields: (t) => ({
    externalCustomerId: t.string({
      required: true,
      description: 'The id of the customer in the integration.',
    }),
    name: t.string({
      description: 'The name; default, as for the e-mail address: the value from earlier orders.',
    }),
    email: t.string(),
  }),
});

/** Shapes only, like `IssueInvoiceInput`. */
const IssueInvoiceFromOrderInput = builder.inputType('IssueInvoiceFromOrderInput', {
  fields: (t) => ({
    integrationId: t.id({ required: true }),
    orderId: t.string({
      required: true,
      description: 'The id of the order: 1 to 255 characters, unique in the integration.',
    }),
    customer: t.field({ type: OrderCustomerInput, required: true }),
    lineItems: t.field({ type: [LineItemInput], required: true }),
    type: t.field({ type: InvoiceTypeEnum, required: true }),
    recipient: t.field({ type: RecipientInput }),
    externalId: t.string(),
    operationDate: t.field({
      type: 'Date',
      description: 'The day of the operation in Madrid; default: the day of issue.',
    }),
    recargoEquivalencia: t.boolean(),
    notes: t.string(),
    ...extensionInputs(t),
  }),
});

builder.mutationField('issueInvoiceFromOrder', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    type: Invoice,
    description:
      'Issues the invoice of an order of an integration, on the integration’s series. An order has one invoice: issuing it again returns that one.',
    args: { input: t.arg({ type: IssueInvoiceFromOrderInput, required: true }) },
    resolve: async (_root, { input }, context, info) => {
      const { caller } = context;
      const request = valueOrThrow(atEnvironmentTime(caller, () => parseRequest(orderRequest, input)));
      const { shares, eventLoop } = context.services;
      const { length: lines } = request.lineItems;
      shares.charge(caller.environmentId, 'issuing', Math.floor(lines / 50));
      await eventLoop.waitIfLarge(caller.environmentId, lines);
      const issued = await issueFromOrder(context.services, issuingCaller(caller), request, ({ invoice }) =>
        pdfToken(context, { environmentId: invoice.environment_id, id: invoice.id }),
      );
      const outcome = valueOrThrow(withFieldsOf(ORDER, issued));
      if (!('invoiceId' in outcome)) return issuedInvoice(outcome, caller);
      context.replayed = true;
      const before = await readInvoice(context, info, caller.environmentId, outcome.invoiceId);
      if (before === null) throw new Error('the invoice of an order has vanished');
      return before;
    },
  }),
);
