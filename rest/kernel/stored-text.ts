import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldMap,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { z } from 'zod';
import { schema } from '../../src/faces/graphql/schema.ts';
import { camelCase } from '../../src/ground/lib/case.ts';
import { itemOf, type Operation } from '../contract/operation.ts';
import { unwrapped } from '../schema-parts.ts';

/** Arguments that REST names otherwise, on every list. */
const OF_LISTS: Readonly<Record<string, string>> = {
  limit: 'first',
  starting_after: 'after',
  ending_before: 'before',
};

/** The argument that a parameter of the path or the query is passed as. */
export const argumentOf = ({ renamed }: Operation, parameter: string): string =>
  renamed?.[parameter] ?? OF_LISTS[parameter] ?? camelCase(parameter.replace('[]', ''));

type Field = GraphQLField<unknown, unknown>;

type StoredText = {
  readonly text: string;
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
  const called = (name: string, { args }: Field): string => {
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
    variables: new Set(declared.keys()),
    input: new Set(isInputObjectType(input) ? Object.keys(input.getFields()) : []),
  };
}

function rootField(name: string): Field {
  const roots = [schema.getQueryType()!, schema.getMutationType()!];
  const found = roots.flatMap((root) => root.getFields()[name] ?? [])[0];
  if (found === undefined) throw new Error(`the schema has no ${name}`);
  return found;
}

function fieldsOf({ type }: Field): GraphQLFieldMap<unknown, unknown> {
  const named = getNamedType(type);
  return isObjectType(named) ? named.getFields() : {};
}

function argumentsGiven(operation: Operation): string[] {
  const { path, query = {}, body, isKeyed, ifMatch, constant = {} } = operation;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const named = [...ids, ...Object.keys(query)].map((name) => argumentOf(operation, name));
  const sent = body?.schema instanceof z.ZodObject ? ['input', ...Object.keys(body.schema.shape)] : [];
  return [
    ...[...named, ...sent, ...Object.keys(constant)],
    ...(isKeyed ? ['idempotencyKey'] : []),
    ...(ifMatch === undefined ? [] : [ifMatch]),
    ...('limit' in query ? ['last'] : []),
  ];
}

/** A page is selected by its edges if GraphQL has a connection; where nothing is shown, one field. */
function selectionOf(
  { answer, selected = {}, within }: Operation,
  field: Field,
  given: ReadonlySet<string>,
): string {
  const own = fieldsOf(field);
  if (answer.schema === undefined) {
    const leaf =
      own['id'] ??
      Object.values(own).find(({ type, args }) => isLeafType(getNamedType(type)) && args.length === 0);
    return leaf === undefined ? '' : ` { ${leaf.name} }`;
  }
  if (within !== undefined) return split(answer.schema, within, own);
  if (!('edges' in own)) return selection(itemOf(answer.schema), field, selected);
  const fields = selection(itemOf(answer.schema), fieldsOf(own['edges']!)['node']!, selected);
  const info = given.has('before') ? 'hasNextPage hasPreviousPage' : 'hasNextPage';
  return ` { edges { node${fields} } pageInfo { ${info} } }`;
}

/** Fields that the type has itself, and the others in its field `within`. */
function split(schema: z.ZodObject, within: string, own: GraphQLFieldMap<unknown, unknown>): string {
  const beside = Object.keys(schema.shape).filter((name) => camelCase(name) in own);
  const others = Object.entries(schema.shape).filter(([name]) => !beside.includes(name));
  const inner = selection(z.object(Object.fromEntries(others)), own[within]!, {});
  return ` { ${within}${inner} ${beside.map((name) => selectedAs(name, camelCase(name))).join(' ')} }`;
}

/** The fields of a schema, with those of objects below it, as far as GraphQL has objects there. */
function selection(of: z.ZodType, field: Field, selected: Readonly<Record<string, string>>): string {
  const inner = unwrapped(of);
  if (isLeafType(getNamedType(field.type)) || !(inner instanceof z.ZodObject)) return '';
  const fields = Object.entries(inner.shape as Record<string, z.ZodType>).map(([name, value]) => {
    const own = selected[name] ?? camelCase(name);
    const below = fieldsOf(field)[own];
    if (below === undefined) return own;
    return selectedAs(name, own) + selection(value, below, selected);
  });
  return ` { ${fields.join(' ')} }`;
}

const selectedAs = (name: string, own: string): string => (own === name ? name : `${name}: ${own}`);
