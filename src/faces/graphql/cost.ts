import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * What an answer may hold many of: the items of a page, and what belongs to an invoice. A field whose list is counted
 * states it by the extension `rows`; one that is computed from such rows, and has at most as many items, by `madeOf`. Other
 * lists are bounded by the cost before anything is read (`complexity`), or charged by `charged`.
 */
export type Rows = 'page' | 'lines' | 'taxItems' | 'records' | 'rectifiedBy' | 'exchanges';

/** How many values a selection makes of each row, and of the rest once (`field`). */
export type Cost = ReadonlyMap<Rows | 'field', number>;

/** The cost of reading a row, in addition to its requested fields: rows are read whole. */
const READING_A_ROW = 8;

type Document = {
  readonly schema: GraphQLSchema;
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode };
};

const costs = new WeakMap<FieldNode, Cost>();

/**
 * The cost of one field with all that is selected in it, at each of its aliases. What `@skip` leaves out counts too, so
 * that it is the same each time the document is executed.
 */
export function costOfField({ schema, fragments, fieldNodes, parentType }: GraphQLResolveInfo): Cost {
  const [only, ...others] = fieldNodes;
  const known = others.length === 0 ? costs.get(only!) : undefined;
  if (known !== undefined) return known;
  const cost = new Map<Rows | 'field', number>();
  const visited: Known = new Map();
  for (const node of fieldNodes) addField(cost, node, parentType, { schema, fragments }, visited, 'field');
  if (others.length === 0) costs.set(only!, cost);
  return cost;
}

/** The cost of a whole operation. */
export function costOfOperation(
  schema: GraphQLSchema,
  fragments: Document['fragments'],
  operation: OperationDefinitionNode,
): Cost {
  const root = schema.getRootType(operation.operation)!;
  return costOfSelection(operation.selectionSet, root, { schema, fragments }, new Map(), 'field');
}

type Known = Map<SelectionSetNode, Map<string, Cost>>;

/** Each selection is looked at once for each kind of row that it is of, however often fragments unfold it. */
function costOfSelection(
  selection: SelectionSetNode,
  type: GraphQLNamedType,
  document: Document,
  known: Known,
  of: Rows | 'field',
): Cost {
  const key = `${type.name} ${of}`;
  let costs = known.get(selection);
  if (costs === undefined) {
    costs = new Map();
    known.set(selection, costs);
  }
  const before = costs.get(key);
  if (before !== undefined) return before;
  const cost = new Map<Rows | 'field', number>();
  // A fragment in itself is refused by validation; here it would only cost nothing.
  costs.set(key, cost);
  for (const node of selection.selections) {
    if (node.kind === Kind.FIELD) {
      addField(cost, node, type, document, known, of);
      continue;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? document.fragments[node.name.value] : node;
    if (fragment === undefined) continue;
    const condition = fragment.typeCondition;
    const inside = condition === undefined ? type : document.schema.getType(condition.name.value);
    if (inside !== undefined) add(cost, costOfSelection(fragment.selectionSet, inside, document, known, of));
  }
  return cost;
}

function addField(
  cost: Map<Rows | 'field', number>,
  node: FieldNode,
  type: GraphQLNamedType,
  document: Document,
  known: Known,
  of: Rows | 'field',
): void {
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
  const {
    rows,
    madeOf,
    values = 1,
  } = (field?.extensions ?? {}) as {
    rows?: Rows;
    madeOf?: Rows;
    values?: number;
  };
  add(cost, new Map([[of, values]]));
  if (rows !== undefined) add(cost, new Map([[rows, READING_A_ROW]]));
  if (node.selectionSet === undefined || field === undefined) return;
  add(
    cost,
    costOfSelection(node.selectionSet, getNamedType(field.type), document, known, rows ?? madeOf ?? of),
  );
}

function add(cost: Map<Rows | 'field', number>, more: Cost): void {
  for (const [rows, values] of more) cost.set(rows, (cost.get(rows) ?? 0) + values);
}

/** Values that an answer of so many rows holds. A row that is not counted counts as none. */
export function valuesOf(cost: Cost, counts: Partial<Record<Rows, number>>): number {
  let values = 0;
  for (const [rows, each] of cost) values += each * (rows === 'field' ? 1 : (counts[rows] ?? 0));
  return values;
}

/** Whether the number of invoices and of their lines determines how many values there are. */
export function countsOnlyLines(cost: Cost): boolean {
  return [...cost.keys()].every((rows) => rows === 'field' || rows === 'page' || rows === 'lines');
}

/** The assumed rows of an invoice that has not been counted. */
export const LONGEST_INVOICE: Record<Rows, number> = {
  page: 1,
  lines: 500,
  // Ten of each line are possible; the agency's rules leave room for two.
  taxItems: 1_000,
  records: 10,
  rectifiedBy: 1_000,
  exchanges: 500,
};
