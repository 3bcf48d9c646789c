import {
  type ASTVisitor,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import { GRAPHQL_LIMITS } from './limits.ts';

/** How many there are of what: on average over all types, and at most at one place. */
type Count = { readonly mean: number; readonly max: number };
type Counts = ReadonlyMap<string, Count>;

/** What a list of the schema's own types holds; any other field is one thing. */
function countsOf(schema: GraphQLSchema): Counts {
  const types = Object.values(schema.getTypeMap());
  const fielded = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = fielded.map((type) => Object.values(type.getFields()));
  const args = fields.flat().map((field) => field.args.length);
  const over = (figures: readonly number[], among: number): Count => ({
    mean: figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, among),
    max: Math.max(0, ...figures),
  });
  const exactly = (count: number): Count => ({ mean: count, max: count });
  return new Map([
    ['types', exactly(types.length)],
    ['directives', exactly(schema.getDirectives().length)],
    [
      'fields',
      over(
        fields.map(({ length }) => length),
        types.length,
      ),
    ],
    ['args', over(args, args.length)],
    [
      'inputFields',
      over(
        types.map((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
        types.length,
      ),
    ],
    [
      'enumValues',
      over(
        types.map((type) => (isEnumType(type) ? type.getValues().length : 0)),
        types.length,
      ),
    ],
    [
      'interfaces',
      over(
        fielded.map((type) => type.getInterfaces().length),
        types.length,
      ),
    ],
    [
      'possibleTypes',
      over(
        types.map((type) => (isInterfaceType(type) ? schema.getPossibleTypes(type).length : 0)),
        types.length,
      ),
    ],
  ]);
}

/** These lead from all types, over which an average holds, to one that the asker may have chosen for its size. */
const CHOSEN = new Set(['type', 'ofType', 'interfaces', 'possibleTypes']);

/** Where the fields stand: at the root of an operation, under all types, or under one that was chosen. */
type Level = 'root' | 'mean' | 'max';

/**
 * Refuses documents that unfold the schema into more than a page of documentation needs. GraphQL's own rule bounds
 * how deep they go, Pothos counts no field of the schema, and one answer could be hundreds of megabytes.
 */
export function boundedIntrospection(schema: GraphQLSchema) {
  const counts = countsOf(schema);
  return (context: ValidationContext): ASTVisitor => ({
    OperationDefinition(operation) {
      const cost = costOf(operation.selectionSet, 'root', {
        context,
        counts,
        open: new Set(),
        known: new Map(),
      });
      if (cost <= GRAPHQL_LIMITS.introspection.value) return;
      const figures = `${Math.round(cost)} of at most ${GRAPHQL_LIMITS.introspection.value} points`;
      context.reportError(
        new GraphQLError(`The query asks for too much of the schema: ${figures}.`, { nodes: operation }),
      );
    },
  });
}

type CostState = {
  readonly context: ValidationContext;
  readonly counts: Counts;
  /** The fragments that are being unfolded: one that holds itself is refused by another rule. */
  readonly open: Set<string>;
  readonly known: Map<string, number>;
};

function costOf({ selections }: SelectionSetNode, level: Level, state: CostState): number {
  let sum = 0;
  for (const node of selections) {
    if (node.kind === Kind.FIELD) sum += costOfField(node, level, state);
    else if (node.kind === Kind.INLINE_FRAGMENT) sum += costOf(node.selectionSet, level, state);
    else sum += costOfFragment(node.name.value, level, state);
  }
  return sum;
}

function costOfFragment(name: string, level: Level, state: CostState): number {
  const { context, open, known } = state;
  const fragment = context.getFragment(name);
  if (fragment == null || open.has(name)) return 0;
  const key = `${level} ${name}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  open.add(name);
  const cost = costOf(fragment.selectionSet, level, state);
  open.delete(name);
  known.set(key, cost);
  return cost;
}

function costOfField(field: FieldNode, level: Level, state: CostState): number {
  const name = field.name.value;
  if (level === 'root') {
    if (field.selectionSet === undefined || !name.startsWith('__')) return 0;
    return costOf(field.selectionSet, name === '__schema' ? 'mean' : 'max', state);
  }
  const times = state.counts.get(name)?.[level] ?? 1;
  if (field.selectionSet === undefined) return times;
  const below = level === 'mean' && !CHOSEN.has(name) ? 'mean' : 'max';
  return 1 + times * costOf(field.selectionSet, below, state);
}
