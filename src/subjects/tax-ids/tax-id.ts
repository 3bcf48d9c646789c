import { asciiWidth } from '../../ground/lib/text.ts';
import { hasEuVat, hasNationalFormat, parseEuVat, prefixOf } from './eu-vat.ts';
import { isPersonNif, isSpanishNif } from './spanish-nif.ts';
import type { TaxIdType } from './types.ts';

/** A tax id as claimed: the fields of the request, and the address's country if nothing else states one. */
export type TaxIdClaim = {
  readonly taxId: string;
  readonly taxIdType: TaxIdType | null;
  readonly taxIdCountry: string | null;
  readonly addressCountry: string | null;
};

/** A tax id of known kind, normalized; an EU VAT number has its prefix. */
export type TaxIdentity = {
  readonly taxId: string;
  readonly taxIdType: TaxIdType;
  readonly taxIdCountry: string;
};

/** The result of the local rules for a claim. */
export type TaxIdReading =
  | {
      readonly kind: 'identity';
      readonly identity: TaxIdentity;
      /** False when the requested country contradicts the type or the id. */
      readonly countryAgrees: boolean;
    }
  | { readonly kind: 'malformed'; readonly taxId: string; readonly reason: string }
  | { readonly kind: 'too_short'; readonly taxId: string };

/** These kinds do not imply a country, so it must be sent (docs/contract.md#recipients). */
export function needsCountry(type: TaxIdType): boolean {
  return (
    type === 'passport' ||
    type === 'official_document' ||
    type === 'residence_certificate' ||
    type === 'other'
  );
}

/**
 * Why a requested type and country contradict each other whatever the id is, or null (docs/contract.md#recipients).
 * A VAT number's country is also in its prefix: `readTaxId` compares it.
 */
export function contradiction(type: TaxIdType, country: string): string | null {
  switch (type) {
    case 'es_nif':
    case 'not_registered':
      return country === 'ES' ? null : `A tax id of type ${type} is of ES, not of ${country}.`;
    case 'eu_vat':
      if (country === 'ES') return SPANISH_VAT;
      return hasEuVat(country) ? null : `A VAT number is of another member state, which ${country} is not.`;
    case 'passport':
      return null;
    default:
      return country === 'ES' ? `A tax id of type ${type} is of a country other than ES.` : null;
  }
}

/** Spain's own VAT numbers must not have the type for other states. */
export const SPANISH_VAT = 'A Spanish VAT number is of type es_nif; eu_vat is for the other member states.';

/**
 * The form in which ids are compared and stored: upper case, without spaces, dots and hyphens, full-width characters as those of ASCII
 * (docs/contract.md#recipients). Only letters of ASCII are changed: in upper case `ı` and `ſ` would be others, which they only resemble.
 */
export function normaliseTaxId(text: string): string {
  return asciiWidth(text)
    .replace(/[\s.\p{Pd}]/gu, '')
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The first character that no tax id has: a letter of another alphabet looks like one of ours and would be another id. */
const FOREIGN_LETTER = /[^\x20-\x7e]/u;

function foreignLetter(id: string, character: string): TaxIdReading {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return malformed(
    id,
    `${character} (U+${code}) is no letter from A to Z and no figure from 0 to 9; type it again`,
  );
}

/**
 * Validates a claim by local rules only: kind, format and control character, and the implied country. Without a
 * type it is detected as docs/contract.md#recipients states. A type that requires a country must come with one.
 */
export function readTaxId(claim: TaxIdClaim): TaxIdReading {
  const id = normaliseTaxId(claim.taxId);
  const [foreign] = FOREIGN_LETTER.exec(id) ?? [];
  if (foreign !== undefined) return foreignLetter(id, foreign);
  if (claim.taxIdType === null) return detect(id, claim);
  switch (claim.taxIdType) {
    case 'es_nif':
    case 'not_registered':
      return readSpanish(id, claim.taxIdType, claim.taxIdCountry);
    case 'eu_vat':
      return readEuVat(id, claim.taxIdCountry);
    default:
      return readForeign(id, claim.taxIdType, claim.taxIdCountry!);
  }
}

function identity(
  taxIdType: TaxIdType,
  taxId: string,
  taxIdCountry: string,
  countryAgrees: boolean,
): TaxIdReading {
  return { kind: 'identity', identity: { taxId, taxIdType, taxIdCountry }, countryAgrees };
}

/** Whether the requested country, if any, is the implied one. */
function agrees(sent: string | null, country: string): boolean {
  return sent === null || sent === country;
}

function malformed(taxId: string, reason: string): TaxIdReading {
  return { kind: 'malformed', taxId, reason };
}

/** A Spanish VAT number is the NIF after the prefix ES. */
function withoutSpanishPrefix(id: string): string {
  return id.length === 11 && id.startsWith('ES') ? id.slice(2) : id;
}

function readSpanish(id: string, type: 'es_nif' | 'not_registered', country: string | null): TaxIdReading {
  const nif = withoutSpanishPrefix(id);
  if (type === 'not_registered' && !isPersonNif(nif)) {
    return malformed(nif, 'not_registered takes the NIF of a natural person with its right control letter');
  }
  if (!isSpanishNif(nif)) return malformed(nif, 'it is not a Spanish NIF with its right control character');
  return identity(type, nif, 'ES', agrees(country, 'ES'));
}

function readEuVat(id: string, country: string | null): TaxIdReading {
  const vat = parseEuVat(id) ?? (country === null ? null : withCountry(id, country));
  if (vat !== null) return identity('eu_vat', vat.id, vat.country, agrees(country, vat.country));
  const nif = withoutSpanishPrefix(id);
  if (nif !== id && isSpanishNif(nif)) {
    // Well formed, but Spanish: the type contradicts the country of the prefix.
    return identity('eu_vat', id, 'ES', false);
  }
  return malformed(id, 'it is not a VAT number of another member state, prefix included');
}

/** A number without prefix, whose country is known otherwise. */
function withCountry(id: string, country: string) {
  return hasEuVat(country) ? parseEuVat(prefixOf(country) + id) : null;
}

/** The agency's ID field (XSD TextMax20Type). */
const LONGEST_FOREIGN = 20;
/** A single character does not identify anybody. */
const SHORTEST_FOREIGN = 2;
/** Foreign ids are letters and digits, some with a slash inside (Brazil's CNPJ). The agency's schema limits their length only. */
const FOREIGN = /^[A-Z0-9][A-Z0-9/]*$/;

function readForeign(id: string, type: TaxIdType, country: string): TaxIdReading {
  if (id.length < SHORTEST_FOREIGN) return { kind: 'too_short', taxId: id };
  if (id.length > LONGEST_FOREIGN) {
    return malformed(id, `it has more than the ${LONGEST_FOREIGN} characters that the agency takes`);
  }
  if (!FOREIGN.test(id))
    return malformed(id, 'it holds other characters than letters from A to Z, figures and slashes');
  // Spanish ids other than a passport have their own kinds (agency codes 1126 and 1234).
  return identity(type, id, country, country !== 'ES' || type === 'passport');
}

function detect(id: string, { taxIdCountry, addressCountry }: TaxIdClaim): TaxIdReading {
  const country = taxIdCountry ?? addressCountry;
  const nif = withoutSpanishPrefix(id);
  // The prefix ES means Spain for any address.
  if ((country === null || country === 'ES' || nif !== id) && isSpanishNif(nif)) {
    return identity('es_nif', nif, 'ES', agrees(taxIdCountry, 'ES'));
  }
  const vat = parseEuVat(id);
  if (vat !== null && (country === null || country === vat.country || hasNationalFormat(vat))) {
    return identity('eu_vat', vat.id, vat.country, agrees(taxIdCountry, vat.country));
  }
  if (country === null) return malformed(id, 'it is neither a Spanish NIF nor an EU VAT number');
  if (country === 'ES') return malformed(id, 'it is not a Spanish NIF with its right control character');
  if (!hasEuVat(country)) return readForeign(id, 'other', country);
  const completed = parseEuVat(prefixOf(country) + id);
  if (completed !== null) return identity('eu_vat', completed.id, completed.country, true);
  return malformed(id, `it is not a VAT number of ${country}; for another document send tax_id_type`);
}
