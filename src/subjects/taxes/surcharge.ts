import type { Day } from '../../ground/lib/calendar.ts';
import type { BasisPoints } from '../../ground/lib/money.ts';
import { type DatedRate, isInForce } from './rates.ts';
import type { TaxType } from './types.ts';

/** The equivalence surcharge (recargo de equivalencia): which tax it joins, and at which rate. */
export const SURCHARGE: TaxType = 'es_recargo_equivalencia';

/** It joins VAT alone (Ley 37/1992 arts. 156 and 161): no other tax of the catalog has one. */
export function joinsSurcharge(type: TaxType): boolean {
  return type === 'vat';
}

/**
 * The equivalence surcharge of each VAT rate. Ley 37/1992 art. 161; pairs and days as the agency checks them
 * (validations v1.2.2, 3.1.3.15.3, codes 1127 and 1162 to 1170). The 1.75 % of tobacco is not offered; 0 % has a pair, which is 0, on the
 * days of its passing use for basic food alone.
 */
const SURCHARGES: readonly (DatedRate & { readonly vat: BasisPoints })[] = [
  { vat: 2100, rate: 520 },
  { vat: 1000, rate: 140 },
  { vat: 400, rate: 50 },
  { vat: 0, rate: 0, from: '2023-01-01', until: '2024-09-30' },
  { vat: 500, rate: 50, from: '2022-07-01', until: '2022-12-31' },
  { vat: 500, rate: 62, from: '2023-01-01', until: '2024-09-30' },
  { vat: 200, rate: 26, from: '2024-10-01', until: '2024-12-31' },
  { vat: 750, rate: 100, from: '2024-10-01', until: '2024-12-31' },
];

/** The rate of the surcharge that joins a tax of that type and rate on that day, or null when none does. */
export function surchargeRate(type: TaxType, taxRate: BasisPoints, day: Day): BasisPoints | null {
  if (!joinsSurcharge(type)) return null;
  return SURCHARGES.find((pair) => pair.vat === taxRate && isInForce(pair, day))?.rate ?? null;
}
