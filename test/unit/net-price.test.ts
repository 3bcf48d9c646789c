import { describe, expect, test } from 'vitest';
import { netPrice } from '../../src/subjects/formats/net-price.ts';
import { ORDINARY_TERMS } from '../../src/subjects/taxes/line-amount.ts';
import { grossLine } from '../support/documents/invoice-cases.ts';
import { contentLine } from '../support/documents/invoice-content.ts';
import { semanticInvoiceOf } from '../support/formats/format-source.ts';

test.each([
  ['an ordinary line', {}, { quantity: '3', price: '12.50', unit: null }],
  ['a line with a unit', { unit: 'KGM' }, { quantity: '3', price: '12.50', unit: 'KGM' }],
  [
    'a decimal quantity',
    { quantityDecimal: '1.5', unitAmountDecimal: '8000', unit: 'HUR' },
    { quantity: '1.5', price: '80.00', unit: 'HUR' },
  ],
  [
    'a price finer than cents',
    { quantityDecimal: '1000', unitAmountDecimal: '0.125', unit: null },
    { quantity: '1000', price: '0.00125', unit: null },
  ],
  [
    'a discount',
    { quantityDecimal: '2', unitAmountDecimal: '-7.50', unit: null },
    { quantity: '2', price: '-0.075', unit: null },
  ],
])('%s is stated as it was sent, in euros', (_what, terms, stated) => {
  const line = { ...contentLine('A', 1_250, { quantity: 3 }), ...ORDINARY_TERMS, ...terms };
  expect(netPrice(line)).toEqual({ ...stated, isExact: true });
});

describe('a gross price', () => {
  const stated = (quantity: string, price: number) => {
    const [line] = semanticInvoiceOf({ lines: [grossLine('A', quantity, price)] }).lines;
    return [line!.quantity, line!.price, line!.priceQuantity, line!.amount];
  };

  test('is stated for one unit without taxes where that price has a decimal form', () => {
    // 12 × 8.99 are 107.88 and 89.16 without 21 %.
    expect(stated('12', 899)).toEqual(['12', '7.43', null, 8_916]);
  });

  test('is else stated for all units together, so that quantity × price ÷ base quantity is the amount', () => {
    expect(stated('7', 199)).toEqual(['7', '11.51', '7', 1_151]);
    expect(stated('0.75', 2_000)).toEqual(['0.75', '12.40', '0.75', 1_240]);
    expect(stated('7', -199)).toEqual(['-7', '11.51', '7', -1_151]);
  });

  test('of nothing is nothing', () => expect(stated('3', 0)).toEqual(['3', '0.00', null, 0]));
});
