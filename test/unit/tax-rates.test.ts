import { describe, expect, test } from 'vitest';
import { acceptedRate, acceptedRates } from '../../src/subjects/taxes/rates.ts';
import { surchargeRate } from '../../src/subjects/taxes/surcharge.ts';
import { TAX_TYPES, taxTypes } from '../../src/subjects/taxes/types.ts';

const TODAY = '2026-11-20';
const on = (day: string, isEarlier = false) => ({ day, isEarlier });

describe('rates in force', () => {
  test.each([
    ['vat', [0, 4, 10, 21], [2, 5, 7.5, 20, 21.001, -4, 210]],
    ['igic', [0, 3, 5, 7, 9.5, 15, 20], [6.5, 13.5, 21]],
    ['ipsi', [0.5, 1, 4, 10], [0, 0.25, 1.5, 10.5]],
    ['eu_oss', [0.01, 5.5, 19, 27, 30], [0, 30.01, -1, 19.005]],
    ['other', [0, 0.01, 12.34, 99.99], [100, 1e21, 1e-7, -0.01, 12.345]],
  ] as const)('%s takes its rates and no others', (type, taken, refused) => {
    for (const rate of taken) expect(acceptedRate(type, rate, on(TODAY))).toBe(Math.round(rate * 100));
    for (const rate of refused) expect(acceptedRate(type, rate, on(TODAY))).toBeNull();
  });

  test('a rated type needs a rate, the others take none or zero', () => {
    for (const type of TAX_TYPES) {
      expect(acceptedRate(type, undefined, on(TODAY))).toBe(taxTypes[type].rated ? null : 0);
      if (taxTypes[type].rated) continue;
      expect(acceptedRate(type, null, on(TODAY))).toBe(0);
      expect(acceptedRate(type, 0, on(TODAY))).toBe(0);
      expect(acceptedRate(type, -0, on(TODAY))).toBe(0);
      expect(acceptedRate(type, 21, on(TODAY))).toBeNull();
    }
  });

  test('a rate is in force from its first to its last day', () => {
    expect(acceptedRate('vat', 5, on('2024-09-30'))).toBe(500);
    expect(acceptedRate('vat', 5, on('2024-10-01'))).toBeNull();
    expect(acceptedRate('vat', 7.5, on('2024-09-30'))).toBeNull();
    expect(acceptedRate('vat', 7.5, on('2024-10-01'))).toBe(750);
    expect(acceptedRate('vat', 7.5, on('2025-01-01'))).toBeNull();
    expect(acceptedRate('vat', 21, on('2024-10-01'))).toBe(2100);
    expect(acceptedRate('igic', 6.5, on('2019-06-01', true))).toBe(650);
    expect(acceptedRate('igic', 6.555, on('2019-06-01', true))).toBeNull();
    expect(acceptedRate('vat', 5, on('2025-01-01', true))).toBeNull();
  });

  test('each vat rate above zero has its surcharge', () => {
    expect([2100, 1000, 400, 0].map((rate) => surchargeRate('vat', rate, TODAY))).toEqual([
      520,
      140,
      50,
      null,
    ]);
    expect(surchargeRate('vat', 500, '2022-12-31')).toBe(50);
    expect(surchargeRate('vat', 500, '2023-01-01')).toBe(62);
    expect(surchargeRate('vat', 200, '2024-10-01')).toBe(26);
    expect(surchargeRate('vat', 750, '2024-12-31')).toBe(100);
    const zero = ['2022-12-31', '2023-01-01', '2024-09-30', '2024-10-01'];
    expect(zero.map((day) => surchargeRate('vat', 0, day))).toEqual([null, 0, 0, null]);
  });

  test('what a type accepts is described', () => {
    expect(acceptedRates('vat', on(TODAY))).toBe('one of 0, 4, 10, 21');
    expect(acceptedRates('es_exempt', on(TODAY))).toBe('no rate');
    expect(acceptedRates('eu_oss', on(TODAY))).toBe('more than 0 and at most 30, with at most two decimals');
  });
});
