import {
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { z } from 'zod';
import { schema } from '../../src/faces/graphql/schema.ts';
import { camelCase } from '../../src/ground/lib/case.ts';
import { isList, isPage, type Operation } from './operation.ts';

/** Arguments that REST names otherwise, on every list. */
const OF_LISTS: Readonly<Record<string, string>> = {
  limit: 'first',
  starting_after: 'after',
  ending_before: 'before',
};

/** The argument that a parameter of the path or the query is passed as. */
export const argumentOf = ({ renamed }: Operation, parameter: string): string =>
  renamed?.[parameter] ?? OF_LISTS[parameter] ?? camelCase(parameter.replace('[]', ''));

export type StoredText = {
  readonly text: string;
  readonly isQuery: boolean;
  /** The names of all variables. */
  readonly variables: ReadonlySet<string>;
  /** The names of the fields of `input`. */
  readonly input: ReadonlySet<string>;
};

/** The query or mutation that an operation executes: its field with all arguments that REST can give, and the answer's fields. */
export function storedText(operation: Operation): StoredText {
  const [root = '', ...steps] = operation.field.split('.');
  const isQuery = schema.getQueryType()!.getFields()[root] !== undefined;
  const given = new Set(argumentsGiven(operation));
  const declared = new Map<string, GraphQLArgument>();
  const called = (name: string, { args }: GraphQLField<unknown, unknown>): string => {
    const own = args.filter((argument) => given.has(argument.name));
    for (const argument of own) declared.set(argument.name, argument);
    const list = own.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
    return list === '' ? name : `${name}(${list})`;
  };
  let field = rootField(root);
  let text = `answer: ${called(root, field)}`;
  for (const step of steps) {
    field = fieldsOf(field)[step]!;
    text += ` { ${called(step, field)}`;
  }
  text += `${selectionOf(operation, field, given)}${' }'.repeat(steps.length)}`;
  const variables = [...declared].map(([name, { type }]) => `$${name}: ${type}`).join(', ');
  const head = `${isQuery ? 'query' : 'mutation'} ${operation.id.replace(/^./, (letter) => letter.toUpperCase())}`;
  const input = getNamedType(declared.get('input')?.type);
  return {
    text: `${head}${variables === '' ? '' : `(${variables})`} { ${text} }`,
    isQuery,
    variables: new Set(declared.keys()),
    input: new Set(isInputObjectType(input) ? Object.keys(input.getFields()) : []),
  };
}

function rootField(name: string): GraphQLField<unknown, unknown> {
  const roots = [schema.getQueryType()!, schema.getMutationType()!];
  const found = roots.flatMap((root) => root.getFields()[name] ?? [])[0];
  if (found === undefined) throw new Error(`the schema has no ${name}`);
  return found;
}

function fieldsOf({ type }: GraphQLField<unknown, unknown>) {
  const named = getNamedType(type);
  return isObjectType(named) ? named.getFields() : {};
}

function argumentsGiven(operation: Operation): string[] {
  const { path, query = {}, body, isKeyed } = operation;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const named = [...ids, ...Object.keys(query)].map((name) => argumentOf(operation, name));
  const sent = body === undefined ? [] : ['input', ...fieldNames(body.schema).map(camelCase)];
  return [...named, ...sent, ...(isKeyed ? ['idempotencyKey'] : []), ...('limit' in query ? ['last'] : [])];
}

const fieldNames = (of: z.ZodType): string[] => (of instanceof z.ZodObject ? Object.keys(of.shape) : []);

/** A page is selected by its edges if GraphQL has a connection; a field that has nothing to show, by its id. */
function selectionOf(
  { answer, selected = {} }: Operation,
  field: GraphQLField<unknown, unknown>,
  given: ReadonlySet<string>,
): string {
  if (answer.schema === undefined) return 'id' in fieldsOf(field) ? ' { id }' : '';
  const item = isPage(answer.schema) || isList(answer.schema) ? answer.schema.shape['data']! : answer.schema;
  const fields = selection(item, selected);
  if (!('edges' in fieldsOf(field))) return fields;
  const info = given.has('before') ? 'hasNextPage hasPreviousPage' : 'hasNextPage';
  return ` { edges { node${fields} } pageInfo { ${info} } }`;
}

/** The fields of a schema, with those of objects below it; nothing of what is no object. */
function selection(of: z.ZodType, selected: Readonly<Record<string, string>>): string {
  const inner = unwrapped(of);
  if (!(inner instanceof z.ZodObject)) return '';
  const fields = Object.entries(inner.shape as Record<string, z.ZodType>).map(([name, value]) => {
    const own = selected[name] ?? camelCase(name);
    if (!/^\w+$/.test(own)) return own;
    return `${own === name ? name : `${name}: ${own}`}${selection(value, selected)}`;
  });
  return ` { ${fields.join(' ')} }`;
}

/** What is left of a schema without null, absence, and lists. */
export function unwrapped(of: z.ZodType): z.ZodType {
  if (of instanceof z.ZodOptional || of instanceof z.ZodNullable || of instanceof z.ZodDefault)
    return unwrapped(of.unwrap() as z.ZodType);
  return of instanceof z.ZodArray ? unwrapped(of.element as z.ZodType) : of;
}
