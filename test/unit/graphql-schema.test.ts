import { readFileSync } from 'node:fs';
import {
  buildSchema,
  findBreakingChanges,
  type GraphQLEnumType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNullableType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  print,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { FIRST_QUERY } from '../../src/faces/graphql/graphiql.ts';
import { rootFields } from '../../src/faces/graphql/permissions.ts';
import { printedSchema, schema, unusedDescriptions } from '../../src/faces/graphql/schema.ts';
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

test('no argument beside an input object has the name of a field of it: paths of refused fields distinguish them', () => {
  const taken = rootFields(schema).flatMap(([root, { name, args }]) => {
    const inputs = args.flatMap(({ type }) => {
      const named = getNamedType(type);
      return isInputObjectType(named) ? Object.keys(named.getFields()) : [];
    });
    const own = args.filter((argument) => inputs.includes(argument.name));
    return own.map((argument) => `${root}.${name}(${argument.name})`);
  });
  expect(taken).toEqual([]);
});

test('what GraphiQL opens with is a query of the schema', () => {
  expect(validate(schema, parse(FIRST_QUERY))).toEqual([]);
});

test('every type, field, argument, input and value is described, and nothing is described that is not there', () => {
  const silent = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) return [];
    const own = type.description ? [] : [type.name];
    const named = (element: { name: string; description?: string | null | undefined }, within: string) =>
      element.description ? [] : [`${within}.${element.name}`];
    if (isEnumType(type)) return [...own, ...type.getValues().flatMap((value) => named(value, type.name))];
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return own;
    return [
      ...own,
      ...Object.values(type.getFields()).flatMap((field) => [
        ...named(field, type.name),
        ...('args' in field
          ? field.args.flatMap((one: { name: string }) => named(one, `${type.name}.${field.name}`))
          : []),
      ]),
    ];
  });
  expect(silent).toEqual([]);
  expect(unusedDescriptions).toEqual([]);
});

test('an output field that may be null states when, and no other speaks of it', () => {
  const outputs = Object.values(schema.getTypeMap()).flatMap((type) =>
    (isObjectType(type) || isInterfaceType(type)) && !isIntrospectionType(type) ? [type] : [],
  );
  const wrong = outputs.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      /\bnull\b/i.test(field.description ?? '') === isNullableType(field.type)
        ? []
        : `${type.name}.${field.name}`,
    ),
  );
  expect(wrong).toEqual([]);
});

test('every mutation returns an object: what it changed, or its parent', () => {
  const bare = Object.values(schema.getMutationType()!.getFields()).filter(
    ({ type }) => !isObjectType(getNamedType(type)),
  );
  expect(bare.map(({ name }) => name)).toEqual([]);
});

describe('what callers were promised', () => {
  const docs = new URL('../../docs/', import.meta.url);
  const released = readFileSync(new URL('schema-released.graphql', docs), 'utf8');
  const breaking = (before: string, after: string): string[] =>
    findBreakingChanges(buildSchema(before), buildSchema(after)).map(({ description }) => description);

  test('is kept, unless the changelog lists what is not; after a release: npm run schema -- released', () => {
    const [, changelog = ''] = readFileSync(new URL('guides/versioning.md', docs), 'utf8').split(
      '## Changes',
    );
    const text = changelog.replaceAll(/\s+/g, ' ');
    expect(breaking(released, printedSchema()).filter((change) => !text.includes(change))).toEqual([]);
  });

  test.each([
    ['a field that is gone', 'type Query { a: Int b: Int }', 'type Query { a: Int }', 'Query.b was removed.'],
    [
      'an argument that must be sent',
      'type Query { a: Int }',
      'type Query { a(x: Int!): Int }',
      'A required arg x on Query.a was added.',
    ],
    [
      'a field that may be null now',
      'type Query { a: Int! }',
      'type Query { a: Int }',
      'Query.a changed type from Int! to Int.',
    ],
  ])('would not be with %s', (_what, before, after, message) => {
    expect(breaking(before, after)).toEqual([message]);
  });

  test('goes only after it was deprecated, with what to use in its place', () => {
    const deprecated = Object.values(schema.getTypeMap()).flatMap((type) => {
      if (!isObjectType(type)) return [];
      return Object.values(type.getFields()).flatMap((field) =>
        [field, ...field.args].flatMap(({ deprecationReason }) => deprecationReason ?? []),
      );
    });
    expect(deprecated.filter((reason) => !reason.startsWith('Use '))).toEqual([]);
  });
});
