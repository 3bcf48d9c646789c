import {
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  getDirectiveValues,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { Refusal } from '../../ground/errors/refusal.ts';
import type { InvoiceView } from '../../subjects/invoices/view.ts';
import type { Context } from './context.ts';
import { costOfField } from './cost.ts';
import { orRefuse } from './errors.ts';

/**
 * Reads an invoice with what the field asks of it: of an environment, or for null of whichever it is in. Null when there
 * is none.
 */
export async function readInvoice(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number | null,
  id: string,
): Promise<InvoiceView | null> {
  const { services } = context;
  stopWhenGone(context);
  const found = await services.readInvoice(environmentId, id, extentOf(info));
  // Those that were read together go on together.
  if (found !== null) await services.eventLoop.waitIfLarge(found.invoice.environment_id, found.lines.length);
  stopWhenGone(context);
  return found;
}

/** Reads invoices of an environment, in the order of their ids, with what the field asks of them. */
export async function readInvoices(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  ids: readonly string[],
): Promise<InvoiceView[]> {
  const { services } = context;
  if (ids.length === 0) return [];
  stopWhenGone(context);
  const extent = extentOf(info);
  const found = await Promise.all(ids.map((id) => services.readInvoice(environmentId, id, extent)));
  const invoices = found.filter((invoice) => invoice !== null);
  if (invoices.length < ids.length) throw new Error('an invoice of a page has vanished');
  // Pages that were read by one statement are not answered in one stretch when their invoices are long.
  await services.eventLoop.waitIfLarge(environmentId, Math.max(...invoices.map(({ lines }) => lines.length)));
  stopWhenGone(context);
  return invoices;
}

/** Whoever asks, leaves and asks again would have everything made that nobody reads. */
function stopWhenGone({ isGone }: Context): void {
  if (isGone?.() === true)
    orRefuse<never>(new Refusal('service_unavailable', 'The caller has left before it was answered.'));
}

/** The texts of records are read where a selection has `records`, unless the document's variables leave it out. */
function extentOf(info: GraphQLResolveInfo): 'shown' | 'whole' {
  return costOfField(info).has('records') && includesRecords(info) ? 'whole' : 'shown';
}

function includesRecords({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): boolean {
  const seen = new Set<SelectionSetNode>();
  const includes = (selection: SelectionSetNode): boolean => {
    if (seen.has(selection)) return false;
    seen.add(selection);
    return selection.selections.some((node) => {
      if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] === false) return false;
      if (node.kind === Kind.FIELD && node.name.value === 'records') return true;
      const inside = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
      return inside?.selectionSet !== undefined && includes(inside.selectionSet);
    });
  };
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && includes(selectionSet));
}
