import { ORDER, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { issuingCaller } from '../../../subjects/accounts/entry/caller.ts';
import { atEnvironmentTime } from '../../../subjects/accounts/entry/environment-time.ts';
import { issueFromOrder, orderRequest } from '../../../subjects/issuing/issue-from-order.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { readInvoice } from '../read-invoices.ts';
import { issuedInvoice, pdfToken } from '../shown-invoice.ts';
import { Invoice } from './invoice.ts';

const IssueInvoiceFromOrderInput = inputType(orderRequest, 'IssueInvoiceFromOrderInput');

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
