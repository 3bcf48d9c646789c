import type { Refusal } from '../../ground/errors/refusal.ts';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { lengthOf } from '../../ground/lib/text.ts';
import { ACCEPTED_COUNTRIES } from '../../subjects/recipients/countries.ts';
import { resolveRecipient } from '../../subjects/recipients/recipient.ts';
import type { TaxIdType } from '../../subjects/tax-ids/types.ts';
import type { Form } from '../web/request.ts';
import type { Texts } from './texts-es.ts';

/** The fields of the form, in their order. */
export const FIELDS = [
  'name',
  'taxId',
  'taxIdType',
  'taxIdCountry',
  'line1',
  'line2',
  'postalCode',
  'city',
  'country',
  'email',
] as const;

export type Field = (typeof FIELDS)[number];
export type Entries = Readonly<Record<Field, string>>;
export type FieldError = keyof Texts['exchange']['faults'];
export type FieldErrors = { readonly [Name in Field]?: FieldError };

/** The types of tax id that a customer can choose. Whether a register knows it is the issuer's concern. */
export const OFFERED_TYPES = [
  'es_nif',
  'eu_vat',
  'passport',
  'official_document',
  'residence_certificate',
  'other',
] as const satisfies readonly TaxIdType[];

export function entriesOf(form: Form): Entries {
  const entries = FIELDS.map((field) => [field, form.get(field)?.trim() ?? '']);
  return Object.fromEntries(entries) as Entries;
}

/** The recipient as the operation takes it; what was left empty is absent. */
export function recipientOf(entries: Entries) {
  const entryOf = (field: Field) => (entries[field] === '' ? undefined : entries[field]);
  return {
    name: entryOf('name'),
    taxId: entryOf('taxId'),
    taxIdType: entryOf('taxIdType') as TaxIdType | undefined,
    taxIdCountry: entryOf('taxIdCountry'),
    email: entryOf('email'),
    address: {
      line1: entryOf('line1'),
      line2: entryOf('line2'),
      postalCode: entryOf('postalCode'),
      city: entryOf('city'),
      country: entryOf('country'),
    },
  };
}

/** What is wrong with which field, for a refusal that the visitor can mend in the form; null for any other. */
export function fieldErrors(refusal: Refusal, entries: Entries): FieldErrors | null {
  switch (refusal.code) {
    case 'invalid_request':
      return malformed(refusal, entries);
    case 'invalid_tax_id':
      // Local rules come first: what passes them was refused by the register.
      return { taxId: isRefusal(locally(entries)) ? 'tax_id_format' : 'tax_id_unknown' };
    case 'insufficient_recipient_data':
      return insufficient(entries);
    case 'tax_id_type_country_mismatch':
      return { taxIdType: 'country_mismatch' };
    default:
      return null;
  }
}

const locally = (entries: Entries) => resolveRecipient(recipientOf(entries), { complete: true });

const REQUIRED: readonly Field[] = ['name', 'taxId', 'line1', 'postalCode', 'city', 'country'];

/** All empty required fields are reported at once. */
function malformed({ errors }: Refusal, entries: Entries): FieldErrors | null {
  const faults: { [Name in Field]?: FieldError } = {};
  for (const { field, code } of errors) {
    const name = FIELDS.find((known) => field === known || field.endsWith(`.${known}`));
    if (name === undefined) return null;
    faults[name] ??= fieldErrorOf(name, code);
  }
  if (Object.keys(faults).length === 0) return null;
  for (const name of REQUIRED) if (entries[name] === '') faults[name] = 'required';
  return faults;
}

const UNCHANGED_CODES = [
  'required',
  'too_big',
  'too_small',
  'invalid_characters',
  'invalid_format',
  'invalid_value',
] as const;

function fieldErrorOf(field: Field, code: string): FieldError {
  if (code !== 'required' && (field === 'country' || field === 'taxIdCountry')) return 'invalid_country';
  return UNCHANGED_CODES.find((known) => known === code) ?? 'other';
}

/** The code covers name, country and tax id alike: which of them it is. */
function insufficient({ name, country, taxIdCountry }: Entries): FieldErrors {
  const length = lengthOf(name);
  if (length < 2 || length > 100) return { name: 'name_length' };
  if (!ACCEPTED_COUNTRIES.has(country.toUpperCase())) return { country: 'invalid_country' };
  if (taxIdCountry !== '' && !ACCEPTED_COUNTRIES.has(taxIdCountry.toUpperCase())) {
    return { taxIdCountry: 'invalid_country' };
  }
  return { taxId: 'tax_id_short' };
}
