import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../rest/contract/all.ts';
import { argumentOf, storedText } from '../../rest/kernel/stored-text.ts';
import { schema } from '../../src/faces/graphql/schema.ts';

const executed = CONTRACT.filter(({ handler }) => handler === undefined).map(
  (operation) => [operation.id, operation] as const,
);

test.each(executed)('%s: what it executes is valid under the schema', (_id, operation) => {
  expect(validate(schema, parse(storedText(operation).text)).map(({ message }) => message)).toEqual([]);
});

test.each(executed)('%s: what a request holds is passed to it', (_id, operation) => {
  const { text, input } = storedText(operation);
  const { path, query = {}, body } = operation;
  const passed = (name: string) => text.includes(`$${name}: `) || input?.has(name);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const fields = Object.keys((body?.schema as { shape?: object } | undefined)?.shape ?? {});
  for (const name of [...ids, ...Object.keys(query)])
    expect(passed(argumentOf(operation, name)), name).toBe(true);
  for (const name of fields) expect(passed(name), name).toBe(true);
});

test('the text names the arguments of the field, and the fields that the answer has', () => {
  expect(storedText(CONTRACT.find(({ id }) => id === 'listNumberSeries')!).text).toBe(
    'query ListNumberSeries($after: String, $before: String, $companyId: ID, $environment: Environment, $first: Int, $last: Int, ' +
      '$type: NumberSeriesType) { answer: numberSeries(after: $after, before: $before, companyId: $companyId, ' +
      'environment: $environment, first: $first, last: $last, type: $type) { edges { node { ' +
      'id prefix type yearly is_default: isDefault imported created_at: createdAt } } ' +
      'pageInfo { hasNextPage hasPreviousPage } } }',
  );
});
