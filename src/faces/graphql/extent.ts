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

/** How much of invoices is read: what a query selects of them. */

/** What is asked of invoices: by a field of a query, or stated by who asks without one. */
export type Asked = GraphQLResolveInfo | Extent;

/** Marks fields of `Invoice` whose resolver reads its lines. */
export const READS_LINES = { readsLines: true };

/**
 * The texts of records are read where a selection has `records`, unless the document's variables leave it out; lines where
 * it has a field that is made of them, for any variables.
 */
export function extentOf(info: Asked): Extent {
  if (typeof info === 'string') return info;
  if (readsRecords(info) && includesRecords(info)) return 'whole';
  return readsLines(info) ? 'shown' : 'head';
}

const readsLines = selecting(({ schema }) => fieldsOfLines(schema));

const RECORDS = new Set(['records']);
const readsRecords = selecting(() => RECORDS);

/** Whether a field selects one of the names; found once for each field of a document that is kept. */
function selecting(namesOf: (info: GraphQLResolveInfo) => ReadonlySet<string>) {
  const found = new WeakMap<FieldNode, boolean>();
  return (info: GraphQLResolveInfo): boolean => {
    const [only, ...others] = info.fieldNodes;
    const known = others.length === 0 ? found.get(only!) : undefined;
    if (known !== undefined) return known;
    const names = namesOf(info);
    const reads = info.fieldNodes.some((node) => selects(node, names, info.fragments, new Set()));
    if (others.length === 0) found.set(only!, reads);
    return reads;
  };
}

/** Whether a field of a document selects lines of an invoice, or what is made of them. */
export function selectsLines(
  { schema, fragments }: Pick<GraphQLResolveInfo, 'schema' | 'fragments'>,
  node: FieldNode,
): boolean {
  return selects(node, fieldsOfLines(schema), fragments, new Set());
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
    fields.filter(({ extensions }) => extensions['readsLines'] === true).map(({ name }) => name),
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
