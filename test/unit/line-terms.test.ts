import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { decimalOf, eurosOf, millionthsOf, roundedQuotient } from '../../src/ground/lib/decimal.ts';
import { type SoldTerms, soldTerms } from '../../src/subjects/taxes/line-amount.ts';
import type { LineInput } from '../../src/subjects/taxes/line-tax.ts';
import type { Pricing } from '../../src/subjects/taxes/pricing.ts';
import { price, priced } from '../support/invoices/pricing.ts';

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const vat = (rate: number) => ({ description: 'Thing', taxItems: [{ type: 'vat' as const, rate }] });

describe('decimals', () => {
  test.each([
    ['0', 0n],
    ['1', 1_000_000n],
    ['1.5', 1_500_000n],
    ['1.50', 1_500_000n],
    ['-0.000001', -1n],
    ['99999999999.999999', 99_999_999_999_999_999n],
  ])('%s is %s millionths', (text, millionths) => {
    expect(millionthsOf(text)).toBe(millionths);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '.5',
    '1.',
    '1,5',
    '1e3',
    '0x10',
    '-0',
    '-0.00',
    '1.0000001',
    'NaN',
    '١',
    '1_000',
  ])('%j is no decimal', (text) => expect(millionthsOf(text)).toBeNull());

  test('a text of a million digits is no number, and is refused at no cost', () => {
    expect(millionthsOf('9'.repeat(1_000_000))).toBeNull();
  });

  test.each([
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [7n, 3n, 2n],
    [-7n, 3n, -2n],
    [1n, 3n, 0n],
  ])('%s / %s is %s, half away from zero', (dividend, divisor, quotient) => {
    expect(roundedQuotient(dividend, divisor)).toBe(quotient);
  });

  test.each(['0', '1', '-1.5', '817.25', '-0.000001', '99999999999.999999'])(
    '%s is written again',
    (text) => {
      expect(decimalOf(millionthsOf(text)!)).toBe(text);
    },
  );

  test.each([
    ['1210', '12.10'],
    ['1210.5', '12.105'],
    ['0.123456', '0.00123456'],
    ['-5', '-0.05'],
    ['-5.50', '-0.055'],
    ['100.0', '1.00'],
    ['0', '0.00'],
  ])('%s cents are %s euros', (cents, euros) => {
    expect(eurosOf(cents)).toBe(euros);
  });
});

describe('a line with decimals', () => {
  test('is rounded once, half away from zero, and is sealed as one unit at its subtotal', () => {
    const sent = { ...vat(21), quantityDecimal: '2.5', unitAmountDecimal: '1000.2' };
    expect(priced([sent]).lines[0]).toMatchObject({
      ...{ quantity: 1, unitAmount: 2_501, subtotal: 2_501, tax: 525, total: 3_026 },
      ...{ quantityDecimal: '2.5', unitAmountDecimal: '1000.2', unitAmountGross: null },
    });
    const discount = { ...sent, unitAmountDecimal: '-1000.2' };
    expect(priced([discount]).lines[0]).toMatchObject({ unitAmount: -2_501, subtotal: -2_501, tax: -525 });
  });

  test('is one however one of quantity and price is sent, and shows both', () => {
    const shown = { quantity: 1, unitAmount: 3_000, quantityDecimal: '3', unitAmountDecimal: '1000' };
    for (const form of [
      { quantityDecimal: '3', unitAmount: 1_000 },
      { quantity: 3, unitAmountDecimal: '1000' },
      { quantityDecimal: '3', unitAmountDecimal: '1000' },
    ]) {
      expect(priced([{ ...vat(21), ...form }]).lines[0]).toMatchObject(shown);
    }
  });

  test('a unit of measure alone changes nothing', () => {
    expect(priced([{ ...vat(21), quantity: 3, unitAmount: 1_000, unit: 'HUR' }]).lines[0]).toMatchObject({
      ...{ quantity: 3, unitAmount: 1_000, unit: 'HUR', quantityDecimal: null, unitAmountDecimal: null },
    });
  });

  test('beyond twelve digits it is refused', () => {
    const wide = { ...vat(21), quantityDecimal: '999999.5', unitAmountDecimal: '99999999999' };
    const outcome = price([wide]);
    expect(isRefusal(outcome) && outcome.code).toBe('invalid_request');
  });
});

describe('a gross price', () => {
  const gross = (lines: readonly LineInput[], more: Parameters<typeof price>[1] = {}) =>
    priced(lines, { ...more, pricesIncludeTax: true });

  test.each([
    [21, 1, 1_000, 826, 174],
    [21, 3, 1_210, 3_000, 630],
    [21, 1, 3, 2, 1],
    [10, 7, 199, 1_266, 127],
    [4, 1, 13, 12, 1],
    [0, 2, 500, 1_000, 0],
    [21, 1, -1_000, -826, -174],
  ])('at %s %%: %s × %s comes to %s and a tax of %s', (rate, quantity, unitAmount, subtotal, tax) => {
    const { lines, total } = gross([{ ...vat(rate), quantity, unitAmount }]);
    expect(total).toBe(quantity * unitAmount);
    expect(lines[0]).toMatchObject({
      ...{ quantity: 1, unitAmount: subtotal, subtotal, tax, total },
      ...{ quantityDecimal: String(quantity), unitAmountDecimal: null, unitAmountGross: unitAmount },
    });
  });

  test('with decimals shows them, and the price rounded to a cent', () => {
    const sent = { ...vat(21), quantityDecimal: '0.75', unitAmountDecimal: '1999.5' };
    expect(gross([sent]).lines[0]).toMatchObject({
      ...{ total: 1_500, subtotal: 1_240, tax: 260, quantityDecimal: '0.75' },
      ...{ unitAmountDecimal: '1999.5', unitAmountGross: 2_000 },
    });
  });

  test('a surcharge is taken out on the same base', () => {
    const { lines, total } = gross([{ ...vat(21), quantity: 1, unitAmount: 12_620 }], {
      recargoEquivalencia: true,
    });
    expect(total).toBe(12_620);
    expect(lines[0]).toMatchObject({
      subtotal: 10_000,
      taxItems: [{ amount: 2_100 }, { type: 'es_recargo_equivalencia', amount: 520 }],
    });
  });

  test('a line may differ from its invoice, in both directions', () => {
    const sent = { ...vat(21), quantity: 1, unitAmount: 1_210 };
    expect(gross([{ ...sent, pricesIncludeTax: false }])).toMatchObject({ subtotal: 1_210, total: 1_464 });
    expect(priced([{ ...sent, pricesIncludeTax: true }])).toMatchObject({ subtotal: 1_000, total: 1_210 });
  });

  test('without any remaining tax is refused, as a net one is', () => {
    const outcome = price([{ ...vat(21), quantity: 1, unitAmount: 2 }], { pricesIncludeTax: true });
    expect(isRefusal(outcome) && outcome.code).toBe('invalid_tax_data');
  });
});

describe('a line as it was sold', () => {
  type Sent = Omit<LineInput, 'description'>;
  const sold = (line: Sent, pricesIncludeTax: boolean): SoldTerms => {
    const [only] = priced([{ ...vat(10), ...line }], { pricesIncludeTax }).lines;
    return soldTerms(only!);
  };
  const terms = (
    quantity: number,
    unitAmount: number,
    ...[quantityDecimal, unitAmountDecimal, unitAmountGross, unitAmountGrossDecimal]: [
      quantityDecimal?: string,
      unitAmountDecimal?: string,
      unitAmountGross?: number,
      unitAmountGrossDecimal?: string,
    ]
  ) => ({
    ...{ quantity, unitAmount, quantityDecimal: quantityDecimal ?? null },
    unitAmountDecimal: unitAmountDecimal ?? null,
    unitAmountGross: unitAmountGross ?? null,
    unitAmountGrossDecimal: unitAmountGrossDecimal ?? null,
  });

  test.each<[what: string, sent: Sent, expected: SoldTerms]>([
    ['whole units at whole cents', { quantity: 12, unitAmount: 899 }, terms(12, 899)],
    [
      'a whole decimal quantity',
      { quantityDecimal: '2.00', unitAmount: 1_000 },
      terms(2, 1_000, '2.00', '1000'),
    ],
    ['a price with decimals', { quantity: 300, unitAmountDecimal: '0.5' }, terms(300, 1, '300', '0.5')],
    ['a discount with decimals', { quantity: 4, unitAmountDecimal: '-12.5' }, terms(4, -13, '4', '-12.5')],
    [
      'a quantity that is not whole',
      { quantityDecimal: '2.5', unitAmountDecimal: '1000.2' },
      terms(1, 2_501, '2.5', '1000.2'),
    ],
    ['no price', { quantityDecimal: '7', unitAmount: 0 }, terms(7, 0, '7', '0')],
  ])('%s at a net price', (_what, sent, expected) => expect(sold(sent, false)).toEqual(expected));

  test.each<[what: string, sent: Sent, expected: SoldTerms]>([
    ['twelve bottles', { quantity: 12, unitAmount: 899 }, terms(12, 817, '12', '817.25', 899)],
    ['one bottle', { quantity: 1, unitAmount: 899 }, terms(1, 817, '1', '817', 899)],
    ['a price without decimal form', { quantity: 7, unitAmount: 899 }, terms(7, 817, '7', '817.285714', 899)],
    ['twelve bottles back', { quantity: 12, unitAmount: -899 }, terms(12, -817, '12', '-817.25', -899)],
    ['half a cent back', { quantity: 2, unitAmount: -3 }, terms(2, -3, '2', '-2.5', -3)],
    ['nothing to pay', { quantity: 5, unitAmount: 0 }, terms(5, 0, '5', '0', 0)],
    [
      'a price with decimals',
      { quantity: 1_000, unitAmountDecimal: '12.345' },
      terms(1_000, 11, '1000', '11.223', 12, '12.345'),
    ],
    [
      'a quantity that is not whole',
      { quantityDecimal: '0.75', unitAmountDecimal: '1999.5' },
      terms(1, 1_364, '0.75', '1818.666667', 2_000, '1999.5'),
    ],
  ])('%s at a gross price', (_what, sent, expected) => expect(sold(sent, true)).toEqual(expected));
});

describe('for any lines', () => {
  const decimalText = (most: number, decimals: number) =>
    fc
      .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 0, max: 10 ** decimals - 1 }))
      .map(([whole, rest]) => `${whole}.${String(rest).padStart(decimals, '0')}`);
  const quantity = fc.oneof(
    fc.integer({ min: 1, max: 1_000 }).map((value) => ({ quantity: value })),
    fc.integer({ min: 1, max: 6 }).chain((decimals) =>
      decimalText(1_000, decimals)
        .filter((text) => Number(text) > 0)
        .map((quantityDecimal) => ({ quantityDecimal })),
    ),
  );
  const amount = fc.oneof(
    fc.integer({ min: -20_000, max: 200_000 }).map((unitAmount) => ({ unitAmount })),
    fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()).chain(([decimals, isDiscount]) =>
      decimalText(200_000, decimals).map((text) => ({
        unitAmountDecimal: isDiscount && Number(text) > 0 ? `-${text}` : text,
      })),
    ),
  );
  const tax = fc.constantFrom<[type: 'vat' | 'igic' | 'es_exempt', rate: number | undefined]>(
    ['vat', 21],
    ['vat', 10],
    ['vat', 4],
    ['igic', 9.5],
    ['es_exempt', undefined],
  );
  const lineOf = (taxes: typeof tax) =>
    fc.tuple(quantity, amount, taxes, fc.option(fc.boolean(), { nil: undefined })).map(
      ([units, unitPrice, [type, rate], pricesIncludeTax]): LineInput => ({
        ...{ description: 'Thing', ...units, ...unitPrice, taxItems: [{ type, rate }], pricesIncludeTax },
      }),
    );

  /** Quantity × price in millionths of millionths of a cent, written apart from the code. */
  function exactly({ quantity: units, quantityDecimal, unitAmount, unitAmountDecimal }: LineInput): bigint {
    const scaled = (text: string) => {
      const [whole = '', decimals = ''] = text.replace('-', '').split('.');
      const magnitude = BigInt(whole) * 1_000_000n + BigInt(decimals.padEnd(6, '0'));
      return text.startsWith('-') ? -magnitude : magnitude;
    };
    return scaled(quantityDecimal ?? String(units)) * scaled(unitAmountDecimal ?? String(unitAmount));
  }

  const halfAway = (dividend: bigint, divisor: bigint) => {
    const twice = dividend * 2n;
    return Number((twice + (dividend < 0n ? -divisor : divisor)) / (divisor * 2n));
  };

  /** Quantity and price of a line as it was sold multiply to its subtotal, and a whole quantity is what was sent. */
  function isAsSold(line: Pricing['lines'][number], sent: LineInput): void {
    const { quantity, unitAmount, quantityDecimal, unitAmountDecimal } = soldTerms(line);
    const shown = { description: '', quantityDecimal, unitAmountDecimal, quantity, unitAmount };
    expect(halfAway(exactly(shown), 10n ** 12n) || 0).toBe(line.subtotal);
    const units = Number(sent.quantityDecimal ?? sent.quantity);
    expect(quantity).toBe(Number.isInteger(units) ? units : 1);
    expect(Math.abs(quantity * unitAmount - line.subtotal)).toBeLessThanOrEqual(quantity / 2);
  }

  function holds(lines: readonly LineInput[], pricing: Pricing, isGross: boolean): void {
    pricing.lines.forEach((line, index) => {
      const sent = lines[index]!;
      const product = halfAway(exactly(sent), 10n ** 12n) || 0;
      const gross = sent.pricesIncludeTax ?? isGross;
      expect(gross ? line.total : line.subtotal).toBe(product);
      expect(line.total).toBe(line.subtotal + line.tax);
      expect(line.tax).toBe(sum(line.taxItems.map(({ amount: each }) => each)));
      for (const { rate, amount: each } of line.taxItems) {
        // Half a cent of its own, and of each tax on the base as much of it as the rate takes.
        const off = Math.abs(each - (line.subtotal * rate) / 10_000);
        expect(off).toBeLessThanOrEqual(0.8);
      }
      isAsSold(line, sent);
      const isOrdinary = !gross && sent.quantityDecimal == null && sent.unitAmountDecimal == null;
      expect(line.quantityDecimal === null).toBe(isOrdinary);
      if (!isOrdinary) expect([line.quantity, line.unitAmount]).toEqual([1, line.subtotal]);
    });
    const { breakdown } = pricing;
    expect(pricing.total).toBe(sum(pricing.lines.map(({ total }) => total)));
    expect(sum(breakdown.map(({ base }) => base))).toBe(pricing.subtotal);
    expect(sum(breakdown.map((each) => each.tax + (each.surcharge ?? 0)))).toBe(pricing.tax);
    for (const { declaredBase, declaredRate, declaredTax, surcharge, surchargeRate } of breakdown) {
      // The agency takes 10.00 EUR (1142); 500 lines of ours come to 4.00 at most.
      const off = (of: number | null, rate: number | null) =>
        Math.abs((of ?? 0) - (declaredBase * (rate ?? 0)) / 10_000);
      if (declaredTax !== null)
        expect(off(declaredTax, declaredRate)).toBeLessThanOrEqual(0.8 * lines.length);
      expect(off(surcharge, surchargeRate)).toBeLessThanOrEqual(0.8 * lines.length);
    }
  }

  test('lines are exact, the customer of gross prices pays quantity × price, and the breakdown adds up', () => {
    let passed = 0;
    fc.assert(
      fc.property(fc.array(lineOf(tax), { minLength: 1, maxLength: 12 }), fc.boolean(), (lines, isGross) => {
        const outcome = price(lines, { pricesIncludeTax: isGross });
        if (isRefusal(outcome)) expect(outcome.code).toBe('invalid_tax_data');
        else {
          passed += 1;
          holds(lines, outcome, isGross);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(passed).toBeGreaterThan(1_000);
  });

  test('under the surcharge too', () => {
    const rated = fc.constantFrom<['vat', number]>(['vat', 21], ['vat', 10], ['vat', 4]);
    fc.assert(
      fc.property(
        fc.array(lineOf(rated), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        (lines, isGross) => {
          const outcome = price(lines, { pricesIncludeTax: isGross, recargoEquivalencia: true });
          if (isRefusal(outcome)) expect(outcome.code).toBe('invalid_tax_data');
          else holds(lines, outcome, isGross);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
