import { NEWEST_FIRST } from '../../../subjects/invoices/filter.ts';
import { builder } from '../builder.ts';
import { sharedBy } from '../connections.ts';
import { pageCost, requestedPage } from '../paging.ts';
import { CustomerType } from './customers.ts';
import { Invoice } from './invoice.ts';
import { filterFor, InvoiceFilterInput } from './invoice-filter.ts';
import { InvoiceConnection, invoicePage } from './invoice-list.ts';
import { InvoiceTotal, totalsOf } from './invoice-totals.ts';

/** What an environment has of a customer: the same lists and sums as of all its invoices, which are narrowed to theirs. */

/** What totals cost: a search, as for all invoices. */
const TOTALS = 150;

builder.prismaObjectFields(CustomerType, (t) => ({
  invoices: t.connection(
    {
      type: Invoice,
      description:
        'The invoices of the customer, newest first. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        filter: t.arg({ type: InvoiceFilterInput, description: 'Only invoices that match this filter.' }),
      },
      complexity: (args) => pageCost(args),
      resolve: async ({ id, environmentId }, args, context, info) =>
        invoicePage(context, info, environmentId, {
          page: requestedPage(args),
          filter: { ...(await filterFor(context, environmentId, args.filter)), customerId: id },
          order: NEWEST_FIRST,
        }),
    },
    sharedBy(InvoiceConnection),
  ),
  totals: t.field({
    type: InvoiceTotal,
    complexity: TOTALS,
    description: 'The totals of the invoices of the customer, as `invoiceTotals` adds them.',
    resolve: async ({ id, environmentId }, _args, context) => {
      const [total] = await totalsOf(context, environmentId, { customerId: id }, { groupBy: [] });
      return total!;
    },
  }),
}));
