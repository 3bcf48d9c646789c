import { type GraphQLField, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { z } from 'zod';
import { schema } from '../../src/faces/graphql/schema.ts';
import { camelCase } from '../../src/ground/lib/case.ts';
import { itemOf } from '../contract/lists.ts';
import type { Operation } from '../contract/operation.ts';
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

/** The fields of what a field has; none of a scalar. */
function fieldsOf({ type }: Pick<Field, 'type'>): Readonly<Record<string, Field>> {
  const named = getNamedType(type);
  return isObjectType(named) ? named.getFields() : {};
}

/**
 * The query or mutation that an operation executes: its field with all arguments, of which REST gives some, and the answer's
 * fields. `input`: the fields of the argument of that name, null if there is none.
 */
export function storedText({ id, field, answer, selected = {} }: Operation) {
  const [root = '', ...steps] = field.split('.');
  const query = schema.getQueryType()!.getFields()[root];
  const path: Field[] = [query ?? schema.getMutationType()!.getFields()[root]!];
  for (const step of steps) path.push(fieldsOf(path.at(-1)!)[step]!);
  const calls = path.map(
    ({ name, args }) => name + inBrackets(args.map((one) => `${one.name}: $${one.name}`)),
  );
  const fields = selectionOf(answer.schema, path.at(-1)!, selected);
  const args = path.flatMap((one) => one.args);
  const variables = inBrackets(args.map((one) => `$${one.name}: ${one.type}`));
  const head = `${query ? 'query' : 'mutation'} ${id.replace(/^./, (letter) => letter.toUpperCase())}`;
  const input = getNamedType(args.find(({ name }) => name === 'input')?.type);
  return {
    text: `${head}${variables} { answer: ${calls.join(' { ')}${fields}${' }'.repeat(path.length)}`,
    input: isInputObjectType(input) ? new Set(Object.keys(input.getFields())) : null,
  };
}

const inBrackets = (parts: readonly string[]): string => (parts.length === 0 ? '' : `(${parts.join(', ')})`);

type Selected = NonNullable<Operation['selected']>;

/** A page is selected by its edges if GraphQL has a connection; of what is not shown, only that it is there. */
function selectionOf(of: z.ZodObject | undefined, field: Field, selected: Selected): string {
  const own = fieldsOf(field);
  if (of === undefined) return Object.keys(own).length === 0 ? '' : ' { __typename }';
  if (own['edges'] === undefined) return selection(itemOf(of), field, selected);
  const node = selection(itemOf(of), fieldsOf(own['edges'])['node']!, selected);
  return ` { edges { node${node} } pageInfo { hasNextPage hasPreviousPage } }`;
}

/** The fields of a schema, with those of objects below it, as far as GraphQL has objects there. */
function selection(of: z.ZodType, field: Field, selected: Selected): string {
  const [inner, own] = [unwrapped(of), fieldsOf(field)];
  if (Object.keys(own).length === 0 || !(inner instanceof z.ZodObject)) return '';
  const fields = Object.entries(inner.shape as Record<string, z.ZodType>).map(([name, value]) => {
    const called = selected[name] ?? camelCase(name);
    const below = own[called];
    return below ? selectedAs(name, called) + selection(value, below, selected) : called;
  });
  return ` { ${fields.join(' ')} }`;
}

const selectedAs = (name: string, own: string): string => (own === name ? name : `${name}: ${own}`);
