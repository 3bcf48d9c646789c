import { readFileSync } from 'node:fs';
import { type GraphQLEnumType, getNamedType, isInputObjectType, parse, print, validate } from 'graphql';
import { expect, test } from 'vitest';
import { FIRST_QUERY } from '../../src/faces/graphql/graphiql.ts';
import { rootFields } from '../../src/faces/graphql/permissions.ts';
import { printedSchema, schema } from '../../src/faces/graphql/schema.ts';
import { codes } from '../../src/ground/errors/catalogue.ts';

/** The text whatever its lay-out. */
const normal = (text: string): string => print(parse(text));

test('the committed schema is the one that is served; after a change to it: npm run schema', () => {
  const committed = readFileSync(new URL('../../src/faces/graphql/schema.graphql', import.meta.url), 'utf8');
  expect(normal(committed)).toBe(normal(printedSchema()));
});

test('each code of the catalogue is a value of ErrorCode, described', () => {
  const errorCode = schema.getType('ErrorCode') as GraphQLEnumType;
  expect(
    errorCode
      .getValues()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...codes].sort());
  expect(errorCode.getValues().filter(({ description }) => !description)).toEqual([]);
});

test('no argument beside an input object has the name of a field of it: paths of refused fields tell them apart', () => {
  const taken = rootFields(schema).flatMap(([root, { name, args }]) => {
    const inputs = args.flatMap(({ type }) => {
      const named = getNamedType(type);
      return isInputObjectType(named) ? Object.keys(named.getFields()) : [];
    });
    const own = args.filter(
      (argument) => inputs.includes(argument.name) && argument.deprecationReason == null,
    );
    return own.map((argument) => `${root}.${name}(${argument.name})`);
  });
  expect(taken).toEqual([]);
});

test('what GraphiQL opens with is a query of the schema', () => {
  expect(validate(schema, parse(FIRST_QUERY))).toEqual([]);
});
