import { type BasisPoints, type Cents, decimalAmount } from '../../../ground/lib/money.ts';
import { element, leaf, type XmlElement } from './canonical-xml.ts';
import type { SourceLine, SourceWithholding } from './source.ts';
import { type FacturaeTax, INCOME_TAX } from './tables/taxes.ts';

/** A percentage as the format writes it, with two decimals. */
function percentage(rate: BasisPoints): string {
  return decimalAmount(rate);
}

function amount(name: string, cents: Cents): XmlElement {
  return element(name, [leaf('TotalAmount', decimalAmount(cents))]);
}

/** A tax with its base and amount, and its equivalence surcharge. */
export type TaxGroup = {
  readonly code: FacturaeTax;
  readonly rate: BasisPoints;
  readonly base: Cents;
  readonly amount: Cents;
  readonly surcharge: { readonly rate: BasisPoints; readonly amount: Cents } | null;
};

/** The tax of one line. */
export function taxOfLine({ subtotal, tax, surcharge }: SourceLine, code: FacturaeTax): TaxGroup {
  return { code, rate: tax.rate, base: subtotal, amount: tax.amount, surcharge };
}

/**
 * The taxes of lines combined by tax and rates, in the order of their first appearance: sums of the lines' amounts.
 */
export function mergeTaxGroups(taxes: readonly TaxGroup[]): TaxGroup[] {
  const groups = new Map<string, TaxGroup>();
  for (const tax of taxes) {
    const key = `${tax.code} ${tax.rate} ${tax.surcharge?.rate}`;
    const group = groups.get(key);
    groups.set(key, group === undefined ? tax : sum(group, tax));
  }
  return [...groups.values()];
}

function sum(one: TaxGroup, other: TaxGroup): TaxGroup {
  const surcharge =
    one.surcharge === null
      ? null
      : { rate: one.surcharge.rate, amount: one.surcharge.amount + (other.surcharge?.amount ?? 0) };
  return { ...one, base: one.base + other.base, amount: one.amount + other.amount, surcharge };
}

/** Group TaxesOutputs. */
export function taxesOutputs(groups: readonly TaxGroup[]): XmlElement {
  return element(
    'TaxesOutputs',
    groups.map(({ code, rate, base, amount: due, surcharge }) =>
      element('Tax', [
        leaf('TaxTypeCode', code),
        leaf('TaxRate', percentage(rate)),
        amount('TaxableBase', base),
        amount('TaxAmount', due),
        surcharge === null ? null : leaf('EquivalenceSurcharge', percentage(surcharge.rate)),
        surcharge === null ? null : amount('EquivalenceSurchargeAmount', surcharge.amount),
      ]),
    ),
  );
}

/** Group TaxesWithheld: the income tax withheld by the buyer; null when there is none. */
export function taxesWithheld(withholding: SourceWithholding | null): XmlElement | null {
  if (withholding === null) return null;
  return element('TaxesWithheld', [
    element('Tax', [
      leaf('TaxTypeCode', INCOME_TAX),
      leaf('TaxRate', percentage(withholding.rate)),
      amount('TaxableBase', withholding.base),
      amount('TaxAmount', withholding.amount),
    ]),
  ]);
}
