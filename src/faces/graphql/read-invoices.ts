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
import type { Extent } from '../../subjects/invoices/reader.ts';
import {
  FEW_LINES,
  type NewestInvoices,
  type NewestRange,
} from '../../subjects/invoices/store/read-newest.ts';
import type { InvoiceView } from '../../subjects/invoices/view.ts';
import { isOnlyField, LARGE, valuesOfContract } from './charged-values.ts';
import type { Context } from './context.ts';
import { costOfField, countsOnlyLines, valuesOf } from './cost.ts';

/** What is asked of invoices: by a field of a query, or stated by who asks without one. */
export type Asked = GraphQLResolveInfo | Extent;

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

/** Whether reading so many short invoices neither has to wait for room nor can exceed what a request may cost. */
function mayReadFirst(context: Context, asked: Asked, size: number): boolean {
  const lines = size * FEW_LINES;
  if (typeof asked === 'string') return valuesOfContract(size, lines) < LARGE;
  const cost = costOfField(asked);
  if (context.bounded && !(isOnlyField(asked) && countsOnlyLines(cost))) return false;
  return valuesOf(cost, { page: size, lines, taxItems: lines, records: size }) < LARGE;
}

const lengthOf = ({ lines }: InvoiceView): number => lines?.length ?? 0;

/** Marks fields of `Invoice` without `rows: 'lines'` whose resolver reads the lines. */
export const READS_LINES = { readsLines: true };

/**
 * The texts of records are read where a selection has `records`, unless the document's variables leave it out; lines where
 * it has a field that is made of them, for any variables.
 */
function extentOf(info: Asked): Extent {
  if (typeof info === 'string') return info;
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
