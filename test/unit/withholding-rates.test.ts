import { expect, test } from 'vitest';
import { isWithholdingRate } from '../../src/subjects/taxes/withholding.ts';

const known = (percentage: number) => isWithholdingRate(Math.round(percentage * 100));

test.each([
  ['professionals', [15, 7]],
  ['rent', [19]],
  ['farming, forestry and modules', [1, 2]],
  ['administrators', [35, 19]],
  ['rights of image', [24]],
  ['natural persons in Ceuta and Melilla, 60 % less', [6, 2.8, 7.6, 14]],
  ['rent of companies in Ceuta and Melilla, half', [9.5]],
])('a rule knows the rates of %s', (_of, rates) => {
  expect(rates.filter((rate) => !known(rate))).toEqual([]);
});

test.each([20, 21, 18, 9, 7.5, 0.4, 10, 47])('no rule knows %d %%', (rate) => {
  expect(known(rate)).toBe(false);
});
