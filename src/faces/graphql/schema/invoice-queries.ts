import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { Refusal } from '../../../ground/errors/refusal.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { line } from '../../../ground/lib/text.ts';
import {
  type InvoiceFilter,
  isInvoiceId,
  isSearch,
  listInvoices,
  type Page,
} from '../../../subjects/invoices/list.ts';
import { countRows } from '../../../subjects/invoices/store/read-counts.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { costOfField, LONGEST_INVOICE, valuesOf } from '../cost.ts';
import { environmentArguments, environmentMeant } from '../environment.ts';
import { orRefuse } from '../errors.ts';
import { isShown, standingInvoice } from '../loaded-invoice.ts';
import { PAGE, pageCost, readForwards } from '../paging.ts';
import { inPieces, piecesOf } from '../pieces.ts';
import { searching } from '../searching.ts';
import { chargeRows, isOnlyField, LARGE } from '../work.ts';
import { InvoiceKindEnum, InvoiceStatusEnum, InvoiceTypeEnum, RegistrationStatusEnum } from './enums.ts';
import { Invoice } from './invoice.ts';

const FILTERS = { externalCustomerId: line(255), email: line(254), number: line(60) };

/** What of a list's arguments needs no database to be judged: REST names all of its faulty parameters at once by it. */
export const INVOICE_LIST_VALUES = { ...FILTERS, isAfter: isInvoiceId };

const invoiceListRequest = z.strictObject({
  first: z.int().min(1).max(PAGE.max).nullish(),
  after: z.string().nullish(),
  externalCustomerId: FILTERS.externalCustomerId.nullish(),
  email: FILTERS.email.nullish(),
  number: FILTERS.number.nullish(),
  integrationId: line(60).nullish(),
  text: line(200).nullish(),
});

builder.queryField('invoice', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).prismaField({
    type: Invoice,
    description:
      "One invoice of the environment, for an operator's key of any; `invoice_not_found` when there is none of that id.",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (query, _root, { id }, context, info) => {
      // A merchant's key never sees another environment; an operator's sees them all.
      const within =
        context.caller.kind === 'operator' ? {} : { environmentId: context.caller.environmentId };
      const unknown = new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
      if (!isInvoiceId(id)) return orRefuse<never>(unknown);
      if (context.bounded) await chargeOne(context, info, id);
      if (within.environmentId !== undefined && isShown(query)) {
        const standing = await context.services.readInvoice(within.environmentId, id);
        if (standing === null) return orRefuse<never>(unknown);
        // Those that were read together go on together.
        await context.services.loop.next(within.environmentId, standing.lines.length);
        return standingInvoice(standing);
      }
      const invoice = await context.services.db.prisma.invoice.findFirst({
        ...query,
        where: { ...within, id },
        relationLoadStrategy: 'join',
      });
      return orRefuse(invoice ?? unknown);
    },
  }),
);

builder.queryField('invoices', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).connection({
    type: Invoice,
    description: 'The invoices of the environment, newest first. `first` is 1 to 100, 25 by default.',
    args: {
      externalCustomerId: t.arg.string(),
      integrationId: t.arg.id(),
      email: t.arg.string({
        description: 'Exact, in any case and in both spellings of an internationalised domain.',
      }),
      number: t.arg.string({ description: 'Exact, in any case.' }),
      issuedFrom: t.arg({ type: 'Timestamp', description: 'Issued at or after this instant.' }),
      issuedBefore: t.arg({ type: 'Timestamp', description: 'Issued before this instant.' }),
      kind: t.arg({ type: InvoiceKindEnum }),
      type: t.arg({ type: InvoiceTypeEnum }),
      registrationStatus: t.arg({ type: RegistrationStatusEnum }),
      status: t.arg({ type: InvoiceStatusEnum }),
      text: t.arg.string({
        description: 'Found, in any case, in the number, the order or the description of a line.',
      }),
      ...environmentArguments,
    },
    complexity: pageCost,
    extensions: { work: (args: Partial<InvoiceFilter>) => (isSearch(args) ? 'search' : null) },
    resolve: async (_root, args, context, info) => {
      const environmentId = await environmentMeant(context, args);
      readForwards(args);
      const { first, after, externalCustomerId, integrationId, email, number, text } = args;
      const texts = orRefuse(
        parseRequest(invoiceListRequest, {
          first,
          after,
          externalCustomerId,
          integrationId,
          email,
          number,
          text,
        }),
      );
      const filter = {
        externalCustomerId: texts.externalCustomerId ?? undefined,
        integrationId: texts.integrationId ?? undefined,
        email: texts.email ?? undefined,
        number: texts.number ?? undefined,
        issuedFrom: args.issuedFrom ?? undefined,
        issuedBefore: args.issuedBefore ?? undefined,
        kind: args.kind ?? undefined,
        type: args.type ?? undefined,
        registrationStatus: args.registrationStatus ?? undefined,
        status: args.status ?? undefined,
        text: texts.text ?? undefined,
      };
      const page = {
        first: texts.first ?? PAGE.default,
        after: texts.after ?? null,
        // A query from outside is refused with its cost instead; REST says by its next_url that there is more.
        ...(context.bounded ? {} : { mostLines: LIMITS.linesOfPage.value }),
      };
      const list = () => listInvoices(context.services.db, environmentId, filter, page);
      const found = orRefuse(await (isSearch(filter) ? searching(context, list) : list()));
      const { ids, hasMore } = found;
      const values = await chargePage(context, info, found);
      const query = queryFromInfo({ context, info, paths: [['edges', 'node']] });
      const read = (some: readonly string[]) => readPage(context, environmentId, some, query);
      const invoices =
        values < LARGE ? await read(ids) : inPieces(ids, piecesOf(found.linesOf, values), read);
      return {
        edges: ids.map((id, index) => ({ cursor: id, node: invoices[index] as never })),
        pageInfo: {
          hasNextPage: hasMore,
          hasPreviousPage: page.after !== null,
          startCursor: ids[0] ?? null,
          endCursor: ids.at(-1) ?? null,
        },
      };
    },
  }),
);

/** Charges the request with what the invoices hold of what is asked for, before any of it is read. */
async function chargePage(context: Context, info: GraphQLResolveInfo, { ids, lines }: Page): Promise<number> {
  const cost = costOfField(info);
  const page = ids.length;
  // Of REST's stored documents it is known what they ask for: to weigh them their lines are enough.
  if (!context.bounded)
    return chargeRows(context, info, { page, lines, taxItems: lines, records: page }, cost);
  const isKnown = [...cost.keys()].every((rows) => rows === 'field' || rows === 'page' || rows === 'lines');
  const counts = isKnown ? { lines } : await countRows(context.services.db.pool, ids);
  return chargeRows(context, info, { page, ...counts }, cost);
}

/** The same for one invoice. Alone it is never too much, and costs no counting. */
async function chargeOne(context: Context, info: GraphQLResolveInfo, id: string): Promise<void> {
  const cost = costOfField(info);
  if (isOnlyField(info) && valuesOf(cost, LONGEST_INVOICE) <= LIMITS.values.value) return;
  const isKnown = [...cost.keys()].every((rows) => rows === 'field');
  await chargeRows(context, info, isKnown ? {} : await countRows(context.services.db.pool, [id]), cost);
}

/** The invoices of a page, in its order, with what the query asks of them. */
async function readPage(
  { services }: Context,
  environmentId: number,
  ids: readonly string[],
  query: { include?: object | undefined },
): Promise<unknown[]> {
  if (ids.length === 0) return [];
  if (isShown(query)) {
    const standing = await Promise.all(ids.map((id) => services.readInvoice(environmentId, id)));
    // Pages that were read by one statement are not answered in one stretch when their invoices are long.
    await services.loop.next(environmentId, Math.max(...standing.map((invoice) => invoice!.lines.length)));
    return standing.map((invoice) => standingInvoice(invoice!));
  }
  const rows = await services.db.prisma.invoice.findMany({
    ...(query.include === undefined ? {} : { include: query.include }),
    where: { environmentId, id: { in: [...ids] } },
    relationLoadStrategy: 'join',
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}
