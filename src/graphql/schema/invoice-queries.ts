import { queryFromInfo } from '@pothos/plugin-prisma';
import { z } from 'zod';
import { parseRequest } from '../../errors/issues.ts';
import { Refusal } from '../../errors/refusal.ts';
import { isInvoiceId, listInvoices } from '../../issuing/list-invoices.ts';
import { line } from '../../lib/text.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { environmentArguments, environmentMeant } from '../environment.ts';
import { merchantOf, orRefuse } from '../errors.ts';
import { isShown, standingInvoice } from '../loaded-invoice.ts';
import { PAGE, pageCost, readForwards } from '../paging.ts';
import { InvoiceKindEnum, InvoiceStatusEnum, InvoiceTypeEnum, RegistrationStatusEnum } from './enums.ts';
import { Invoice } from './invoice.ts';

/** Filters are compared with stored texts, none of which is longer or holds control characters. */
const invoiceListRequest = z.strictObject({
  first: z.int().min(1).max(PAGE.max).nullish(),
  after: z.string().nullish(),
  externalCustomerId: line(255).nullish(),
  email: line(254).nullish(),
  number: line(60).nullish(),
  integrationId: line(60).nullish(),
  text: line(200).nullish(),
});

builder.queryField('invoice', (t) =>
  t.prismaField({
    type: Invoice,
    description:
      "One invoice of the environment, for an operator's key of any; `invoice_not_found` when there is none of that id.",
    args: { id: t.arg.id({ required: true }) },
    resolve: async (query, _root, { id }, context) => {
      // A merchant's key never sees another environment; an operator's sees them all.
      const within =
        context.caller?.kind === 'operator' ? {} : { environmentId: merchantOf(context).environmentId };
      const unknown = new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
      if (!isInvoiceId(id)) return orRefuse<never>(unknown);
      if (within.environmentId !== undefined && isShown(query)) {
        const standing = await context.services.readInvoice(within.environmentId, id);
        return standing === null ? orRefuse<never>(unknown) : standingInvoice(standing);
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
  t.connection({
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
      const page = { first: texts.first ?? PAGE.default, after: texts.after ?? null };
      const { ids, hasMore } = orRefuse(await listInvoices(context.services.db, environmentId, filter, page));
      const query = queryFromInfo({ context, info, paths: [['edges', 'node']] });
      const invoices = await readPage(context, environmentId, ids, query);
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

/** The invoices of a page, in its order, with what the query asks of them. */
async function readPage(
  { services }: Context,
  environmentId: number,
  ids: readonly string[],
  query: { include?: object | undefined },
): Promise<unknown[]> {
  if (ids.length === 0) return [];
  if (isShown(query)) {
    return Promise.all(
      ids.map(async (id) => standingInvoice((await services.readInvoice(environmentId, id))!)),
    );
  }
  const rows = await services.db.prisma.invoice.findMany({
    ...(query.include === undefined ? {} : { include: query.include }),
    where: { environmentId, id: { in: [...ids] } },
    relationLoadStrategy: 'join',
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}
