import { describe, expect, test } from 'vitest';
import {
  amountsInForce,
  balance,
  type Family,
  headRefusal,
  isAmendedSince,
  type Member,
  rectifiedReferences,
  stateRefusal,
} from '../../src/subjects/rectifying/family.ts';
import type { TaxDetail } from '../../src/subjects/taxes/breakdown.ts';

/** A detail at 21 %, with its surcharge if there is one. */
function detail(base: number, surcharge: number | null = null): TaxDetail {
  const tax = Math.round(base * 0.21);
  return {
    ...{ type: 'vat', name: 'IVA 21%', rate: 2_100, base, tax, surcharge, legalMention: null },
    ...{ agencyTax: '01', regimeKey: '01', operationClass: 'S1', exemption: null },
    ...{
      surchargeRate: surcharge === null ? null : 520,
      declaredBase: base,
      declaredRate: 2_100,
      declaredTax: tax,
    },
  };
}

let count = 0;
function member(kind: Member['kind'], base: number, parts: Partial<Member> = {}): Member {
  count += 1;
  const breakdown = parts.breakdown ?? [detail(base)];
  const total = breakdown.reduce((sum, group) => sum + group.base + group.tax + (group.surcharge ?? 0), 0);
  return {
    ...{ id: `inv_${count}`, number: `N-${count}`, issuedOn: '2026-07-01', operationOn: '2026-07-01' },
    ...{
      type: 'complete',
      qualifiedSimplified: false,
      recipientUnidentified: false,
      kind,
      reason: null,
      voided: false,
      total,
      withholding: null,
      disbursements: [],
      breakdown,
      exchanged: false,
      amendment: null,
    },
    ...parts,
  };
}

function family(path: Member[], parts: Partial<Family> = {}): Family {
  return { nif: 'B72877814', path, corrected: null, registration: 'registered', external: null, ...parts };
}

const numbers = (of: Family) => rectifiedReferences(of).map(({ number }) => number);

describe('what is in force', () => {
  test('the worked chain: 100, less 20, replaced by 50, replaced by 40, less 5', () => {
    const original = member('original', 10_000);
    const delta = member('rectifying_differences', -2_000);
    const first = member('rectifying_substitution', 5_000);
    const second = member('rectifying_substitution', 4_000);
    const last = member('rectifying_differences', -500);
    const path = [original, delta, first, second, last];
    const seen = (length: number) => family(path.slice(0, length));
    expect(amountsInForce(seen(1))).toEqual({ base: 10_000, tax: 2_100, surcharge: null });
    expect(amountsInForce(seen(2))).toEqual({ base: 8_000, tax: 1_680, surcharge: null });
    expect(numbers(seen(2))).toEqual([original.number, delta.number]);
    expect(balance(seen(2))).toBe(9_680);
    expect(amountsInForce(seen(3))).toEqual({ base: 5_000, tax: 1_050, surcharge: null });
    expect(numbers(seen(3))).toEqual([first.number]);
    expect(balance(seen(4))).toBe(4_840);
    expect(numbers(seen(5))).toEqual([second.number, last.number]);
    expect(balance(seen(5))).toBe(4_235);
  });

  test('surcharge is reported as soon as one document of them has any', () => {
    const original = member('original', 0, { breakdown: [detail(10_000, 520)] });
    const delta = member('rectifying_differences', -1_000);
    expect(amountsInForce(family([original, delta]))).toEqual({ base: 9_000, tax: 1_890, surcharge: 520 });
    expect(balance(family([original, delta]))).toBe(10_000 + 2_100 + 520 - 1_210);
  });

  test('foreign VAT is part of the base not subject, as in the record', () => {
    const oss = { ...detail(10_000), declaredBase: 11_900, declaredRate: null, declaredTax: null };
    const original = member('original', 0, { breakdown: [oss] });
    expect(amountsInForce(family([original]))).toEqual({ base: 11_900, tax: 0, surcharge: null });
  });
});

describe('an original issued elsewhere', () => {
  const amounts = { base: 10_000, tax: 2_100, surcharge: null };
  const external = { number: 'OLD-7', issuedOn: '2023-01-31', amounts };
  const delta = member('rectifying_differences', -2_000);

  test('counts, with its number and its amounts, until it is replaced', () => {
    const corrected = family([delta], { external });
    expect(numbers(corrected)).toEqual(['OLD-7', delta.number]);
    expect(rectifiedReferences(corrected)[0]).toEqual({
      nif: 'B72877814',
      number: 'OLD-7',
      issuedOn: '2023-01-31',
    });
    expect(amountsInForce(corrected)).toEqual({ base: 8_000, tax: 1_680, surcharge: null });
    expect(balance(corrected)).toBe(9_680);
    const replaced = family([delta, member('rectifying_substitution', 5_000)], { external });
    expect(numbers(replaced)).toHaveLength(1);
    expect(balance(replaced)).toBe(6_050);
  });

  test('without amounts leaves the balance open', () => {
    const unknown = family([delta], { external: { ...external, amounts: null } });
    expect(balance(unknown)).toBeNull();
    expect(amountsInForce(unknown)).toBeNull();
    expect(numbers(unknown)).toEqual(['OLD-7', delta.number]);
  });
});

describe('why an invoice cannot be rectified', () => {
  const bad: Partial<Family> = { corrected: 'rectifying_substitution', registration: 'pending' };
  const code = (path: Member[], parts: Partial<Family>) => stateRefusal(family(path, parts))?.code ?? null;

  test('is given in the order of the decisions: each reason hides those after it', () => {
    const everything = { voided: true, exchanged: true };
    expect(code([member('exchange', 1, everything)], bad)).toBe('invoice_already_voided');
    expect(code([member('exchange', 1, { exchanged: true })], bad)).toBe('invoice_is_canje');
    expect(code([member('original', 1, { exchanged: true })], bad)).toBe('invoice_has_live_canje');
    expect(code([member('original', 1)], bad)).toBe('invoice_already_replaced');
    expect(code([member('original', 1)], { ...bad, corrected: 'rectifying_differences' })).toBe(
      'invoice_not_family_tip',
    );
    expect(code([member('original', 1)], { registration: 'pending' })).toBe('invoice_pending_at_aeat');
    for (const registration of ['rejected', 'skipped', null] as const) {
      expect(code([member('original', 1)], { registration })).toBe('invoice_not_rectifiable_at_aeat');
    }
    expect(code([member('original', 1)], { registration: 'registered_with_errors' })).toBeNull();
  });

  test('an exchange of any document behind it counts', () => {
    const path = [member('original', 100, { exchanged: true }), member('rectifying_differences', -1)];
    expect(headRefusal(family(path))?.code).toBe('invoice_has_live_canje');
  });
});

test('an amendment of any document behind it is noticed', () => {
  const path = [member('original', 100), member('rectifying_differences', -1)];
  const amended = [{ ...path[0]!, amendment: 'rec_2' }, path[1]!];
  expect(isAmendedSince(family(path), family(path))).toBe(false);
  expect(isAmendedSince(family(path), family(amended))).toBe(true);
  expect(isAmendedSince(family(amended), family([{ ...path[0]!, amendment: 'rec_3' }, path[1]!]))).toBe(true);
});
