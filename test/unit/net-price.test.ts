import { expect, test } from 'vitest';
import { ORDINARY_TERMS } from '../../src/subjects/documents/content.ts';
import { netPrice } from '../../src/subjects/formats/net-price.ts';
import { contentLine } from '../support/documents/invoice-content.ts';

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
  expect(netPrice({ ...contentLine('A', 1_250, { quantity: 3 }), ...ORDINARY_TERMS, ...terms })).toEqual(
    stated,
  );
});

test('a gross price is one unit at its subtotal, because no net one multiplies to it', () => {
  const gross = { quantityDecimal: '3', unitAmountDecimal: null, unitAmountGross: 1_210, unit: 'KGM' };
  const line = { ...contentLine('A', 3_000, { quantity: 1 }), ...gross };
  expect(netPrice(line)).toEqual({ quantity: '1', price: '30.00', unit: null });
});
