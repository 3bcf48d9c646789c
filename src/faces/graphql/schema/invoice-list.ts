import { exactLine, line } from '../../../ground/lib/text.ts';
import { EVENT_LIMITS } from '../../../subjects/events/limits.ts';
import {
  hasManyValues,
  type InvoiceFilter,
  type InvoiceOrder,
  isEmpty,
  isSearch,
  NEWEST_FIRST,
} from '../../../subjects/invoices/filter.ts';
import {
  countedInvoices,
  type InvoicePageRequest,
  isInvoiceId,
  listInvoices,
  type Page,
} from '../../../subjects/invoices/list.ts';
import type { NewestInvoices } from '../../../subjects/invoices/store/read-newest.ts';
import type { InvoiceView } from '../../../subjects/invoices/view.ts';
import { builder } from '../builder.ts';
import { chargeRows, isOnly, LARGE, ownerOf, rowsOf } from '../charged-rows.ts';
import { chunkSizes, readInChunks } from '../chunks.ts';
import { pageInfoOf, sharedBy } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import type { Asked } from '../extent.ts';
import { FROM_STANDBY } from '../from-standby.ts';
import { type PageArguments, pageCost, requestedPage } from '../paging.ts';
import { readInvoices, readNewestInvoices } from '../read-invoices.ts';
import { runSearch } from '../run-search.ts';
import { Invoice } from './invoice.ts';
import { cursorsOfInvoices, filterFor, InvoiceFilterInput, InvoiceOrderInput } from './invoice-filter.ts';

/** What of a list's arguments needs no database to be judged: REST names all of its faulty parameters at once by it. */
export const INVOICE_LIST_VALUES = {
  ...{ externalCustomerId: exactLine(255), email: exactLine(254), number: line(60) },
  isAfter: isInvoiceId,
};

/** Given the arguments as they were sent, which nothing has read yet. */
function mayBeSearch({ filter, orderBy }: { filter?: object | null; orderBy?: object | null }) {
  const values = Object.fromEntries(
    Object.entries(filter ?? {}).filter(([name, value]) => value != null && name !== 'issuedOn'),
  );
  const isByDue = orderBy != null && 'field' in orderBy && orderBy.field === 'AMOUNT_DUE';
  return isByDue || isSearch(values) || (orderBy != null && Object.keys(values).length > 0);
}

export const InvoiceConnection = builder.connectionObject({ type: Invoice, name: 'InvoiceConnection' });

builder.queryField('invoices', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: Invoice,
      description:
        'The invoices of the environment, newest first unless `orderBy` says otherwise. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        filter: t.arg({ type: InvoiceFilterInput, description: 'Only invoices that match this filter.' }),
        orderBy: t.arg({ type: InvoiceOrderInput, description: 'The order.' }),
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      extensions: {
        work: (args: Parameters<typeof mayBeSearch>[0]) => (mayBeSearch(args) ? 'search' : null),
        ...FROM_STANDBY,
      },
      resolve: async (_root, args, context, info) => {
        const environmentId = await environmentFromArguments(context, args);
        const filter = withDue(await filterFor(context, environmentId, args.filter), args.orderBy);
        const order = args.orderBy ?? NEWEST_FIRST;
        return invoicePage(context, info, environmentId, { page: requestedPage(args), filter, order });
      },
    },
    sharedBy(InvoiceConnection),
  ),
);

/** In the order of what is due there is only what is to be paid, which the count must agree with. */
function withDue(filter: InvoiceFilter, order: InvoiceOrder | null | undefined): InvoiceFilter {
  const { amountDueFrom, amountDueTo } = filter;
  const isRange = amountDueFrom !== undefined || amountDueTo !== undefined;
  if (order?.field !== 'AMOUNT_DUE' || isRange) return filter;
  return { ...filter, amountDueFrom: Number.MIN_SAFE_INTEGER };
}

type Narrowed = {
  readonly page: PageArguments;
  readonly filter: InvoiceFilter;
  readonly order: InvoiceOrder;
};

/** A page of an environment's invoices with what is asked of them, as a connection. The edges of a long page are read piece by piece. */
export async function invoicePage(
  context: Context,
  asked: Asked,
  environmentId: number,
  { page, filter, order }: Narrowed,
) {
  // REST names the place in a list by an invoice's id, whatever the filter is.
  const cursors = context.bounded ? cursorsOfInvoices(filter, order) : cursorsOfInvoices({}, NEWEST_FIRST);
  const request = {
    ...{ order, size: page.size, backwards: page.backwards, ...cursors.idsOf(page) },
    // A query from outside is refused with its cost instead; REST shows by its next_url that there is more.
    ...(context.bounded ? {} : { mostLines: EVENT_LIMITS.linesOfPage.value }),
  };
  const { db } = context.services;
  const isLong = hasManyValues(filter);
  const isHeavy = isLong || isSearch(filter);
  // The lists of one query are otherwise all begun in the same iteration of the event loop.
  if (isLong) await context.services.eventLoop.waitTurn(ownerOf(context));
  const newest = isNewest(filter, request)
    ? await readNewestInvoices(context, asked, environmentId, request)
    : null;
  const list = () => listInvoices(db, environmentId, filter, request);
  const found =
    newest === null ? valueOrThrow(await (isHeavy ? runSearch(context, list) : list())) : pageOf(newest);
  const { ids, places, hasMore } = found;
  const placeOf = new Map(ids.map((id, at) => [id, places[at]!]));
  const rows = await rowsOf(context, asked, ids, found.lines);
  await chargeRows(context, rows, isOnly(asked));
  const edgeOf = (node: InvoiceView) => ({ cursor: cursors.of(placeOf.get(node.invoice.id)!), node });
  const read = async (some: readonly string[]) =>
    (await readInvoices(context, asked, environmentId, some, found.lines)).map(edgeOf);
  const readAll = () => (rows < LARGE ? read(ids) : readInChunks(ids, chunkSizes(found.linesOf), read));
  const count = () => countedInvoices(db, environmentId, filter);
  const total = () =>
    isHeavy ? runSearch(context, count).then((outcome) => valueOrThrow(outcome)) : count();
  const pageInfo = pageInfoOf(page, hasMore, places.map(cursors.of), total);
  return { edges: newest === null ? await readAll() : newest.views.map(edgeOf), pageInfo };
}

function isNewest(filter: InvoiceFilter, { order, backwards, before }: InvoicePageRequest): boolean {
  return isEmpty(filter) && order === NEWEST_FIRST && backwards !== true && before == null;
}

/** The same for invoices that were read with their list. */
function pageOf({ views, hasMore }: NewestInvoices): Page {
  const linesOf = views.map(({ lines }) => lines?.length ?? 0);
  const ids = views.map(({ invoice }) => invoice.id);
  return { ids, places: ids, linesOf, lines: linesOf.reduce((sum, lines) => sum + lines, 0), hasMore };
}
