import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { lengthOf } from '../../ground/lib/text.ts';
import { readTaxId, type TaxIdentity } from '../tax-ids/tax-id.ts';
import type { TaxIdType } from '../tax-ids/types.ts';
import {
  contradictedCountry,
  isAcceptedTaxIdCountry,
  isSufficientName,
  LONGEST_NAME,
  mismatch,
  type Recipient,
  SHORTEST_NAME,
  unknownCountry,
} from './recipient.ts';
import type { Registers } from './registers/registers.ts';

/** Who issues an invoice in the name of a company, as sent. */
type ThirdPartyInput = {
  readonly name: string;
  readonly taxId: string;
  readonly taxIdType?: TaxIdType | undefined;
  readonly taxIdCountry?: string | undefined;
};

/** The same, normalized. */
export type ThirdParty = TaxIdentity & { readonly name: string };

/**
 * Normalizes a third party and validates it by the local rules of recipients: `tax_id_type_country_mismatch`, `invalid_tax_id` for a malformed id,
 * one that is not in the census and the company's own (validations 3.1.3.12: 1211, 1188), `insufficient_recipient_data` for its name and country.
 */
export function resolveThirdParty(input: ThirdPartyInput, companyNif: string): Outcome<ThirdParty> {
  const { taxIdType = null, taxIdCountry = null } = input;
  const name = input.name.trim();
  const contradicted = contradictedCountry(taxIdType, taxIdCountry);
  if (contradicted !== null) return contradicted.about('thirdParty.taxIdCountry');
  const reading = readTaxId({ taxId: input.taxId, taxIdType, taxIdCountry, addressCountry: null });
  if (reading.kind === 'malformed')
    return invalid(`The third party's tax id ${reading.taxId} is malformed: ${reading.reason}.`);
  if (reading.kind === 'too_short') return insufficient('taxId', 'its tax id is too short');
  const { identity } = reading;
  if (!isSufficientName(lengthOf(name)))
    return insufficient('name', `its name must have ${SHORTEST_NAME} to ${LONGEST_NAME} characters`);
  if (taxIdCountry !== null && !isAcceptedTaxIdCountry(taxIdCountry, identity.taxIdType))
    return insufficient('taxIdCountry', unknownCountry(taxIdCountry));
  if (!reading.countryAgrees) {
    const detail = mismatch(identity, taxIdCountry);
    return new Refusal('tax_id_type_country_mismatch', detail).about('thirdParty.taxIdCountry');
  }
  if (identity.taxIdType === 'not_registered')
    return invalid('A third party that issues is identified in the census, not as not_registered.');
  if (identity.taxId === companyNif)
    return invalid('The third party is the company itself: leave issued_by and third_party out.');
  return { name, ...identity };
}

/** Asks the register of its kind of tax id, as for a recipient; refuses with `invalid_tax_id` and `tax_id_validation_unavailable`. */
export async function identifyThirdParty(
  registers: Pick<Registers, 'identify'>,
  environmentId: number,
  { name, taxId, taxIdType, taxIdCountry }: ThirdParty,
): Promise<Refusal | null> {
  const nothing = {
    givenName: null,
    surnames: null,
    email: null,
    line1: null,
    line2: null,
    postalCode: null,
    city: null,
    country: null,
  };
  const party: Recipient = { name, companyName: null, taxId, taxIdType, taxIdCountry, ...nothing };
  const known = await registers.identify(party, environmentId);
  if (!isRefusal(known)) return null;
  const detail = known.detail.replace('The recipient', 'The third party');
  return new Refusal(known.code, detail).about('thirdParty.taxId');
}

function invalid(detail: string): Refusal {
  return new Refusal('invalid_tax_id', detail).about('thirdParty.taxId');
}

function insufficient(field: string, reason: string): Refusal {
  const detail = `The third party cannot be declared to the agency: ${reason}.`;
  return new Refusal('insufficient_recipient_data', detail).about(`thirdParty.${field}`);
}
