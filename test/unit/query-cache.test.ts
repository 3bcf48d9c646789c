import { type DocumentNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { boundedQueries, KEPT_DOCUMENTS } from '../../src/faces/graphql/query-cache.ts';

const refused = () => new Error('refused') as never;

/** Whether the document is one that the cache has; it has it afterwards. */
function cache(caller: object | null = {}): (text: string) => boolean {
  const { onParse } = boundedQueries(false, { unauthorized: refused, tooMuch: refused, misshapen: refused });
  return (text) => {
    let isKnown = false;
    const setParsedDocument = () => {
      isKnown = true;
    };
    const params = { source: text };
    const parsed = onParse!({ params, context: { caller }, setParsedDocument } as never) as unknown as
      | ((event: { result: DocumentNode; replaceParseResult: () => void }) => void)
      | undefined;
    parsed?.({ result: parse(text), replaceParseResult: () => {} });
    return isKnown;
  };
}

test('documents are remembered up to so many bytes of what they are parsed into, not so many documents', () => {
  const isKnown = cache();
  const [first, ...others] = Array.from(
    { length: KEPT_DOCUMENTS / 400_000 },
    (_, at) =>
      `query q${at} { ${'__typename '.repeat(190)} ${'...f '.repeat(5)} a: x(l: [${'1 '.repeat(800)}]) }`,
  );
  expect([isKnown(first!), isKnown(first!)]).toEqual([false, true]);
  for (const text of others.slice(0, 10)) isKnown(text);
  expect(isKnown(first!)).toBe(true);
  for (const text of others) isKnown(text);
  expect(isKnown(first!)).toBe(false);
});

test('a document that is larger than the cache is not remembered, and takes the place of none', () => {
  const isKnown = cache();
  isKnown('{ __typename }');
  const large = `{ x(l: [${'1 '.repeat(KEPT_DOCUMENTS / 500)}]) }`;
  expect([isKnown(large), isKnown(large), isKnown('{ __typename }')]).toEqual([false, false, true]);
});

test('nothing is remembered of who has no key', () => {
  const isKnown = cache(null);
  expect([isKnown('{ __typename }'), isKnown('{ __typename }')]).toEqual([false, false]);
});
