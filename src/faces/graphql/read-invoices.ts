import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getDirectiveValues,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { Refusal } from '../../ground/errors/refusal.ts';
import type { Extent } from '../../subjects/invoices/reader.ts';
import {
  FEW_LINES,
  type NewestInvoices,
  type NewestRange,
} from '../../subjects/invoices/store/read-newest.ts';
import type { InvoiceView } from '../../subjects/invoices/view.ts';
import { isOnlyField, LARGE } from './charged-values.ts';
import type { Context } from './context.ts';
import { costOfField, countsOnlyLines, valuesOf } from './cost.ts';
import { valueOrThrow } from './errors.ts';

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
  stopIfAborted(context);
  const found = await services.readInvoice(environmentId, id, extentOf(info));
  // Those that were read together go on together.
  if (found !== null) await services.eventLoop.waitIfLarge(found.invoice.environment_id, lengthOf(found));
  stopIfAborted(context);
  return found;
}

/** Reads invoices of an environment, in the order of their ids, with what the field asks of them; `lines` is how many they have. */
export async function readInvoices(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  ids: readonly string[],
  lines = Number.POSITIVE_INFINITY,
): Promise<InvoiceView[]> {
  const { services } = context;
  if (ids.length === 0) return [];
  stopIfAborted(context);
  const extent = extentOf(info);
  const invoices = await services.readInvoicePage(environmentId, ids, extent, lines);
  if (invoices.length < ids.length) throw new Error('an invoice of a page has vanished');
  // Pages that were read by one statement are not answered in one stretch when their invoices are long.
  await services.eventLoop.waitIfLarge(environmentId, Math.max(...invoices.map(lengthOf)));
  stopIfAborted(context);
  return invoices;
}

/**
 * The newest invoices of an environment with what the field asks of them, in the order of the list. Null if they must be listed
 * before they are read: because of their number or their lines, or because the request must be charged first.
 */
export async function readNewestInvoices(
  context: Context,
  info: GraphQLResolveInfo,
  environmentId: number,
  range: NewestRange,
): Promise<NewestInvoices | null> {
  const extent = extentOf(info);
  if (extent === 'whole' || !mayReadFirst(context, info, range.size)) return null;
  stopIfAborted(context);
  const found = await context.services.readNewest(environmentId, range, extent);
  stopIfAborted(context);
  return found;
}

/** Whether reading so many short invoices neither has to wait for room nor can exceed what a request may cost. */
function mayReadFirst(context: Context, info: GraphQLResolveInfo, size: number): boolean {
  const cost = costOfField(info);
  if (context.bounded && !(isOnlyField(info) && countsOnlyLines(cost))) return false;
  const lines = size * FEW_LINES;
  return valuesOf(cost, { page: size, lines, taxItems: lines, records: size }) < LARGE;
}

/** Callers that disconnect and repeat their request would have answers built that are never read. */
function stopIfAborted({ isAborted }: Context): void {
  if (isAborted?.() === true)
    valueOrThrow<never>(new Refusal('service_unavailable', 'The caller has left before it was answered.'));
}

const lengthOf = ({ lines }: InvoiceView): number => lines?.length ?? 0;

/** Marks fields of `Invoice` without `rows: 'lines'` whose resolver reads the lines. */
export const READS_LINES = { readsLines: true };

/**
 * The texts of records are read where a selection has `records`, unless the document's variables leave it out; lines where
 * it has a field that is made of them, for any variables.
 */
function extentOf(info: GraphQLResolveInfo): Extent {
  if (costOfField(info).has('records') && includesRecords(info)) return 'whole';
  return readsLines(info) ? 'shown' : 'head';
}

const readingLines = new WeakMap<FieldNode, boolean>();

function readsLines({ schema, fragments, fieldNodes }: GraphQLResolveInfo): boolean {
  const [only, ...others] = fieldNodes;
  const known = others.length === 0 ? readingLines.get(only!) : undefined;
  if (known !== undefined) return known;
  const named = fieldsOfLines(schema);
  const reads = fieldNodes.some((node) => selects(node, named, fragments, new Set()));
  if (others.length === 0) readingLines.set(only!, reads);
  return reads;
}

/** By their names alone, of whatever type a field of that name may be there: what is read in vain does no harm. */
function selects(
  node: SelectionNode,
  names: ReadonlySet<string>,
  fragments: GraphQLResolveInfo['fragments'],
  visited: Set<SelectionNode | FragmentDefinitionNode>,
): boolean {
  if (node.kind === Kind.FIELD && names.has(node.name.value)) return true;
  const inside = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
  if (inside === undefined || visited.has(inside)) return false;
  visited.add(inside);
  return inside.selectionSet?.selections.some((one) => selects(one, names, fragments, visited)) === true;
}

let ofLines: ReadonlySet<string> | null = null;

/** There is one schema in a process. */
function fieldsOfLines(schema: GraphQLSchema): ReadonlySet<string> {
  const fields = Object.values((schema.getType('Invoice') as GraphQLObjectType).getFields());
  ofLines ??= new Set(
    fields
      .filter(({ extensions }) => extensions['rows'] === 'lines' || extensions['readsLines'] === true)
      .map(({ name }) => name),
  );
  return ofLines;
}

function includesRecords({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): boolean {
  const visited = new Set<SelectionSetNode>();
  const includes = (selection: SelectionSetNode): boolean => {
    if (visited.has(selection)) return false;
    visited.add(selection);
    return selection.selections.some((node) => {
      if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] === false) return false;
      if (node.kind === Kind.FIELD && node.name.value === 'records') return true;
      const inside = node.kind === Kind.FRAGMENT_SPREAD ? fragments[node.name.value] : node;
      return inside?.selectionSet !== undefined && includes(inside.selectionSet);
    });
  };
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && includes(selectionSet));
}
