import { whereAlpha2 } from 'iso-3166-1';
import { hasEuVat } from '../../../tax-ids/eu-vat.ts';

/** Assigned in ISO 3166-1, but not in the schema's list (CountryType). */
const UNKNOWN_TO_FACTURAE: ReadonlySet<string> = new Set(
  'AQ AX BL BQ BV CC CW CX GS HM IO MF SS SX TF UM'.split(' '),
);

/** The country's ISO 3166-1 alpha-3 code as the format requires; null when its list lacks it. */
export function countryCode(alpha2: string): string | null {
  if (UNKNOWN_TO_FACTURAE.has(alpha2)) return null;
  return whereAlpha2(alpha2)?.alpha3 ?? null;
}

/** ResidenceTypeCode: resident in Spain, in another member state, elsewhere. */
export function residenceOf(alpha2: string): 'R' | 'U' | 'E' {
  if (alpha2 === 'ES') return 'R';
  // Northern Ireland has VAT numbers like a member state but is not one.
  return hasEuVat(alpha2) && alpha2 !== 'XI' ? 'U' : 'E';
}
