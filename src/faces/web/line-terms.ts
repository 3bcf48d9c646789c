import type { Language } from '../../ground/lib/language.ts';
import { unitLabel } from '../../ground/lib/unit-labels.ts';
import { count, decimal, money, price } from './format.ts';

/** Quantity and price of an invoice's line as pages show them: as they were sent. */

/** As they are asked of GraphQL. */
export const LINE_TERMS_FIELDS = `quantity unitAmount quantityDecimal unitAmountDecimal unitAmountGross
  unitAmountGrossDecimal unit`;

export type ShownTerms = {
  readonly quantity: number;
  readonly unitAmount: number;
  readonly quantityDecimal: string | null;
  readonly unitAmountDecimal: string | null;
  readonly unitAmountGross: number | null;
  readonly unitAmountGrossDecimal: string | null;
  readonly unit: string | null;
};

const TAXES_INCLUDED: Readonly<Record<Language, string>> = {
  es: 'impuestos incluidos',
  en: 'taxes included',
};

/** The quantity with its unit of measure. */
export function quantityOf({ quantity, quantityDecimal, unit }: ShownTerms, language: Language): string {
  const figure = quantityDecimal === null ? count(quantity, language) : decimal(quantityDecimal, language);
  const label = unit === null ? '' : unitLabel(unit, language);
  return label === '' ? figure : `${figure}\u00a0${label}`;
}

/** The price of a unit; a gross one is marked. */
export function priceOf(terms: ShownTerms, language: Language): string {
  const { unitAmount, unitAmountDecimal, unitAmountGross, unitAmountGrossDecimal } = terms;
  const exact = unitAmountGross === null ? unitAmountDecimal : unitAmountGrossDecimal;
  const figure = exact === null ? money(unitAmountGross ?? unitAmount, language) : price(exact, language);
  return unitAmountGross === null ? figure : `${figure} (${TAXES_INCLUDED[language]})`;
}
