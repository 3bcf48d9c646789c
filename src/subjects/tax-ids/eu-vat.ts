/**
 * EU VAT numbers as the agency accepts them (validations v1.2.2 of 2026-04-08, note 1, code 1103): only the format
 * after the prefix. National check digits are not verified: several states have changed their algorithms, the
 * register (VIES) is queried in any case, and refusing a number that it knows would be worse than querying it for
 * one that it does not. Greece writes EL where ISO states GR; Northern Ireland is XI; GB has not existed since
 * 2021-02-01 (1255).
 */
const formats: ReadonlyMap<string, RegExp> = new Map([
  ['AT', /^[A-Z0-9]{9}$/],
  ['BE', /^\d{10}$/],
  ['BG', /^\d{9,10}$/],
  ['CY', /^[A-Z0-9]{9}$/],
  ['CZ', /^\d{8,10}$/],
  ['DE', /^\d{9}$/],
  ['DK', /^\d{8}$/],
  ['EE', /^\d{9}$/],
  ['EL', /^\d{9}$/],
  ['FI', /^\d{8}$/],
  ['FR', /^[A-Z0-9]{11}$/],
  ['HR', /^\d{11}$/],
  ['HU', /^\d{8}$/],
  ['IE', /^[A-Z0-9]{8,9}$/],
  ['IT', /^\d{11}$/],
  ['LT', /^\d{9}(\d{3})?$/],
  ['LU', /^\d{8}$/],
  ['LV', /^\d{11}$/],
  ['MT', /^\d{8}$/],
  ['NL', /^[A-Z0-9]{12}$/],
  ['PL', /^\d{10}$/],
  ['PT', /^\d{9}$/],
  ['RO', /^[1-9]\d{1,9}$/],
  ['SE', /^\d{12}$/],
  ['SI', /^\d{8}$/],
  ['SK', /^\d{10}$/],
  ['XI', /^([A-Z0-9]{5}|[A-Z0-9]{9}|[A-Z0-9]{12})$/],
]);

/**
 * The actual structure of the five loose formats (European Commission, VIES FAQ, structure of the numbers). Needed
 * only to distinguish a VAT number from another country's id: a Mexican RFC such as FRAJ800101ABC matches the loose
 * French one.
 */
const nationalFormats: ReadonlyMap<string, RegExp> = new Map([
  ['AT', /^U\d{8}$/],
  ['CY', /^\d{8}[A-Z]$/],
  ['FR', /^[A-HJ-NP-Z0-9]{2}\d{9}$/],
  ['IE', /^(\d{7}[A-W][A-I]?|\d[A-Z]\d{5}[A-W])$/],
  ['NL', /^\d{9}B\d{2}$/],
  ['XI', /^(\d{9}|\d{12}|(GD|HA)\d{3})$/],
]);

/** A VAT number with the prefix that the agency and VIES use, and its country (GR for EL). */
export type EuVatNumber = { readonly id: string; readonly country: string };

/** The VAT number in a normalized text, or null when no member state uses its format. */
export function parseEuVat(text: string): EuVatNumber | null {
  const prefix = prefixOf(text.slice(0, 2));
  const rest = text.slice(2);
  return formats.get(prefix)?.test(rest) ? { id: prefix + rest, country: countryOf(prefix) } : null;
}

/** Whether a parsed number also matches the structure of its own country. */
export function hasNationalFormat({ id }: EuVatNumber): boolean {
  return nationalFormats.get(id.slice(0, 2))?.test(id.slice(2)) ?? true;
}

/** The prefix of a country's VAT numbers: its ISO code, except that Greece's is EL. */
export function prefixOf(country: string): string {
  return country === 'GR' ? 'EL' : country;
}

function countryOf(prefix: string): string {
  return prefix === 'EL' ? 'GR' : prefix;
}

/** Whether the agency accepts VAT numbers of the country: a member state other than Spain, or Northern Ireland. */
export function hasEuVat(country: string): boolean {
  return formats.has(prefixOf(country)) && country !== 'EL';
}
