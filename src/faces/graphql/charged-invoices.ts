import type { GraphQLResolveInfo } from 'graphql';
import { countRows } from '../../subjects/invoices/store/read-counts.ts';
import type { InvoiceView } from '../../subjects/invoices/view.ts';
import { chargeRows, isOnlyField } from './charged-values.ts';
import type { Context } from './context.ts';
import { type Cost, costOfField, LONGEST_INVOICE, valuesOf } from './cost.ts';
import { GRAPHQL_LIMITS } from './limits.ts';

/** Invoices that a field finds by their ids are charged before they are read, those that others refer to once they are. */

/** Charges the request for the requested values of an invoice. Its rows are not counted where the longest one could not exceed the limit. */
export async function chargeInvoice(context: Context, info: GraphQLResolveInfo, id: string): Promise<void> {
  const cost = costOfField(info);
  if (isOnlyField(info) && valuesOf(cost, LONGEST_INVOICE) <= GRAPHQL_LIMITS.values.value) return;
  await chargeInvoices(context, info, [id], cost);
}

/** The same for several; `page`: how many items the field answers, where there are others beside the invoices. */
export async function chargeInvoices(
  context: Context,
  info: GraphQLResolveInfo,
  ids: readonly string[],
  cost: Cost = costOfField(info),
  page: number = ids.length,
): Promise<void> {
  const isKnown = ids.length === 0 || [...cost.keys()].every((rows) => rows === 'field' || rows === 'page');
  const counts = isKnown ? {} : await countRows(context.services.db.pool, ids);
  await chargeRows(context, info, { page, ...counts }, cost);
}

/** Charges the request for invoices that were read because something refers to them. */
export async function chargeFound(
  context: Context,
  info: GraphQLResolveInfo,
  found: readonly InvoiceView[],
): Promise<void> {
  const sum = (count: (view: InvoiceView) => number) => found.reduce((all, view) => all + count(view), 0);
  await chargeRows(context, info, {
    page: found.length,
    lines: sum(({ lines }) => lines?.length ?? 0),
    taxItems: sum(({ lines }) => lines?.length ?? 0),
    records: sum(({ records }) => records.length),
    rectifiedBy: sum(({ rectifiedBy }) => rectifiedBy.length),
    exchanges: sum(({ exchanges }) => exchanges.length),
  });
}
