import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { exactLine, line, searchedLine } from '../../../ground/lib/text.ts';
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
import { namesOf, pageInfoOf } from '../connections.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import type { Asked } from '../extent.ts';
import { FROM_STANDBY } from '../from-standby.ts';
import { type PageArguments, pageCost, requestedPage } from '../paging.ts';
import { readInvoices, readNewestInvoices } from '../read-invoices.ts';
import { runSearch } from '../run-search.ts';
import { InvoiceKindEnum, InvoiceStatusEnum, InvoiceTypeEnum, RegistrationStatusEnum } from './enums.ts';
import { Invoice } from './invoice.ts';
import { cursorsOfInvoices, filterOf, InvoiceFilterInput, InvoiceOrderInput } from './invoice-filter.ts';

const FILTERS = { externalCustomerId: exactLine(255), email: exactLine(254), number: line(60) };

/** What of a list's arguments needs no database to be judged: REST names all of its faulty parameters at once by it. */
export const INVOICE_LIST_VALUES = { ...FILTERS, isAfter: isInvoiceId };

/** What was asked before there was `filter`. */
const olderFilters = z.strictObject({
  externalCustomerId: FILTERS.externalCustomerId.nullish(),
  email: FILTERS.email.nullish(),
  number: FILTERS.number.nullish(),
  integrationId: exactLine(60).nullish(),
  text: searchedLine(200).nullish(),
});

const deprecationReason = 'Use `filter`.';

const olderArguments = builder.args((t) => ({
  externalCustomerId: t.string({ deprecationReason, description: 'Only invoices of this customer. Exact.' }),
  integrationId: t.id({ deprecationReason, description: 'Only invoices of this integration.' }),
  email: t.string({
    deprecationReason,
    description: 'Exact, in any case and in both spellings of an internationalised domain.',
  }),
  number: t.string({ deprecationReason, description: 'Exact, in any case.' }),
  issuedFrom: t.field({
    type: 'DateTime',
    deprecationReason,
    description: 'Only invoices issued at or after this instant.',
  }),
  issuedBefore: t.field({
    type: 'DateTime',
    deprecationReason,
    description: 'Only invoices issued before this instant.',
  }),
  kind: t.field({ type: InvoiceKindEnum, deprecationReason, description: 'Only invoices of this kind.' }),
  type: t.field({ type: InvoiceTypeEnum, deprecationReason, description: 'Only invoices of this type.' }),
  registrationStatus: t.field({
    type: RegistrationStatusEnum,
    deprecationReason,
    description: 'The status of the newest registration record.',
  }),
  status: t.field({
    type: InvoiceStatusEnum,
    deprecationReason,
    description: 'Only issued or voided invoices.',
  }),
  text: t.string({ deprecationReason, description: 'A text to search for, as in `filter.text`.' }),
}));

type Older = {
  readonly [Name in 'externalCustomerId' | 'integrationId' | 'email' | 'number' | 'text']?:
    | string
    | null
    | undefined;
} & {
  readonly issuedFrom?: Date | null | undefined;
  readonly issuedBefore?: Date | null | undefined;
  readonly kind?: NonNullable<InvoiceFilter['kinds']>[number] | null | undefined;
  readonly type?: NonNullable<InvoiceFilter['types']>[number] | null | undefined;
  readonly registrationStatus?: NonNullable<InvoiceFilter['registrationStatuses']>[number] | null | undefined;
  readonly status?: NonNullable<InvoiceFilter['statuses']>[number] | null | undefined;
};

/** Those arguments as a filter, which `filter` goes before. */
function olderFilter(args: Older): InvoiceFilter {
  const { externalCustomerId, integrationId, email, number, text } = args;
  const texts = valueOrThrow(
    parseRequest(olderFilters, { externalCustomerId, integrationId, email, number, text }),
  );
  return {
    externalCustomerId: texts.externalCustomerId ?? undefined,
    integrationId: texts.integrationId ?? undefined,
    email: texts.email ?? undefined,
    number: texts.number ?? undefined,
    text: texts.text ?? undefined,
    issuedFrom: args.issuedFrom ?? undefined,
    issuedBefore: args.issuedBefore ?? undefined,
    kinds: args.kind == null ? undefined : [args.kind],
    types: args.type == null ? undefined : [args.type],
    registrationStatuses: args.registrationStatus == null ? undefined : [args.registrationStatus],
    statuses: args.status == null ? undefined : [args.status],
  };
}

const defined = (filter: InvoiceFilter): InvoiceFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));

/** In the order of `filter`, of which cursors are made. */
function joined(older: InvoiceFilter, filter: InvoiceFilter): InvoiceFilter {
  return { ...filter, ...defined(older), ...defined(filter) };
}

/** Given the arguments as they were sent, which nothing has read yet. */
function mayBeSearch({ filter, orderBy, ...older }: Older & { filter?: object | null; orderBy?: unknown }) {
  const { issuedFrom, issuedBefore, externalCustomerId, integrationId, email, number, text, ...others } =
    older;
  const values = Object.fromEntries(
    Object.entries({
      ...{ issuedFrom, issuedBefore, externalCustomerId, integrationId, email, number, text },
      ...{ kind: others.kind, type: others.type, status: others.status },
      ...{ registrationStatus: others.registrationStatus },
      ...filter,
    }).filter(([name, value]) => value != null && name !== 'issuedOn'),
  );
  return isSearch(values) || (orderBy != null && Object.keys(values).length > 0);
}

builder.queryField('invoices', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).connection(
    {
      type: Invoice,
      description:
        'The invoices of the environment, newest first unless `orderBy` says otherwise. `first` and `last` are 1 to 100, 25 by default.',
      args: {
        filter: t.arg({ type: InvoiceFilterInput, description: 'Only invoices that match this filter.' }),
        orderBy: t.arg({ type: InvoiceOrderInput, description: 'The order.' }),
        ...olderArguments,
        ...environmentArguments,
      },
      complexity: (args) => pageCost(args),
      extensions: {
        work: (args: Parameters<typeof mayBeSearch>[0]) => (mayBeSearch(args) ? 'search' : null),
        ...FROM_STANDBY,
      },
      resolve: async (_root, args, context, info) => {
        const environmentId = await environmentFromArguments(context, args);
        const filter = joined(olderFilter(args), filterOf(args.filter));
        const order = args.orderBy ?? NEWEST_FIRST;
        return invoicePage(context, info, environmentId, { page: requestedPage(args), filter, order });
      },
    },
    ...namesOf('Invoice'),
  ),
);

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
  const { ids, hasMore } = found;
  const rows = await rowsOf(context, asked, ids, found.lines);
  await chargeRows(context, rows, isOnly(asked));
  const edgeOf = (node: InvoiceView) => ({ cursor: cursors.of(node.invoice.id), node });
  const read = async (some: readonly string[]) =>
    (await readInvoices(context, asked, environmentId, some, found.lines)).map(edgeOf);
  const readAll = () => (rows < LARGE ? read(ids) : readInChunks(ids, chunkSizes(found.linesOf), read));
  const count = () => countedInvoices(db, environmentId, filter);
  const total = () =>
    isHeavy ? runSearch(context, count).then((outcome) => valueOrThrow(outcome)) : count();
  const pageInfo = pageInfoOf(page, hasMore, ids.map(cursors.of), total);
  return { edges: newest === null ? await readAll() : newest.views.map(edgeOf), pageInfo };
}

function isNewest(filter: InvoiceFilter, { order, backwards, before }: InvoicePageRequest): boolean {
  return isEmpty(filter) && order === NEWEST_FIRST && backwards !== true && before == null;
}

/** The same for invoices that were read with their list. */
function pageOf({ views, hasMore }: NewestInvoices): Page {
  const linesOf = views.map(({ lines }) => lines?.length ?? 0);
  const ids = views.map(({ invoice }) => invoice.id);
  return { ids, linesOf, lines: linesOf.reduce((sum, lines) => sum + lines, 0), hasMore };
}
