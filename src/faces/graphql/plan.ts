import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Context } from './context.ts';
import { objectPlan } from './plan-fields.ts';
import type { Run } from './plan-object.ts';
import { variablesPlan } from './variables.ts';

/**
 * Executes one operation as GraphQL's reference implementation does, by the algorithm of the specification (section 6), with
 * everything that is the same for each execution worked out once: which fields, by which resolver, with which arguments.
 */
export type Plan = (
  variables: Readonly<Record<string, unknown>>,
  context: Context,
) => Promise<ExecutionResult>;

/**
 * The plan of a document with one operation, which must be valid; null for what it is not made for: mutations of several
 * fields, which are executed one after the other, subscriptions, directives, interfaces and unions, and types that Prisma's
 * plugin loads, which knows them by how the reference implementation walks.
 */
export function planOf(schema: GraphQLSchema, document: DocumentNode): Plan | null {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const [operation, ...others] = operations;
  if (operation === undefined || others.length > 0 || !isSimple(schema, document, operation)) return null;
  const fragments = Object.fromEntries(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [],
    ),
  );
  const root = schema.getRootType(operation.operation)!;
  const execute = objectPlan({ schema, fragments, operation }, root, [operation.selectionSet]);
  const variablesOf = variablesPlan(schema, document, operation);
  return async (variables, context) => {
    const { coerced, errors: refused } = variablesOf(variables);
    if (refused !== undefined) return { errors: refused };
    const run: Run = { context, variables: coerced, errors: [] };
    try {
      const data = (await execute(run, undefined, undefined)) as ExecutionResult['data'];
      return run.errors.length === 0 ? { data: data! } : { errors: run.errors, data: data! };
    } catch (error) {
      run.errors.push(error as GraphQLError);
      return { errors: run.errors, data: null };
    }
  };
}

function isSimple(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): boolean {
  if (operation.operation === 'subscription') return false;
  if (operation.operation === 'mutation' && !hasOneField(operation)) return false;
  let simple = true;
  const types = new TypeInfo(schema);
  const visitor = {
    Directive: () => {
      simple = false;
    },
    Field: ({ alias, name }: FieldNode) => {
      const type = types.getType();
      const named = type ? getNamedType(type) : undefined;
      const loadedByPrisma = named?.extensions['pothosPrismaModel'] !== undefined;
      if (named === undefined || isAbstractType(named) || loadedByPrisma) simple = false;
      // An own property of that name is made by no assignment.
      if (name.value.startsWith('__') || alias?.value === '__proto__') simple = false;
    },
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return simple;
}

function hasOneField({ selectionSet: { selections } }: OperationDefinitionNode): boolean {
  return selections.length === 1 && selections[0]!.kind === Kind.FIELD;
}
