import type { Outcome } from '../../../ground/errors/refusal.ts';
import {
  type BasisPoints,
  type Cents,
  decimalAmount,
  decimalRate,
  percentOf,
} from '../../../ground/lib/money.ts';
import { notApplicable } from '../format.ts';
import type { TreatedLine } from './lines.ts';
import { STANDARD } from './parties.ts';
import { SURCHARGE, type Treatment } from './tax-categories.ts';
import type { Charge, Totals, VatCategory, VatGroup } from './terms.ts';

/** Taxes and totals of a document. */
export type Sums = {
  readonly charges: readonly Charge[];
  readonly vatBreakdown: readonly VatGroup[];
  readonly totals: Totals;
};

/**
 * An invoice's VAT is the sum of its rounded lines, as it was declared; the standard's is the rate on the sum,
 * rounded once (BR-CO-17). CEN's own validation accepts any difference below one unit of currency, and so does
 * this: about 90 lines can differ by that much, if all are rounded in the same direction.
 */
const TOLERANCE: Cents = 100;

/**
 * The VAT breakdown (BG-23), the equivalence surcharge as charges (BG-21) and the totals (BG-22), with every sum
 * computed as the standard requires. Refuses invoices for which these sums cannot equal the sealed amounts: other
 * categories beside O (BR-O-11), a VAT amount too far from its rate (BT-117), and totals that differ from those of
 * the lines (BT-112). `sealed` has the sign of the document, like the lines.
 */
export function sumsOf(
  lines: readonly TreatedLine[],
  sealed: { readonly total: Cents; readonly paid: Cents },
): Outcome<Sums> {
  const charges = chargesOf(lines);
  const groups = groupsOf(lines, charges);
  if (groups.length > 1 && groups.some(({ category }) => category.code === 'O')) {
    const detail = 'operations that are not subject to VAT share no document with others (BR-O-11)';
    return notApplicable(STANDARD, 'BG-23', detail);
  }
  for (const group of groups) {
    const expected = percentOf(group.base, group.category.rate ?? 0);
    if (Math.abs(group.tax - expected) < TOLERANCE) continue;
    const detail = `the VAT of the lines, ${decimalAmount(group.tax)}, differs from that of their sum, ${decimalAmount(expected)}, by 1.00 or more (BR-CO-17)`;
    return notApplicable(STANDARD, 'BT-117', detail);
  }
  const totals = totalsOf(lines, charges, groups, sealed.paid);
  if (totals.withVat !== sealed.total) {
    const detail = `the lines add up to ${decimalAmount(totals.withVat)}, and the invoice to ${decimalAmount(sealed.total)}`;
    return notApplicable(STANDARD, 'BT-112', detail);
  }
  return { charges, vatBreakdown: groups, totals };
}

function totalsOf(
  lines: readonly TreatedLine[],
  charges: readonly Charge[],
  groups: readonly VatGroup[],
  paid: Cents,
): Totals {
  const net = sum(lines.map(({ amount }) => amount));
  const charged = sum(charges.map(({ amount }) => amount));
  const vat = sum(groups.map(({ tax }) => tax));
  const withoutVat = net + charged;
  const withVat = withoutVat + vat;
  return { lines: net, charges: charged, withoutVat, vat, withVat, paid, due: withVat - paid };
}

function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/**
 * The standard has no term for the retailers' equivalence surcharge (LIVA arts. 154 to 163), a second tax on the
 * same base. It is a document level charge for each of its rates, so that the VAT is unaffected; only the reason of
 * the charge states that it is a tax.
 */
function chargesOf(lines: readonly TreatedLine[]): Charge[] {
  const charges = new Map<BasisPoints, { base: Cents; amount: Cents }>();
  for (const { amount, surcharge } of lines) {
    if (surcharge === null) continue;
    const charge = charges.get(surcharge.rate) ?? { base: 0, amount: 0 };
    charge.base += amount;
    charge.amount += surcharge.amount;
    charges.set(surcharge.rate, charge);
  }
  return [...charges].map(([percentage, { base, amount }]) => ({
    ...{ amount, base, percentage, category: { code: SURCHARGE.code, rate: 0 } },
    reason: `Recargo de equivalencia ${decimalRate(percentage).replace('.', ',')} %`,
  }));
}

type Group = {
  base: Cents;
  tax: Cents;
  category: VatCategory;
  reasons: Set<string>;
  codes: Set<string | null>;
};

/** One group for each category and rate, in the order of the lines (BG-23). */
function groupsOf(lines: readonly TreatedLine[], charges: readonly Charge[]): VatGroup[] {
  const groups = new Map<string, Group>();
  const add = (category: VatCategory, treatment: Treatment, base: Cents, tax: Cents) => {
    const key = `${category.code} ${category.rate}`;
    const group = groups.get(key) ?? { base: 0, tax: 0, category, reasons: new Set(), codes: new Set() };
    group.base += base;
    group.tax += tax;
    group.codes.add(treatment.reasonCode);
    if (treatment.reason !== null) group.reasons.add(treatment.reason);
    groups.set(key, group);
  };
  for (const { category, treatment, amount, tax } of lines) add(category, treatment, amount, tax);
  for (const { category, amount } of charges) add(category, SURCHARGE, amount, 0);
  return [...groups.values()].map(({ base, tax, category, reasons, codes }) => ({
    ...{ base, tax, category },
    reason: reasons.size === 0 ? null : [...reasons].join('; '),
    // A group has one code or none.
    reasonCode: codes.size === 1 ? [...codes][0]! : null,
  }));
}
