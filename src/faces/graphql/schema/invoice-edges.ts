import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';
import { linesOf } from '../../../subjects/invoices/view.ts';
import {
  balance,
  creditable,
  type Family,
  payableBalance,
  target,
} from '../../../subjects/rectifying/family.ts';
import { taxSummary } from '../../../subjects/taxes/summary.ts';
import { builder } from '../builder.ts';
import { charged, chargeFound } from '../charged-rows.ts';
import type { Context } from '../context.ts';
import { READS_LINES } from '../extent.ts';
import { loadersOf } from '../loaders.ts';
import { readInvoice, readInvoices } from '../read-invoices.ts';
import type { ShownInvoice } from '../shown-invoice.ts';
import { CompanyType } from './companies.ts';
import { CustomerType } from './customers.ts';
import { Invoice, RectifiedReference } from './invoice.ts';
import { TaxBreakdownItem } from './issuing.ts';
import { NumberSeries } from './number-series.ts';

/** Invoices related to an invoice: all that are requested at the same time are read together. */

/** The cost of one of them in addition to its fields: a share of a statement. */
export const READING = 5;

const ID_FIELDS = new Set(['id', 'invoiceId', '__typename']);
const namesOnly = new WeakMap<FieldNode, boolean>();

/** Whether only ids are requested, which are known without a query. */
function selectsIdsOnly({ fieldNodes, fragments }: GraphQLResolveInfo): boolean {
  const isIds = ({ selections }: SelectionSetNode): boolean =>
    selections.every((node) => {
      if (node.kind === Kind.FIELD) return ID_FIELDS.has(node.name.value);
      const inside = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
      return inside !== undefined && isIds(inside.selectionSet);
    });
  return fieldNodes.every((node) => {
    const known = namesOnly.get(node) ?? (node.selectionSet !== undefined && isIds(node.selectionSet));
    namesOnly.set(node, known);
    return known;
  });
}

/** An invoice of which only the id is requested. */
function named(id: string): ShownInvoice {
  return Object.create(null, { invoice: { value: { id } } });
}

/** Invoices of the same environment by id; not read if only their ids are requested. */
export function relatedInvoices(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  ids: readonly string[],
): ShownInvoice[] | Promise<ShownInvoice[]> {
  charged(context, ids);
  return selectsIdsOnly(info) ? ids.map(named) : readCharged(context, info, environmentId, ids);
}

async function readCharged(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  ids: readonly string[],
): Promise<ShownInvoice[]> {
  const found = await readInvoices(context, info, environmentId, ids);
  chargeFound(context, found);
  return found;
}

/** The invoice that something of the caller's is about: of its environment, or with an operator's key of any. */
export async function invoiceReferredTo(
  context: Context,
  info: GraphQLResolveInfo,
  id: string,
): Promise<ShownInvoice> {
  if (selectsIdsOnly(info)) return named(id);
  const within = context.caller?.kind === 'merchant' ? context.caller.environmentId : null;
  const found = await readInvoice(context, info, within, id);
  if (found === null) throw new Error('an invoice that something refers to has vanished');
  chargeFound(context, [found]);
  return found;
}

builder.objectField(RectifiedReference, 'invoice', (t) =>
  t.field({
    type: Invoice,
    nullable: true,
    complexity: READING,
    description: 'The invoice; null for one of another system.',
    resolve: async ({ environmentId, invoiceId }, _args, context, info) =>
      invoiceId === null ? null : (await relatedInvoices(context, info, environmentId, [invoiceId]))[0]!,
  }),
);

const FamilyType = builder.objectRef<{ readonly environmentId: number; readonly family: Family }>(
  'InvoiceFamily',
);

FamilyType.implement({
  description:
    'An original and its rectificativas that are not voided. `node` does not return it: each of its members does.',
  fields: (t) => ({
    id: t.id({
      description: 'For caches: the same for each member, and no other object’s.',
      // Relay takes objects of one id for one, whatever their types.
      resolve: ({ family }) => family.path[0]!.id.replace(/^inv_/, 'fam_'),
    }),
    head: t.field({
      type: Invoice,
      complexity: READING,
      description: 'The last invoice of the family: the one that can be corrected or voided next.',
      resolve: async ({ environmentId, family }, _args, context, info) =>
        (await relatedInvoices(context, info, environmentId, [target(family).id]))[0]!,
    }),
    members: t.field({
      type: [Invoice],
      complexity: { field: READING, multiplier: 3 },
      description: 'All invoices of the family that were issued here, oldest first.',
      resolve: ({ environmentId, family }, _args, context, info) => {
        const ids = family.path.map(({ id }) => id);
        return relatedInvoices(context, info, environmentId, ids);
      },
    }),
    inForceTotal: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'The total in force, in whole cents: of a rectificativa of several invoices the lines that name the one of this family; null if the total of an original issued by another system is unknown.',
      resolve: ({ family }) => balance(family),
    }),
    inForcePayable: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'The payable part of `inForceTotal`, without the withheld income tax. Null if the original was issued by another system.',
      resolve: ({ family }) => payableBalance(family),
    }),
    creditableRemainder: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'The amount that can still be credited by differences, in whole cents: zero if the head is voided or exchanged; null if the total is unknown.',
      resolve: ({ family }) => creditable(family),
    }),
  }),
});

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of fields
builder.objectFields(Invoice, (t) => ({
  rectifiedBy: t.field({
    type: [Invoice],
    complexity: { multiplier: 1 },
    description: 'The rectificativas of this invoice that are not voided, in the order of issue.',
    resolve: ({ invoice, rectifiedBy }, _args, context, info) =>
      relatedInvoices(context, info, invoice.environment_id, rectifiedBy),
  }),
  exchanges: t.field({
    type: [Invoice],
    complexity: { multiplier: 2 },
    description: 'The simplified invoices that it replaces in an exchange.',
    resolve: ({ invoice, exchanges }, _args, context, info) =>
      relatedInvoices(context, info, invoice.environment_id, exchanges),
  }),
  exchangedBy: t.field({
    type: Invoice,
    nullable: true,
    description:
      'The exchange invoice that replaces this simplified one and is not voided; null without one.',
    resolve: async ({ invoice, exchangedBy }, _args, context, info) =>
      exchangedBy === null
        ? null
        : (await relatedInvoices(context, info, invoice.environment_id, [exchangedBy]))[0]!,
  }),
  family: t.field({
    type: FamilyType,
    complexity: READING,
    description:
      'The original that the invoice belongs to, with its rectificativas. One that corrects several invoices is the head of each of their families, and shown with that of the first.',
    resolve: async ({ invoice: { environment_id: environmentId, id } }, _args, context) => {
      const family = await loadersOf(context).family(environmentId, id);
      if (family === null) throw new Error('an invoice has no family');
      return { environmentId, family };
    },
  }),
  series: t.field({
    type: NumberSeries,
    complexity: READING,
    description: 'The series on which it was issued.',
    resolve: async ({ invoice }, _args, context) => {
      const series = await loadersOf(context).series(invoice.environment_id, invoice.series_id);
      if (series === null) throw new Error('the series of an invoice is gone');
      return { ...series, environmentId: invoice.environment_id };
    },
  }),
  customer: t.prismaField({
    type: CustomerType,
    nullable: true,
    complexity: READING,
    description: 'The customer of the integration that sent the order; null if there is none.',
    // Prisma requests those of all invoices of a page together.
    resolve: (query, { invoice }, _args, { services }) => {
      const {
        environment_id: environmentId,
        integration_id: integrationId,
        external_customer_id: id,
      } = invoice;
      if (integrationId === null || id === null) return null;
      const named = { environmentId, integrationId, externalCustomerId: id };
      const where = { environmentId_integrationId_externalCustomerId: named };
      return services.db.prisma.customer.findUnique({ ...query, where });
    },
  }),
  company: t.prismaField({
    type: CompanyType,
    complexity: READING,
    description: 'The company that issued it.',
    resolve: (query, { owner }, _args, { services }) =>
      services.db.prisma.company.findUniqueOrThrow({ ...query, where: { id: owner.companyId } }),
  }),
  taxBreakdown: t.field({
    type: [TaxBreakdownItem],
    complexity: { multiplier: 2 },
    description: 'The base and the tax for each tax and rate, in order of appearance.',
    extensions: READS_LINES,
    resolve: (invoice) =>
      taxSummary(
        linesOf(invoice).map(({ subtotal, taxItems }) => ({
          subtotal,
          taxItems: taxItems.map((item) => ({
            ...{ type: item.type, name: item.name, rate: item.rate_basis_points, amount: item.amount },
            ...{
              regimeKey: item.regime_key,
              operationClass: item.operation_class,
              exemption: item.exemption,
            },
          })),
        })),
      ),
  }),
  updatedAt: t.field({
    type: 'DateTime',
    complexity: READING,
    description: 'The time of the last visible change: issued, registered, corrected, voided, exchanged.',
    resolve: async ({ invoice }, _args, context) =>
      (await loadersOf(context).changedAt(invoice.environment_id, invoice.id)) ?? new Date(invoice.issued_at),
  }),
}));
