import { Refusal } from '../../ground/errors/refusal.ts';
import {
  type BasisPoints,
  basisPointsOf,
  type Cents,
  decimalAmount,
  percentOf,
} from '../../ground/lib/money.ts';
import type { TaxIdType } from '../tax-ids/types.ts';

/**
 * The income tax (IRPF) that the payer of an invoice withholds and pays to the Treasury for the issuer: a
 * percentage of the amount without indirect taxes (Ley 35/2006 arts. 99 and 101; its regulation, RD 439/2007, arts.
 * 75, 95 and 100). It is not required on an invoice (RD 1619/2012 art. 6), nor part of the record, whose total
 * contains indirect taxes only.
 */
export type Withholding = { readonly rate: BasisPoints; readonly base: Cents; readonly amount: Cents };

/** The withholding in a request: the rate as a percentage, limited to two decimals by its schema; `base` if not of the whole net amount. */
export type WithholdingInput = { readonly rate: number; readonly base?: Cents | undefined };

/** The withholding of an invoice with that net amount, rounded half away from zero to a cent. */
export function withhold({ rate: percentage, base: part }: WithholdingInput, subtotal: Cents): Withholding {
  const base = part ?? subtotal;
  const rate = basisPointsOf(percentage);
  if (rate === null) throw new Error('a rate of a withholding has more than two decimals');
  return { rate, base, amount: percentOf(base, rate) };
}

/** In Ceuta and Melilla 60 % less (Ley 35/2006 arts. 68.4 and 101, as amended by Ley 6/2018 from 2018-07-05 on). */
const inCeutaOrMelilla = (rate: BasisPoints): BasisPoints => (rate * 2) / 5;

/** RD 439/2007 art. 95.1: professionals, and those in their first three years and some activities. */
const PROFESSIONALS = [1_500, 700];
/** Ley 35/2006 art. 101.2, RD 439/2007 art. 80.1.3: administrators, and those of a company with less than 100,000 EUR of turnover. */
const ADMINISTRATORS = [3_500, 1_900];
/** RD 439/2007 art. 100: urban real estate. */
const RENT: BasisPoints = 1_900;

/**
 * The rates that were in force on 2026-01-01, in hundredths of a percent; those of natural persons as the agency lists them for 2025 (Manual de
 * actividades económicas, 7.1). Lectures and authors (art. 80.1.4, Ley 35/2006 art. 101.9) have 15 and 7 too.
 */
const RATES: ReadonlySet<BasisPoints> = new Set([
  ...PROFESSIONALS,
  ...ADMINISTRATORS,
  RENT,
  ...[...PROFESSIONALS, ...ADMINISTRATORS, RENT].map(inCeutaOrMelilla),
  // RD 439/2007 arts. 95.4 to 95.6: fattening of pigs and poultry, and activities in modules; other farming and forestry.
  ...[100, 200],
  // Rights of image: RD 439/2007 art. 101.1, Ley 27/2014 art. 128.6.b.
  2_400,
  // Companies: 19 in general, half of it for urban real estate in Ceuta and Melilla (Ley 27/2014 art. 128.6.a).
  ...[1_900, 950],
]);

/** Whether a rule has that rate; none refuses another. */
export function isWithholdingRate(rate: BasisPoints): boolean {
  return RATES.has(rate);
}

/** The kinds of tax id of those who are obliged to withhold, in Spain or through an establishment there. */
const WITHHOLDERS: ReadonlySet<TaxIdType> = new Set(['es_nif', 'not_registered']);

/**
 * `invalid_tax_data` for a withholding by a recipient who is not obliged to it: one from abroad, without the NIF
 * that an establishment in Spain has (RD 439/2007 art. 76.1), or who is not identified at all. Null while the recipient is unknown.
 */
export function withholdingRefusal(
  withholding: WithholdingInput | undefined,
  recipientTaxIdType: TaxIdType | 'unidentified' | null,
): Refusal | null {
  if (withholding === undefined || recipientTaxIdType === null) return null;
  if (recipientTaxIdType !== 'unidentified' && WITHHOLDERS.has(recipientTaxIdType)) return null;
  const detail = 'Only a recipient with a Spanish NIF withholds income tax: leave the withholding out.';
  return new Refusal('invalid_tax_data', detail).about('withholding');
}

/**
 * `invalid_tax_data` for a base that is no part of the net amount: beyond it, or of the other sign. What is withheld of may be less, where part of
 * the invoice is no income of an activity with withholding (RD 439/2007 art. 75).
 */
export function withheldBaseRefusal(
  withholding: WithholdingInput | undefined,
  subtotal: Cents,
): Refusal | null {
  const base = withholding?.base;
  if (base === undefined || base === 0) return null;
  if (Math.sign(base) === Math.sign(subtotal) && Math.abs(base) <= Math.abs(subtotal)) return null;
  const detail = `Income tax is withheld of at most the net amount, ${decimalAmount(subtotal)} (RD 439/2007 art. 75).`;
  return new Refusal('invalid_tax_data', detail).about('withholding.base');
}
