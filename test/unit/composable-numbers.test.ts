import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeNumber, couldCompose, seriesPrefix } from '../../src/subjects/number-series/series.ts';

const prefix = fc
  .string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'ABz09-/._ :#') })
  .filter((text) => seriesPrefix.safeParse(text).success)
  .map((text) => seriesPrefix.parse(text));
const series = fc.record({ prefix, yearly: fc.boolean() });
const year = fc.integer({ min: 1000, max: 9999 });
const counter = fc.integer({ min: 1, max: 2_147_483_647 });

test('any number that a series composes is recognised as its own, in any case of letters', () => {
  fc.assert(
    fc.property(series, year, counter, (one, y, n) => {
      const number = composeNumber(one, y, n);
      return couldCompose(one, number) && couldCompose(one, number.toLowerCase());
    }),
  );
});

test('a number that a series could compose is recognised', () => {
  fc.assert(
    fc.property(series, fc.stringMatching(/^[-A-F0-9/]{1,24}$/), (one, tail) => {
      const number = `${one.prefix}${tail}`;
      if (!couldCompose(one, number)) return true;
      const [n, y] = number.split('-').reverse();
      return composeNumber(one, Number(y), Number(n)) === number;
    }),
  );
});

test.each([
  ['F-2019-1', true, true],
  ['f-2019-1', true, true],
  ['F-2019-01', true, false],
  ['F-2019-0', true, false],
  ['F-19-1', true, false],
  ['F-2019-1-1', true, false],
  ['F-2019-12345678901', true, false],
  ['F2019-1', true, false],
  ['FF-2019-1', true, false],
  ['F-2019', true, false],
  ['F-7', true, false],
  ['F-7', false, true],
  ['F-07', false, false],
  ['F-2019', false, true],
  ['F-2019-1', false, false],
  ['F-', false, false],
  ['F', false, false],
  ['F-7 ', false, false],
  ['F-٧', false, false],
])('%s, series F yearly %s: %s', (number, yearly, composable) => {
  expect(couldCompose({ prefix: 'F', yearly }, number)).toBe(composable);
});

test('a letter that only looks like a capital is refused', () => {
  expect(couldCompose({ prefix: 'I', yearly: false }, 'ı-7')).toBe(false);
  expect(couldCompose({ prefix: 'SS', yearly: false }, 'ß-7')).toBe(false);
});
