import {
  FEW_LINES,
  type NewestInvoices,
  type NewestRange,
} from '../../subjects/invoices/store/read-newest.ts';
import type { InvoiceView } from '../../subjects/invoices/view.ts';
import { isOnly, LARGE } from './charged-rows.ts';
import type { Context } from './context.ts';
import { type Asked, extentOf } from './extent.ts';

/**
 * Reads an invoice with what is asked of it: of an environment, or for null of whichever it is in. Null when there
 * is none.
 */
export async function readInvoice(
  { services }: Context,
  asked: Asked,
  environmentId: number | null,
  id: string,
): Promise<InvoiceView | null> {
  const found = await services.readInvoice(environmentId, id, extentOf(asked));
  // Those that were read together go on together.
  if (found !== null) await services.eventLoop.waitIfLarge(found.invoice.environment_id, lengthOf(found));
  return found;
}

/** Reads invoices of an environment, in the order of their ids, with what is asked of them; `lines` is how many they have. */
export async function readInvoices(
  { services }: Context,
  asked: Asked,
  environmentId: number,
  ids: readonly string[],
  lines = Number.POSITIVE_INFINITY,
): Promise<InvoiceView[]> {
  if (ids.length === 0) return [];
  const invoices = await services.readInvoicePage(environmentId, ids, extentOf(asked), lines);
  if (invoices.length < ids.length) throw new Error('an invoice of a page has vanished');
  // Pages that were read by one statement are not answered in one stretch when their invoices are long.
  await services.eventLoop.waitIfLarge(environmentId, Math.max(...invoices.map(lengthOf)));
  return invoices;
}

/**
 * The newest invoices of an environment with what is asked of them, in the order of the list. Null if they must be listed
 * before they are read: because of their number or their lines, or because the request must be charged first.
 */
export async function readNewestInvoices(
  context: Context,
  asked: Asked,
  environmentId: number,
  range: NewestRange,
): Promise<NewestInvoices | null> {
  const extent = extentOf(asked);
  if (extent === 'whole' || !mayReadFirst(context, asked, range.size)) return null;
  return context.services.readNewest(environmentId, range, extent);
}

/** Whether reading so many short invoices neither has to wait for room nor is charged beside others. */
function mayReadFirst(context: Context, asked: Asked, size: number): boolean {
  return size * (1 + FEW_LINES) < LARGE && (!context.bounded || isOnly(asked));
}

const lengthOf = ({ lines }: InvoiceView): number => lines?.length ?? 0;
