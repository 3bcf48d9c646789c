import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { hasEuVat } from '../tax-ids/eu-vat.ts';
import type { TaxIdType } from '../tax-ids/types.ts';
import { onLine } from './line-tax.ts';
import type { TaxType } from './types.ts';

/** What of a recipient decides which taxes may be charged to it; null what is not known. */
export type Buyer = {
  readonly taxIdType: TaxIdType | null;
  /** Whether its tax id is the NIF of a company or another legal entity, not of a person. */
  readonly isSpanishEntity: boolean;
  /** Where it lives by its certificate of residence. */
  readonly residence: string | null;
  /** Of the address. */
  readonly country: string | null;
  readonly postalCode: string | null;
};

/** A line with the type of its tax, as requested or as sealed. */
type Taxed = { readonly taxItems?: readonly { readonly type: TaxType }[] | null | undefined };

/** A tax that such a recipient cannot be charged, the first line that bears it, and what of the recipient contradicts it. */
export type Contradiction = {
  readonly index: number;
  readonly type: TaxType;
  readonly field: 'taxId' | 'address.country';
  readonly reason: string;
};

/**
 * The first tax type that contradicts who is invoiced, or null; nothing is said about what is not known of the recipient. `eu_b2b` has a rule
 * of its own, by its exemption (`breakdownRefusal`). Sources: LIVA art. 69.Uno.1 (`eu_b2b_services`: for businesses outside Spain), LIVA art. 163
 * unvicies and Directive 2006/112 arts. 33 and 58 (`eu_oss`: for those in another member state who are not taxable persons).
 */
export function contradictedTax(lines: readonly Taxed[], buyer: Buyer): Contradiction | null {
  for (const [index, { taxItems }] of lines.entries()) {
    for (const { type } of taxItems ?? []) {
      const fault = RULES[type]?.(buyer) ?? null;
      if (fault !== null) return { index, type, ...fault };
    }
  }
  return null;
}

/** `invalid_tax_data` at the line. */
export function contradictionOnLine({ index, reason }: Contradiction): Refusal {
  return onLine('invalid_tax_data', index, reason);
}

/** The refusal of the first line whose tax contradicts the recipient, else `pricing`: the last of the rules of lines. */
export function unlessContradicted<T>(pricing: Outcome<T>, found: Contradiction | null): Outcome<T> {
  return pricing instanceof Refusal || found === null ? pricing : contradictionOnLine(found);
}

type Fault = Pick<Contradiction, 'field' | 'reason'>;

/** Of the types that not every recipient can be charged. */
const RULES: Readonly<Partial<Record<TaxType, (buyer: Buyer) => Fault | null>>> = {
  eu_b2b_services: spanishBusiness,
  eu_oss: noForeignConsumer,
};

function spanishBusiness({ taxIdType }: Buyer): Fault | null {
  if (taxIdType !== 'es_nif' && taxIdType !== 'not_registered') return null;
  const reason =
    'eu_b2b_services is for businesses of other member states; a recipient with a Spanish NIF is charged vat.';
  return { field: 'taxId', reason };
}

function noForeignConsumer({
  taxIdType,
  isSpanishEntity,
  residence,
  country,
  postalCode,
}: Buyer): Fault | null {
  if (taxIdType === 'eu_vat') {
    const reason =
      'eu_oss is for consumers; a business with an EU VAT number takes eu_b2b or eu_b2b_services.';
    return { field: 'taxId', reason };
  }
  if (isSpanishEntity) {
    return {
      field: 'taxId',
      reason: 'eu_oss is for consumers; this NIF is that of a company or another entity.',
    };
  }
  if (residence !== null && !isInVatTerritory(residence, postalCode)) {
    const reason = `eu_oss is for consumers in member states; the certificate says that the recipient lives in ${residence}.`;
    return { field: 'taxId', reason };
  }
  if (country === null) return null;
  const field = 'address.country';
  if (country === 'ES') {
    return {
      field,
      reason:
        'eu_oss is for consumers in other member states; a Spanish address is charged vat, igic or ipsi.',
    };
  }
  if (isInVatTerritory(country, postalCode)) return null;
  const instead = 'for goods take export, for services es_non_taxable_localization.';
  return { field, reason: `eu_oss is for consumers in member states, which ${country} is not: ${instead}` };
}

/**
 * Whether it is a member state other than Spain, or counts as one: Monaco as France (Directive 2006/112 art. 7), and for goods Northern Ireland
 * (Windsor Framework, OJ L 29 of 31.1.2020, art. 8), whose postal codes begin with BT.
 */
function isInVatTerritory(country: string, postalCode: string | null): boolean {
  if (country === 'GB') return /^BT/i.test(postalCode ?? '');
  return country === 'MC' || hasEuVat(country);
}
