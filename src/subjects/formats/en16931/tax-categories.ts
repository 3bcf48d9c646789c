import type { AgencyTax, Exemption, TaxType } from '../../taxes/types.ts';

/** VAT categories of EN 16931 (UNTDID 5305 as the standard restricts it, BT-118). */
export type VatCategoryCode = 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O' | 'L' | 'M';

/**
 * A category, and the reason why no VAT is charged: as a VATEX code if one has exactly that meaning, and as text.
 */
export type Treatment = {
  readonly code: VatCategoryCode;
  /** BT-121: CEF list VATEX. Null if its codes mean more or less than the Spanish article. */
  readonly reasonCode: string | null;
  /** BT-120; null where VAT is charged, and a reason is forbidden (BR-S-10, BR-Z-10, BR-AF-10, BR-AG-10). */
  readonly reason: string | null;
};

const charged = (code: VatCategoryCode): Treatment => ({ code, reasonCode: null, reason: null });

const STANDARD = charged('S');
const ZERO = charged('Z');
const NOT_SUBJECT = (reason: string): Treatment => ({ code: 'O', reasonCode: 'VATEX-EU-O', reason });

/**
 * Types whose category follows from the type alone. `other` has none: EN 16931 knows VAT, IGIC and IPSI (BT-118
 * note), and no other tax. - Reverse charge: LIVA art. 84.Uno.2.º, Directive 2006/112/EC arts. 194 to 199; the
 * words are those of RD 1619/2012 art. 6.1.m. A service to a business of another state is not subject here (LIVA
 * art. 69) and reverse-charged there (Directive art. 196), which is what AE means to its recipient. -
 * Intra-Community supply: LIVA art. 25, Directive art. 138. - OSS: VAT of the consumer's state is charged at its
 * rate (Directive art. 369a and following); the standard has no term for the state, so a note states it.
 */
const BY_TYPE: Readonly<Partial<Record<TaxType, Treatment>>> = {
  igic: charged('L'),
  ipsi: charged('M'),
  eu_oss: STANDARD,
  es_inversion_sujeto_pasivo: {
    code: 'AE',
    reasonCode: 'VATEX-EU-AE',
    reason: 'Inversión del sujeto pasivo (art. 84.Uno.2.º LIVA)',
  },
  eu_b2b_services: {
    code: 'AE',
    reasonCode: 'VATEX-EU-AE',
    reason: 'Inversión del sujeto pasivo (art. 69 LIVA, art. 196 Directiva 2006/112/CE)',
  },
  eu_b2b: { code: 'K', reasonCode: 'VATEX-EU-IC', reason: 'Entrega intracomunitaria exenta (art. 25 LIVA)' },
  es_non_taxable: NOT_SUBJECT('Operación no sujeta (art. 7 LIVA)'),
  es_non_taxable_localization: NOT_SUBJECT(
    'Operación no sujeta por reglas de localización (arts. 68 a 70 LIVA)',
  ),
};

const exempt = (reason: string): Treatment => ({ code: 'E', reasonCode: null, reason });

/**
 * Exempt operations by their declared cause (list L10 of Orden HAC/1177/2024). Only art. 21 has a code with the
 * same meaning: art. 20 corresponds to arts. 132, 135 and 136 of the Directive, art. 22 to 148 and 151, arts. 23
 * and 24 to 154 to 163.
 */
const BY_EXEMPTION: Readonly<Record<Exemption, Treatment>> = {
  E1: exempt('Operación exenta (art. 20 LIVA)'),
  E2: { code: 'G', reasonCode: 'VATEX-EU-G', reason: 'Exportación exenta (art. 21 LIVA)' },
  E3: exempt('Operación asimilada a la exportación, exenta (art. 22 LIVA)'),
  E4: exempt('Operación exenta (arts. 23 y 24 LIVA)'),
  E5: BY_TYPE.eu_b2b!,
  E6: exempt('Operación exenta por otra causa'),
  E7: exempt('Operación exenta del IGIC'),
  E8: exempt('Operación exenta del IGIC'),
};

/**
 * The articles above are those of VAT, and G is for VAT exports: exemptions of the other two taxes are category E.
 */
const EXEMPT_OF_IGIC = exempt('Operación exenta del IGIC');
const EXEMPT_OF_IPSI = exempt('Operación exenta del IPSI');

/** The surcharge is a separate tax on which no VAT is charged; the standard has no category for it. */
export const SURCHARGE: Treatment = exempt(
  'Recargo de equivalencia: no forma parte de la base (arts. 154 a 163 LIVA)',
);

/** The tax of a line, and how it was declared. */
export type Declared = {
  readonly type: TaxType;
  readonly rate: number;
  /** Null unless exempt. */
  readonly exemption: Exemption | null;
  readonly agencyTax: AgencyTax;
};

/** The category of a line, or null when the standard has none. */
export function treatmentOf({ type, rate, exemption, agencyTax }: Declared): Treatment | null {
  if (type === 'vat') return rate === 0 ? ZERO : STANDARD;
  const fixed = BY_TYPE[type];
  if (fixed !== undefined) return fixed;
  if (exemption === null) return null;
  if (agencyTax === '03') return EXEMPT_OF_IGIC;
  return agencyTax === '02' ? EXEMPT_OF_IPSI : BY_EXEMPTION[exemption];
}
