import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import type { LineInput } from '../../src/subjects/taxes/line-tax.ts';
import type { Pricing } from '../../src/subjects/taxes/pricing.ts';
import { taxSummary } from '../../src/subjects/taxes/summary.ts';
import type { TaxType } from '../../src/subjects/taxes/types.ts';
import { line, price } from '../support/invoices/pricing.ts';

describe('whatever is sent', () => {
  const rates: Partial<Record<TaxType, readonly number[]>> = {
    vat: [0, 4, 10, 21],
    igic: [0, 3, 7, 9.5],
    ipsi: [0.5, 4, 10],
    eu_oss: [5.5, 19, 25, 27],
    other: [0, 0.01, 12.34, 99.99],
  };
  const types: TaxType[] = [
    'vat',
    'vat',
    'vat',
    'igic',
    'ipsi',
    'eu_oss',
    'other',
    'es_exempt',
    'export',
    'es_non_taxable',
  ];
  const anyLine = fc
    .record({
      type: fc.constantFrom(...types),
      pick: fc.nat(),
      quantity: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1_000_000 })),
      unitAmount: fc.oneof(
        { weight: 1, arbitrary: fc.integer({ min: -300, max: 300 }) },
        { weight: 20, arbitrary: fc.integer({ min: -9_000_000, max: 30_000_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }) },
      ),
    })
    .map(({ type, pick, quantity, unitAmount }) => {
      const choice = rates[type];
      return line([quantity, unitAmount, type, choice?.[pick % choice.length]]);
    });
  const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 40 });

  /** The same law in integers without end, written apart from the code. */
  function model(lines: readonly LineInput[]) {
    const amounts = lines.map(({ quantity, unitAmount, taxItems }) => {
      const subtotal = BigInt(quantity!) * BigInt(unitAmount!);
      const rate = BigInt(Math.round((taxItems![0]!.rate ?? 0) * 100));
      const twice = subtotal * rate * 2n;
      const tax = (twice + (subtotal < 0n ? -10_000n : 10_000n)) / 20_000n;
      return { subtotal, tax, rate };
    });
    const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n);
    return { amounts, subtotal: sum(amounts.map((a) => a.subtotal)), tax: sum(amounts.map((a) => a.tax)) };
  }

  test('amounts are exact, totals are the sums of the lines, and the breakdown adds up to them', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const outcome = price(lines, { rectifying: { method: 'differences', reason: 'correction' } });
        const exact = model(lines);
        const limit = 99_999_999_999_999n;
        const wide = (value: bigint) => value > limit || value < -limit;
        if (isRefusal(outcome)) {
          const zeroTax = exact.amounts.some(
            ({ subtotal, tax, rate }) => rate > 0n && subtotal !== 0n && tax === 0n,
          );
          const tooWide = exact.amounts.some(({ subtotal, tax }) => wide(subtotal) || wide(subtotal + tax));
          if (outcome.code === 'invalid_tax_data')
            expect(zeroTax || new Set(lines.map((l) => JSON.stringify(l.taxItems))).size > 12).toBe(true);
          else expect([outcome.code, tooWide || lines.length > 1]).toEqual(['invalid_request', true]);
          return;
        }
        expect(outcome.lines.map(({ subtotal, tax }) => [BigInt(subtotal), BigInt(tax)])).toEqual(
          exact.amounts.map(({ subtotal, tax }) => [subtotal, tax]),
        );
        expect([BigInt(outcome.subtotal), BigInt(outcome.tax)]).toEqual([exact.subtotal, exact.tax]);
        addsUp(outcome);
      }),
      { numRuns: 2_000 },
    );
  });

  test('surcharged invoices add up too', () => {
    const anyVat = fc
      .tuple(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: -50_000, max: 50_000 }),
        fc.constantFrom(4, 10, 21),
      )
      .map(([quantity, unitAmount, rate]) => line([quantity, unitAmount, 'vat', rate]));
    fc.assert(
      fc.property(fc.array(anyVat, { minLength: 1, maxLength: 60 }), (lines) => {
        const outcome = price(lines, { recargoEquivalencia: true });
        if (isRefusal(outcome)) expect(outcome.code).toBe('invalid_tax_data');
        else addsUp(outcome);
      }),
      { numRuns: 1_000 },
    );
  });

  test('no invoice that passes holds what the agency would reject on amounts', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 12 }), (lines) => {
        const outcome = price(lines);
        fc.pre(!isRefusal(outcome));
        expect(outcome.breakdown.length).toBeLessThanOrEqual(12);
        for (const { operationClass, declaredBase, declaredRate, declaredTax } of outcome.breakdown) {
          if (operationClass !== 'S1') {
            expect(declaredTax ?? 0).toBe(0);
            continue;
          }
          expect(Math.sign(declaredTax!)).toBe(declaredRate === 0 ? 0 : Math.sign(declaredBase));
          const expected = (BigInt(declaredBase) * BigInt(declaredRate!)) / 10_000n;
          expect(Number(BigInt(declaredTax!) - expected)).toBeLessThanOrEqual(1_000);
          expect(Number(BigInt(declaredTax!) - expected)).toBeGreaterThanOrEqual(-1_000);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  function addsUp({ lines, subtotal, tax, total, breakdown }: Pricing): void {
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    for (const each of lines) {
      expect(each.tax).toBe(sum(each.taxItems.map(({ amount }) => amount)));
      expect(each.total).toBe(each.subtotal + each.tax);
    }
    expect([subtotal, tax, total]).toEqual([
      sum(lines.map((each) => each.subtotal)),
      sum(lines.map((each) => each.tax)),
      sum(lines.map((each) => each.total)),
    ]);
    expect(sum(breakdown.map(({ base }) => base))).toBe(subtotal);
    expect(sum(breakdown.map((each) => each.tax + (each.surcharge ?? 0)))).toBe(tax);
    const declared = breakdown.map(
      (each) => each.declaredBase + (each.declaredTax ?? 0) + (each.surcharge ?? 0),
    );
    expect(sum(declared)).toBe(total);
    expect(sum(taxSummary(lines).map(({ amount }) => amount))).toBe(tax);
    const amounts = [
      subtotal,
      tax,
      total,
      ...breakdown.flatMap(({ base, declaredBase, tax }) => [base, declaredBase, tax]),
    ];
    for (const amount of amounts) expect(Number.isSafeInteger(amount)).toBe(true);
  }
});
