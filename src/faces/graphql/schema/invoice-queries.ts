import type { GraphQLResolveInfo } from 'graphql';
import { z } from 'zod';
import { parseRequest } from '../../../ground/errors/issues.ts';
import { Refusal } from '../../../ground/errors/refusal.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { line } from '../../../ground/lib/text.ts';
import type { InvoiceFilter } from '../../../subjects/invoices/filter.ts';
import { isInvoiceId, isSearch, listInvoices, type Page } from '../../../subjects/invoices/list.ts';
import { countRows } from '../../../subjects/invoices/store/read-counts.ts';
import { builder } from '../builder.ts';
import { chunkSizes, readInChunks } from '../chunks.ts';
import type { Context } from '../context.ts';
import { costOfField, LONGEST_INVOICE, valuesOf } from '../cost.ts';
import { environmentArguments, environmentMeant } from '../environment.ts';
import { orRefuse } from '../errors.ts';
import { PAGE, pageCost, readForwards } from '../paging.ts';
import { readInvoice, readInvoices } from '../read-invoices.ts';
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
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: Invoice,
    description:
      "One invoice of the environment, for an operator's key of any; `invoice_not_found` when there is none of that id.",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context, info) => {
      // A merchant's key never sees another environment; an operator's sees them all.
      const within = context.caller.kind === 'operator' ? null : context.caller.environmentId;
      const unknown = new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
      if (!isInvoiceId(id)) return orRefuse<never>(unknown);
      if (context.bounded) await chargeOne(context, info, id);
      return orRefuse((await readInvoice(context, info, within, id)) ?? unknown);
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
      const read = async (some: readonly string[]) =>
        (await readInvoices(context, info, environmentId, some)).map((node) => ({
          cursor: node.invoice.id,
          node,
        }));
      return {
        edges: values < LARGE ? await read(ids) : readInChunks(ids, chunkSizes(found.linesOf, values), read),
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
