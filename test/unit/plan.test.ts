import fc from 'fast-check';
import {
  buildSchema,
  type ExecutionResult,
  execute,
  GraphQLError,
  GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  parse,
  type ResponsePath,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import type { Context } from '../../src/faces/graphql/context.ts';
import { planOfKnown } from '../../src/faces/graphql/execute.ts';
import { planOf } from '../../src/faces/graphql/plan.ts';

const SDL = `
  scalar Cents
  enum Kind { GOOD BAD }
  input Filter { from: Int = 3, names: [String!], inside: Inside }
  input Inside { must: Int! = 7, kinds: [Kind!], inside: Filter }
  type Row { id: ID! cents: Cents! kind: Kind name(upper: Boolean = false): String row: Row sure: Row! rows: [Row]! must: [Row!] asked(filter: Filter, first: Int! = 25): String! }
  interface Thing { id: ID! }
  type Query { row: Row rows: [Row] must: [Row!] sure: Row! asked(filter: Filter, first: Int! = 25): String! thing: Thing }
  type Mutation { one: Row two: Row }
`;

/**
 * A schema whose fields answer what `outcome` says of their place. `blindly`: leaves are told no place, so an object brings its own.
 */
function schemaOf(outcome: (path: string) => unknown, blindly = false): GraphQLSchema {
  const schema = buildSchema(SDL);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.name === 'asked') field.resolve = (_source, args) => JSON.stringify(args);
      else if (blindly && isLeafType(getNullableType(field.type)))
        field.resolve = (source: { at?: string }) => outcome(`${source.at}/${field.name}`);
      else field.resolve = (_source, _args, _context, { path }) => placed(outcome(pathText(path)), path);
    }
  }
  return schema;
}

const isObject = (value: unknown) => value !== null && value?.constructor === Object;

/** Each object knows where it stands. */
function placed(value: unknown, path: ResponsePath): unknown {
  if (value instanceof Promise) return value.then((late) => placed(late, path));
  if (Array.isArray(value))
    return value.map((item, index) => placed(item, { prev: path, key: index, typename: '' }));
  return isObject(value) ? { ...(value as object), at: pathText(path) } : value;
}

function pathText(path: ResponsePath | undefined): string {
  return path === undefined ? '' : `${pathText(path.prev)}/${path.key}`;
}

const resultOf = ({ data, errors }: ExecutionResult) =>
  JSON.parse(JSON.stringify({ data, errors: (errors ?? []).map((error) => error.toJSON()) }));

/** The same document by the plan and by the reference implementation. */
async function both(schema: () => GraphQLSchema, source: string, variables: Record<string, unknown> = {}) {
  const document = parse(source);
  const one = schema();
  expect(validate(one, document)).toEqual([]);
  const plan = planOf(one, document);
  expect(plan).not.toBeNull();
  const mine = resultOf(await plan!(variables, {} as Context));
  const theirs = resultOf(await execute({ schema: schema(), document, variableValues: variables }));
  return { mine, theirs };
}

type Path = readonly (string | number)[];

/** Whether a path leads to a place in the answer. */
const exists = (data: unknown, path: Path): boolean =>
  path.length === 0 ||
  (typeof data === 'object' &&
    data !== null &&
    exists((data as Record<string | number, unknown>)[path[0]!], path.slice(1)));

const byPath = (errors: { path?: unknown; message: string }[]) =>
  errors.map(({ path, message }) => `${JSON.stringify(path)} ${message}`).sort();

const DOCUMENT = `
  query Everything($upper: Boolean) {
    row { ...Fields row { ... on Row { id } kind } }
    others: rows { ...Fields rows { id ...Named } }
    sure { id rows { sure { id } } }
  }
  fragment Fields on Row { id cents kind ...Named row { name } }
  fragment Named on Row { name(upper: $upper) }
`;

const leaf = fc.constantFrom<unknown>('GOOD', 'BAD', 7, null, undefined, true);
const settled = fc.oneof(
  { weight: 12, arbitrary: leaf },
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 6, arbitrary: fc.constant([{}, {}]) },
  { weight: 2, arbitrary: fc.constant([{}, null]) },
  { weight: 1, arbitrary: fc.constant(new Error('answered')) },
);

test.each([false, true])(
  'a plan answers what the reference implementation answers, whatever resolvers do (blindly: %s)',
  async (blindly) => {
    const outcome = fc.record({
      value: settled,
      how: fc.constantFrom('at once', 'at once', 'later', 'thrown'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 40 }), async (outcomes) => {
        const schema = () =>
          schemaOf((path) => {
            const sum = [...path].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 0);
            const { value, how } = outcomes[sum % outcomes.length]!;
            if (how === 'thrown') throw new GraphQLError('thrown');
            return how === 'later' ? Promise.resolve(value) : value;
          }, blindly);
        const { mine, theirs } = await both(schema, DOCUMENT, { upper: true });
        expect(mine.data).toEqual(theirs.data);
        // Of what is lost with something that may not be null, not every fault is waited for.
        const stands = ({ path }: { path?: Path }) => exists(theirs.data, path ?? []);
        expect(byPath(mine.errors.filter(stands))).toEqual(byPath(theirs.errors.filter(stands)));
        expect(mine.errors.length > 0).toBe(theirs.errors.length > 0);
      }),
      { numRuns: 120 },
    );
  },
);

test.each([
  ['{ row { id id again: id } }', { id: 'x' }],
  ['{ rows { id } }', 'no list'],
  ['{ must { id } }', [null]],
  ['{ row { cents } }', { id: 'x' }],
  ['{ sure { id } }', null],
  ['{ row { kind } }', 'GOOD'],
])('%s over %j is what it is by the reference implementation, with path and place', async (source, value) => {
  const { mine, theirs } = await both(() => schemaOf(() => value), source);
  expect(mine).toEqual(theirs);
});

test.each<[string, Record<string, unknown>]>([
  ['{ asked }', {}],
  ['{ asked(first: 2, filter: { names: ["a"] }) }', {}],
  ['query ($f: Filter) { asked(filter: $f) }', { f: { from: 1 } }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: null }],
  ['query ($f: Filter) { asked(filter: $f) }', {}],
  ['query ($n: Int!) { asked(first: $n) }', { n: 'a text' }],
  ['query ($n: Int = 9) { asked(filter: { from: $n }) }', { n: undefined }],
  ['query ($n: Int = 9) { asked(filter: { from: $n }) }', {}],
  ['query ($f: Filter) { asked(filter: $f) }', { f: { names: 'one in place of a list' } }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: { names: ['a', null], unknown: 1, from: null } }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: { from: undefined, names: null } }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: ['no object'] }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: { inside: { kinds: ['GOOD', 'BAD'], inside: {} } } }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: { inside: { kinds: ['UGLY'], must: 1 } } }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: { inside: { must: 1, inside: { from: 1.5 } } } }],
  ['query ($f: Filter) { asked(filter: $f) }', { f: new Map([['names', 1]]) }],
])('%s is given the arguments that the reference implementation gives', async (source, variables) => {
  const { mine, theirs } = await both(() => schemaOf(() => null), source, variables);
  // What is wrong with variables is stated without their values.
  const faults = ({ errors }: { errors: readonly { locations?: unknown }[] }) =>
    errors.map(({ locations }) => locations);
  expect(mine.data).toEqual(theirs.data);
  expect(faults(mine)).toEqual(faults(theirs));
});

test.each([
  '{ thing { id } }',
  'query ($a: Boolean!) { row @include(if: $a) { id } }',
  'mutation { one { id } two { id } }',
  '{ __typename }',
  '{ __proto__: row { id } }',
  'query A { row { id } } query B { row { id } }',
])('no plan is made for %s', (source) => {
  expect(
    planOf(
      schemaOf(() => null),
      parse(source),
    ),
  ).toBeNull();
});

test('a document from outside is compiled when it is repeated, and only for its operation', () => {
  const schema = schemaOf(() => null);
  const document = parse('query A { row { id } }');
  expect(planOfKnown(schema, document, 'A')).toBeNull();
  expect(planOfKnown(schema, document, 'A')).not.toBeNull();
  expect(planOfKnown(schema, document, undefined)).toBe(planOfKnown(schema, document, 'A'));
  expect(planOfKnown(schema, document, 'B')).toBeNull();
});
