import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  getArgumentValues,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Refusal } from '../../ground/errors/refusal.ts';
import { MAX_LINES } from '../../subjects/issuing/request.ts';
import { endWork, ownerOf, tooManyRows } from './charged-rows.ts';
import type { Context } from './context.ts';
import { type Cost, costOf } from './cost.ts';
import { refusedError } from './errors.ts';
import { selectsLines } from './extent.ts';
import { GRAPHQL_LIMITS } from './limits.ts';
import { coerceVariables } from './variables.ts';

/** Refuses, before anything of it is done, an operation that is too much whatever rows there are. */
export const boundedWork: Plugin<Context> = {
  onExecute({ args, setResultAndStopExecution }) {
    const errors = errorsOfOperation(args as ExecutionArgs);
    if (errors.length > 0) {
      setResultAndStopExecution({ errors });
      return;
    }
    return { onExecuteDone: () => endWork(args.contextValue as Context) };
  },
};

/**
 * Why an operation is not executed, empty where it is: its variables do not fit, it is too much, or the caller's share is
 * used up, from which it takes. A subscription is a read now, and each change that it sends is one.
 */
export function errorsOfOperation(args: ExecutionArgs): readonly GraphQLError[] {
  const operation = getOperationAST(args.document, args.operationName);
  // That is not ours to refuse.
  if (operation == null) return [];
  const { schema, document, variableValues = {} } = args;
  const { coerced, errors = [] } = coerceVariables(schema, document, operation, variableValues ?? {});
  const tooMuch =
    coerced === undefined
      ? null
      : (refusalOfCostOf(args, operation) ?? refusalOfWork(args, operation, coerced));
  const refusal = tooMuch ?? shareOf(args, operation);
  if (refusal === null) return errors;
  return [new GraphQLError(refusal.detail, { originalError: refusedError(refusal) })];
}

/** The number of root fields of the executed mutation, including those in fragments; 0 for a query. */
export function countMutations({ document, operationName }: ExecutionArgs): number {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'mutation') return 0;
  return [...rootFields(operation.selectionSet.selections, fragmentsOf(document), new Set())].length;
}

function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = {};
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node;
  }
  return fragments;
}

/** Takes the caller's share: a mutation's for each of its fields. */
function shareOf(args: ExecutionArgs, operation: OperationDefinitionNode): Refusal | null {
  const context = args.contextValue as Context;
  if (context.caller === null) return null;
  const kind = operation.operation === 'mutation' ? 'issuing' : 'reading';
  const points = kind === 'issuing' ? countMutations(args) : 1;
  return context.services.shares.take(ownerOf(context), kind, points);
}

type Executed = Pick<ExecutionArgs, 'schema' | 'document'>;

/** What the operation of a request costs, for an answer that states it. */
const costs = new WeakMap<object, Cost>();

/** The cost of the operation that a request has been measured by; null where it was not. */
export function costOfRequest({ observed }: Measured): Cost | null {
  return costs.get(observed) ?? null;
}

/** A request, in whichever context it is executed. */
type Measured = { readonly observed: object };

function refusalOfCostOf(
  { schema, document, variableValues, contextValue }: ExecutionArgs,
  operation: OperationDefinitionNode,
): Refusal | null {
  const cost = costOf(schema, document, operation, variableValues ?? {});
  costs.set((contextValue as Measured).observed, cost);
  return refusalOfCost(cost);
}

/** The most that a query may cost before anything is read. */
const BOUNDS = {
  depth: GRAPHQL_LIMITS.depth.value,
  breadth: GRAPHQL_LIMITS.breadth.value,
  complexity: GRAPHQL_LIMITS.cost.value,
};

/** Why an operation asks for too much before anything is read. */
export function refusalOfCost(cost: Cost): Refusal | null {
  for (const measure of ['depth', 'breadth', 'complexity'] as const) {
    if (cost[measure] > BOUNDS[measure]) {
      const detail = `Query exceeds maximum ${measure} (${measure}: ${cost[measure]}, max: ${BOUNDS[measure]})`;
      return new Refusal('invalid_request', detail);
    }
  }
  return null;
}

/** The rows of the longest invoice. */
const LONGEST_INVOICE = 1 + MAX_LINES;

/** Why an operation asks for too many rows after a change, or for too many searches. */
export function refusalOfWork(
  { schema, document }: Executed,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Refusal | null {
  const fragments = fragmentsOf(document);
  if (operation.operation === 'mutation') {
    // What was issued cannot be taken back when its answer turns out too large, so each invoice counts as the longest.
    const fields = [...rootFields(operation.selectionSet.selections, fragments, new Set())];
    const rows = fields.filter((node) => selectsLines({ schema, fragments }, node)).length * LONGEST_INVOICE;
    if (rows > GRAPHQL_LIMITS.rowsOfQuery.value) return tooManyRows(rows);
  }
  return repetitionRefusal(
    countKinds(schema.getRootType(operation.operation)!, operation, fragments, variables),
  );
}

/** What a field of the schema's root may declare (`extensions.work`), given its arguments. */
export type ExpensiveOperation = 'search' | 'verification';

function repetitionRefusal(counts: ReadonlyMap<ExpensiveOperation, number>): Refusal | null {
  const bounds = [
    ['search', GRAPHQL_LIMITS.searchesOfQuery.value, 'searches'],
    ['verification', GRAPHQL_LIMITS.verificationsOfQuery.value, 'verifications'],
  ] as const;
  for (const [kind, max, named] of bounds) {
    const count = counts.get(kind) ?? 0;
    if (count > max) {
      const detail = `The query asks for ${count} ${named}; at most ${max} are made for one.`;
      return new Refusal('invalid_request', detail);
    }
  }
  return null;
}

function countKinds(
  root: GraphQLObjectType,
  operation: OperationDefinitionNode,
  fragments: Record<string, FragmentDefinitionNode>,
  variables: Record<string, unknown>,
): Map<ExpensiveOperation, number> {
  const counts = new Map<ExpensiveOperation, number>();
  for (const node of rootFields(operation.selectionSet.selections, fragments, new Set())) {
    const field = root.getFields()[node.name.value];
    const work = field?.extensions['work'] as
      | ((args: Record<string, unknown>) => ExpensiveOperation | null)
      | undefined;
    if (field === undefined || work === undefined) continue;
    const kind = work(getArgumentValues(field, node, variables));
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** The root's fields as they are written, each fragment once: a field that two spreads name is one of the answer. */
function* rootFields(
  selections: OperationDefinitionNode['selectionSet']['selections'],
  fragments: Record<string, FragmentDefinitionNode>,
  visited: Set<string>,
): Generator<FieldNode> {
  for (const node of selections) {
    if (node.kind === Kind.FIELD) yield node;
    else if (node.kind === Kind.INLINE_FRAGMENT) {
      yield* rootFields(node.selectionSet.selections, fragments, visited);
    } else if (!visited.has(node.name.value)) {
      visited.add(node.name.value);
      const fragment = fragments[node.name.value];
      if (fragment !== undefined) yield* rootFields(fragment.selectionSet.selections, fragments, visited);
    }
  }
}
