import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { lengthOf } from '../../ground/lib/text.ts';
import { hasEuVat } from '../tax-ids/eu-vat.ts';
import { isPersonNif } from '../tax-ids/spanish-nif.ts';
import {
  contradiction,
  needsCountry,
  normaliseTaxId,
  readTaxId,
  SPANISH_VAT,
  type TaxIdentity,
  type TaxIdReading,
} from '../tax-ids/tax-id.ts';
import type { TaxIdType } from '../tax-ids/types.ts';
import { ACCEPTED_COUNTRIES } from './countries.ts';

type Text = string | null | undefined;

/** The invoiced party in a request. */
export type RecipientInput = {
  readonly name?: Text;
  readonly companyName?: Text;
  readonly givenName?: Text;
  readonly surnames?: Text;
  readonly taxId?: Text;
  readonly taxIdType?: TaxIdType | null | undefined;
  readonly taxIdCountry?: Text;
  readonly email?: Text;
  readonly address?:
    | {
        readonly line1?: Text;
        readonly line2?: Text;
        readonly postalCode?: Text;
        readonly city?: Text;
        readonly country?: Text;
      }
    | null
    | undefined;
};

/**
 * The invoiced party, normalized. That of a complete invoice has at least name, tax id, its type and country, and
 * address.
 */
export type Recipient = {
  readonly name: string | null;
  readonly companyName: string | null;
  /** The parts of a natural person's name, if they were sent. */
  readonly givenName: string | null;
  readonly surnames: string | null;
  readonly taxId: string | null;
  readonly taxIdType: TaxIdType | null;
  readonly taxIdCountry: string | null;
  readonly email: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly country: string | null;
};

/** The fiscal name: the company's if there is one, else the person's; null when there is neither. */
export function fiscalName(recipient: Pick<Recipient, 'name' | 'companyName'>): string | null {
  return recipient.companyName ?? recipient.name;
}

/**
 * The census compares names of 2 to 100 characters (docs/contract.md#recipients); the agency's record would accept
 * 120. Checked for every complete invoice, not only for restated recipients.
 */
export const SHORTEST_NAME = 2;
export const LONGEST_NAME = 100;

/** Whether a name has such a length. */
export const isSufficientName = (length: number): boolean =>
  length >= SHORTEST_NAME && length <= LONGEST_NAME;

/**
 * Normalizes a recipient and, for a complete invoice, validates it by local rules in this order: `invalid_request`
 * for missing values (also `taxIdCountry` where the type does not imply it), `tax_id_type_country_mismatch` for a
 * type and a country that exclude each other whatever the id is, `invalid_tax_id` for the id's format,
 * `insufficient_recipient_data` for name and countries, `tax_id_type_country_mismatch` for an id of another
 * country. Queries no register. Of a simplified invoice's recipient, who has no tax id, only the country is checked; one who
 * needs no identification has none either, and a qualified simplified invoice takes `es_nif` and `eu_vat` alone (`invalid_tax_id`). Sources:
 * docs/contract.md#recipients.
 */
export function resolveRecipient(
  input: RecipientInput,
  { complete, qualifiedSimplified = false, recipientUnidentified = false }: RecipientRules,
): Outcome<Recipient> {
  const contact = contactOf(input);
  if (!complete) return unknownCountryOf(contact) ?? withoutTaxId(contact);
  const missing = missingField(input, contact, recipientUnidentified);
  if (missing !== null) return missing;
  if (recipientUnidentified) return insufficientContact(contact) ?? withoutTaxId(contact);
  if (input.taxIdType) {
    const contradicted = contradictedCountry(input.taxIdType, upperCased(input.taxIdCountry));
    if (contradicted !== null) return contradicted;
  }
  const reading = readTaxId({
    taxId: input.taxId!,
    taxIdType: input.taxIdType ?? null,
    taxIdCountry: upperCased(input.taxIdCountry),
    addressCountry: contact.country,
  });
  if (reading.kind === 'malformed') {
    return new Refusal(
      'invalid_tax_id',
      `The recipient's tax id ${reading.taxId} is malformed: ${reading.reason}.`,
    );
  }
  const identity = sufficientIdentity(reading, input, contact);
  if (isRefusal(identity)) return identity;
  return qualifiedSimplified && !QUALIFYING.has(identity.taxIdType)
    ? unqualified(identity)
    : { ...contact, ...identity };
}

/** What the form of an invoice demands of its recipient. */
export type RecipientRules = {
  readonly complete: boolean;
  readonly qualifiedSimplified?: boolean;
  readonly recipientUnidentified?: boolean;
};

/** The ids of a simplified invoice's recipient: a NIF given by Spain or by another member state (RD 1619/2012 art. 7.2.a). */
const QUALIFYING: ReadonlySet<TaxIdType> = new Set(['es_nif', 'eu_vat']);

function unqualified({ taxIdType }: TaxIdentity): Refusal {
  return new Refusal(
    'invalid_tax_id',
    `A simplified invoice identifies its recipient by a Spanish NIF or a VAT number of another member state, not by ${taxIdType} (RD 1619/2012 art. 7.2).`,
  );
}

/**
 * The kind of tax id of a recipient by local rules, or null when they refuse it or there is none: what the tax
 * rules need of a recipient before it is validated.
 */
export function recipientTaxIdType(input: RecipientInput): TaxIdType | null {
  if (trimmed(input.taxId) === null) return null;
  if (input.taxIdType) return input.taxIdType;
  return taxIdentityOf(input)?.taxIdType ?? null;
}

/** The tax id of a recipient by local rules, or null when they refuse it or there is none. */
export function taxIdentityOf(input: RecipientInput): TaxIdentity | null {
  if (trimmed(input.taxId) === null) return null;
  const reading = readTaxId({
    taxId: input.taxId!,
    taxIdType: input.taxIdType ?? null,
    taxIdCountry: upperCased(input.taxIdCountry),
    addressCountry: upperCased(input.address?.country),
  });
  return reading.kind === 'identity' ? reading.identity : null;
}

/**
 * What the tax rules need of a recipient before it is validated: the kind of its tax id, and where it lives if that is a country that the agency
 * knows.
 */
export function buyerOf(input: RecipientInput) {
  const country = upperCased(input.address?.country);
  const taxIdType = recipientTaxIdType(input);
  const isNif = taxIdType === 'es_nif' && typeof input.taxId === 'string';
  return {
    taxIdType,
    isSpanishEntity: isNif && !isPersonNif(normaliseTaxId(input.taxId ?? '').replace(/^ES/, '')),
    residence: taxIdType === 'residence_certificate' ? upperCased(input.taxIdCountry) : null,
    country: country !== null && ACCEPTED_COUNTRIES.has(country) ? country : null,
    postalCode: trimmed(input.address?.postalCode),
  };
}

/** The contact data of a recipient without a tax id, normalized and not validated. */
export function unidentified(input: RecipientInput): Recipient {
  return withoutTaxId(contactOf(input));
}

function withoutTaxId(contact: Contact): Recipient {
  return { ...contact, taxId: null, taxIdType: null, taxIdCountry: null };
}

/** `insufficient_recipient_data` for an address in a country that the agency does not know; null for one without country. */
export function unknownCountryOf({ country }: Pick<Recipient, 'country'>): Refusal | null {
  if (country === null || ACCEPTED_COUNTRIES.has(country)) return null;
  return insufficient('address.country', unknownCountry(country));
}

type Contact = Omit<Recipient, 'taxId' | 'taxIdType' | 'taxIdCountry'>;

function contactOf({ name, companyName, givenName, surnames, email, address }: RecipientInput): Contact {
  return {
    name: trimmed(name),
    companyName: trimmed(companyName),
    givenName: trimmed(givenName),
    surnames: trimmed(surnames),
    email: trimmed(email),
    line1: trimmed(address?.line1),
    line2: trimmed(address?.line2),
    postalCode: trimmed(address?.postalCode),
    city: trimmed(address?.city),
    country: upperCased(address?.country),
  };
}

/** The text without blanks around it; null when nothing is left. */
function trimmed(text: Text): string | null {
  const rest = text?.trim() ?? '';
  return rest === '' ? null : rest;
}

function upperCased(text: Text): string | null {
  return trimmed(text)?.toUpperCase() ?? null;
}

function missingField(input: RecipientInput, contact: Contact, unidentified: boolean): Refusal | null {
  const required = (field: string) => invalidField(`recipient.${field}`, 'required', 'is required');
  if (contact.name === null) return required('name');
  if (!unidentified && trimmed(input.taxId) === null) return required('taxId');
  if (contact.line1 === null) return required('address.line1');
  if (contact.postalCode === null) return required('address.postalCode');
  if (contact.city === null) return required('address.city');
  if (contact.country === null) return required('address.country');
  if (input.taxIdType && needsCountry(input.taxIdType) && upperCased(input.taxIdCountry) === null) {
    return required('taxIdCountry');
  }
  return null;
}

/** The refusal of a type and a country, both as sent, that exclude each other; null when they do not. */
export function contradictedCountry(
  type: TaxIdType | null | undefined,
  country: string | null,
): Refusal | null {
  const contradictionText = type == null || country === null ? null : contradiction(type, country);
  return contradictionText === null ? null : new Refusal('tax_id_type_country_mismatch', contradictionText);
}

/** The identity if name and countries are sufficient and consistent with it. */
function sufficientIdentity(
  reading: Exclude<TaxIdReading, { kind: 'malformed' }>,
  input: RecipientInput,
  contact: Contact,
): Outcome<TaxIdentity> {
  if (reading.kind === 'too_short') return insufficient('taxId', 'its tax id is too short');
  const contactFault = insufficientContact(contact);
  if (contactFault !== null) return contactFault;
  const sent = upperCased(input.taxIdCountry);
  if (sent !== null && !isAcceptedTaxIdCountry(sent, reading.identity.taxIdType))
    return insufficient('taxIdCountry', unknownCountry(sent));
  const { identity, countryAgrees } = reading;
  if (countryAgrees) return identity;
  return new Refusal('tax_id_type_country_mismatch', mismatch(identity, sent));
}

/** The refusal of a name or a country that is not sufficient; null when both are. */
function insufficientContact(contact: Contact): Refusal | null {
  if (!isSufficientName(lengthOf(fiscalName(contact)!))) {
    const [field, name] = contact.companyName === null ? ['name', 'name'] : ['companyName', 'company_name'];
    return insufficient(field!, `its ${name} must have ${SHORTEST_NAME} to ${LONGEST_NAME} characters`);
  }
  return unknownCountryOf(contact);
}

/**
 * Whether the agency accepts the country with an id of that type: XI, Northern Ireland, is valid for VAT numbers
 * only.
 */
export function isAcceptedTaxIdCountry(country: string, type: TaxIdType): boolean {
  return ACCEPTED_COUNTRIES.has(country) || (type === 'eu_vat' && hasEuVat(country));
}

/** The countries of a Spanish NIF or a VAT number and of the other fields of the request. */
export function mismatch({ taxIdType, taxIdCountry }: TaxIdentity, sent: string | null): string {
  if (taxIdType === 'eu_vat' && taxIdCountry === 'ES') return SPANISH_VAT;
  return `The tax id is of ${taxIdCountry} as ${taxIdType}, not of ${sent}.`;
}

/** Names the code that is meant where a wrong one is in wide use. */
export function unknownCountry(country: string): string {
  const meant = MEANT[country];
  const hint = meant === undefined ? 'its code of ISO 3166-1 alpha-2' : meant;
  return `the agency does not know the country ${country}: send ${hint}`;
}

const MEANT: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

function insufficient(field: string, reason: string): Refusal {
  const detail = `The recipient cannot be declared to the agency: ${reason}.`;
  return new Refusal('insufficient_recipient_data', detail).about(`recipient.${field}`);
}
