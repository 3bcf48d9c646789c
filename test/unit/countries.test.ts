import { expect, test } from 'vitest';
import { acceptedCountries, isIsoCountry } from '../../src/subjects/recipients/countries.ts';

test('ISO 3166-1 assigns 249 codes, all that the agency takes among them', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const assigned = letters.flatMap((one) => letters.map((other) => one + other)).filter(isIsoCountry);
  expect(assigned).toHaveLength(249);
  expect(acceptedCountries.every(isIsoCountry)).toBe(true);
  expect(acceptedCountries).toHaveLength(241);
});
