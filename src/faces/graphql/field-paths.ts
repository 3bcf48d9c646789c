import {
  type GraphQLArgument,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import type { FieldIssue, Refusal } from '../../ground/errors/refusal.ts';
import { isInputFault } from './input-faults.ts';

/**
 * The fields that a refusal names, as whoever sent the query knows them: paths from the arguments of the field on,
 * `input.lineItems[0].quantity`, where operations name them from the request on. A key that came as a header is named as one.
 */
export function issuesInQuery(
  { errors }: Refusal,
  error: unknown,
  schema: GraphQLSchema,
  keyIsHeader: boolean,
): readonly FieldIssue[] {
  // What coercion refuses stands in the query, by a path from its arguments.
  if (errors.length === 0 || isInputFault(error)) return errors;
  const args = argumentsOf(error, schema);
  return errors.map((issue) => ({ ...issue, field: pathOf(issue.field, args, keyIsHeader) }));
}

/** The text of a refusal, with the path of `issuesInQuery` where it begins with that of a field. */
export function detailInQuery({ detail, errors }: Refusal, issues: readonly FieldIssue[]): string {
  const [named, inQuery] = [errors[0]?.field, issues[0]?.field];
  return named && inQuery && detail.startsWith(named) ? `${inQuery}${detail.slice(named.length)}` : detail;
}

/** Of the field of the schema's root that was refused; what lies below has no arguments that are objects. */
function argumentsOf(error: unknown, schema: GraphQLSchema): readonly GraphQLArgument[] {
  if (!(error instanceof GraphQLError) || error.path?.length !== 1) return [];
  const node = error.nodes?.[0];
  if (node === undefined || !('name' in node) || node.name === undefined || !('value' in node.name))
    return [];
  const name = node.name.value;
  const roots = [schema.getMutationType(), schema.getQueryType()];
  const fields = roots.flatMap((root) => root?.getFields()[name] ?? []);
  return fields[0]?.args ?? [];
}

function pathOf(field: string, args: readonly GraphQLArgument[], keyIsHeader: boolean): string {
  const first = /^[^.[]*/.exec(field)![0];
  if (keyIsHeader && first === 'idempotencyKey') return 'Idempotency-Key';
  if (args.some(({ name }) => name === first)) return field;
  const holder = args.find(({ type }) => {
    const named = getNamedType(type);
    return isInputObjectType(named) && Object.hasOwn(named.getFields(), first);
  });
  return holder === undefined ? field : `${holder.name}.${field}`;
}
