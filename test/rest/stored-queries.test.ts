import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../rest/contract/all.ts';
import { storedText } from '../../rest/kernel/stored-text.ts';
import { schema } from '../../src/faces/graphql/schema.ts';

test.each(CONTRACT.map((operation) => [operation.id, operation] as const))(
  '%s: what it executes is valid under the schema',
  (_id, operation) => {
    expect(validate(schema, parse(storedText(operation).text)).map(({ message }) => message)).toEqual([]);
  },
);

test('every parameter of a path or a query is an argument of what is executed', () => {
  expect(storedText(CONTRACT.find(({ id }) => id === 'listNumberSeries')!).text).toBe(
    'query ListNumberSeries($after: String, $before: String, $first: Int, $last: Int, $type: NumberSeriesType) { ' +
      'answer: numberSeriesList(after: $after, before: $before, first: $first, last: $last, type: $type) { edges { node { ' +
      'id prefix type yearly is_default: isDefault imported created_at: createdAt } } ' +
      'pageInfo { hasNextPage hasPreviousPage } } }',
  );
});
