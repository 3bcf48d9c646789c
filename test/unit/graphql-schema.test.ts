import { readFileSync } from 'node:fs';
import { parse, print } from 'graphql';
import { expect, test } from 'vitest';
import { printedSchema } from '../../src/faces/graphql/schema.ts';

/** The text whatever its lay-out. */
const normal = (text: string): string => print(parse(text));

test('the committed schema is the one that is served; after a change to it: npm run schema', () => {
  const committed = readFileSync(new URL('../../src/faces/graphql/schema.graphql', import.meta.url), 'utf8');
  expect(normal(committed)).toBe(normal(printedSchema()));
});
