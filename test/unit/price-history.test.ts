import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { defaultTaxCatalog } from '../../src/subjects/taxes/catalog.ts';
import type { LineInput } from '../../src/subjects/taxes/line-tax.ts';
import { priceHistory } from '../../src/subjects/taxes/price-history.ts';

type Taxes = NonNullable<LineInput['taxItems']>;

const line = (unitAmount: number, ...taxItems: Taxes[number][]): LineInput => ({
  description: 'x',
  quantity: 1,
  unitAmount,
  taxItems,
});

function priced(...lines: LineInput[]) {
  const pricing = priceHistory(lines, defaultTaxCatalog);
  if (isRefusal(pricing)) throw new Error(pricing.detail);
  return pricing;
}

test.each([
  [16, 1_600],
  [18, 1_800],
  [8, 800],
  [7, 700],
  [6, 600],
  [33, 3_300],
  [0, 0],
])('a rate of former days, %s %%, is taken as it stands', (rate, tax) => {
  const { lines, breakdown, ...totals } = priced(line(10_000, { type: 'vat', rate }));
  expect(totals).toEqual({ subtotal: 10_000, tax, total: 10_000 + tax });
  expect(lines[0]!.taxItems).toEqual([{ type: 'vat', name: `IVA ${rate}%`, rate: rate * 100, amount: tax }]);
  expect(breakdown).toMatchObject([
    { rate: rate * 100, base: 10_000, tax, declaredTax: tax, agencyTax: '01' },
  ]);
});

test('an old surcharge stands beside its vat and joins its group', () => {
  const surcharged = line(10_000, { type: 'vat', rate: 16 }, { type: 'es_recargo_equivalencia', rate: 4 });
  const { total, breakdown } = priced(surcharged, surcharged);
  expect(total).toBe(24_000);
  expect(breakdown).toMatchObject([{ tax: 3_200, surchargeRate: 400, surcharge: 800 }]);
});

test('rates are kept apart and taxes without rate keep their names', () => {
  const { breakdown } = priced(
    line(100, { type: 'vat', rate: 16 }),
    line(100, { type: 'vat', rate: 18 }),
    line(100, { type: 'es_exempt' }),
  );
  expect(breakdown.map(({ name, base }) => [name, base])).toEqual([
    ['IVA 16%', 100],
    ['IVA 18%', 100],
    ['Exento', 100],
  ]);
});

test('a tax that rounds to zero is accepted as the imported invoice stated it', () => {
  expect(priced(line(1, { type: 'vat', rate: 18 }))).toMatchObject({ tax: 0, total: 1 });
});

describe('refused', () => {
  const vat = { type: 'vat', rate: 18 } as const;
  const largest = 99_999_999_999;
  test.each<[string, LineInput[], string]>([
    ['a line without tax', [line(1)], 'invalid_tax_data'],
    ['two taxes', [line(1, vat, vat)], 'invalid_tax_data'],
    ['a surcharge alone', [line(1, { type: 'es_recargo_equivalencia', rate: 4 })], 'invalid_tax_data'],
    [
      'a surcharge on another tax',
      [line(1, { type: 'igic', rate: 5 }, { type: 'es_recargo_equivalencia', rate: 4 })],
      'invalid_tax_data',
    ],
    ['no rate', [line(1, { type: 'vat' })], 'invalid_tax_rate'],
    ['a rate with three decimals', [line(1, { type: 'vat', rate: 1.125 })], 'invalid_tax_rate'],
    ['a rate of a hundred', [line(1, { type: 'vat', rate: 100 })], 'invalid_tax_rate'],
    ['a rate on a tax without one', [line(1, { type: 'es_exempt', rate: 18 })], 'invalid_tax_rate'],
    ['a line beyond twelve digits', [{ ...line(largest, vat), quantity: 1_000_000 }], 'invalid_request'],
    [
      'a sum beyond twelve digits that comes back',
      [
        { ...line(largest, vat), quantity: 800 },
        { ...line(largest, vat), quantity: 800 },
        { ...line(-largest, vat), quantity: 800 },
      ],
      'invalid_request',
    ],
    [
      'thirteen rates',
      Array.from({ length: 13 }, (_, rate) => line(100, { type: 'vat', rate })),
      'invalid_tax_data',
    ],
  ])('%s', (_name, lines, code) => {
    expect(priceHistory(lines, defaultTaxCatalog)).toMatchObject({ code });
  });

  test('a type that the catalog lacks', () => {
    const lacking = new Map(defaultTaxCatalog);
    lacking.delete('vat');
    expect(priceHistory([line(1, vat)], lacking)).toMatchObject({ code: 'invalid_tax_data' });
  });
});
