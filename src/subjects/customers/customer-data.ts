import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import {
  contradictedCountry,
  isAcceptedTaxIdCountry,
  type Recipient,
  unidentified,
  unknownCountry,
  unknownCountryOf,
} from '../recipients/recipient.ts';
import { needsCountry, readTaxId, type TaxIdentity } from '../tax-ids/tax-id.ts';
import type { CustomerRequest } from './customer-request.ts';
import type { CustomerData } from './shapes.ts';

type Fields = Omit<CustomerRequest, 'integrationId' | 'externalCustomerId'>;

const UNIDENTIFIED = { taxId: null, taxIdType: null, taxIdCountry: null };

/**
 * What is kept of a customer after a change: a field that was not sent stays, null removes it. The tax id is read by local rules, as that
 * of a recipient; no register is asked, because each invoice does. Codes: `invalid_request`, `invalid_tax_id`,
 * `tax_id_type_country_mismatch`, `insufficient_recipient_data`.
 */
export function changedCustomer(before: CustomerData | null, sent: Fields): Outcome<CustomerData> {
  const address = sent.address === undefined ? addressOf(before) : sent.address;
  const contact = unidentified({
    name: sent.name === undefined ? before?.name : sent.name,
    companyName: sent.companyName === undefined ? before?.companyName : sent.companyName,
    email: sent.email === undefined ? before?.email : sent.email,
    address,
  });
  if (unknownCountryOf(contact) !== null) return insufficient('address.country', contact.country!);
  const identity = identityOf(before, sent, contact);
  return isRefusal(identity) ? identity : { ...contact, ...identity };
}

function addressOf(before: CustomerData | null) {
  if (before === null) return null;
  const { line1, line2, postalCode, city, country } = before;
  return { line1, line2, postalCode, city, country };
}

/** The identity as it is sent, or the one before if nothing is said of it. */
function identityOf(
  before: CustomerData | null,
  { taxId, taxIdType, taxIdCountry }: Fields,
  { country }: Pick<Recipient, 'country'>,
): Outcome<Pick<CustomerData, keyof TaxIdentity>> {
  if (taxId === undefined && taxIdType == null && taxIdCountry == null) {
    const { taxId = null, taxIdType = null, taxIdCountry = null } = before ?? {};
    return { taxId, taxIdType, taxIdCountry };
  }
  const id = taxId === undefined ? (before?.taxId ?? null) : taxId;
  if (id === null) {
    if (taxIdType == null && taxIdCountry == null) return UNIDENTIFIED;
    return invalidField('taxId', 'required', 'is required with its type or country');
  }
  if (taxIdType != null && needsCountry(taxIdType) && taxIdCountry == null)
    return invalidField('taxIdCountry', 'required', 'is required with this kind of id');
  const contradicted = contradictedCountry(taxIdType, taxIdCountry ?? null);
  if (contradicted !== null) return contradicted.about('taxIdCountry');
  const reading = readTaxId({
    ...{ taxId: id, taxIdType: taxIdType ?? null },
    ...{ taxIdCountry: taxIdCountry ?? null, addressCountry: country },
  });
  if (reading.kind === 'malformed') {
    const detail = `The tax id ${reading.taxId} is malformed: ${reading.reason}.`;
    return new Refusal('invalid_tax_id', detail).about('taxId');
  }
  if (reading.kind === 'too_short') {
    const detail = 'The customer cannot be declared to the agency: its tax id is too short.';
    return new Refusal('insufficient_recipient_data', detail).about('taxId');
  }
  if (taxIdCountry != null && !isAcceptedTaxIdCountry(taxIdCountry, reading.identity.taxIdType))
    return insufficient('taxIdCountry', taxIdCountry);
  if (reading.countryAgrees) return reading.identity;
  const detail = `The tax id is of ${reading.identity.taxIdCountry}, not of ${taxIdCountry}.`;
  return new Refusal('tax_id_type_country_mismatch', detail).about('taxIdCountry');
}

function insufficient(field: string, code: string): Refusal {
  const detail = `The customer cannot be declared to the agency: ${unknownCountry(code)}.`;
  return new Refusal('insufficient_recipient_data', detail).about(field);
}
