import type { PrintedRecipient } from '../../documents/content.ts';
import { isPersonNif } from '../../tax-ids/spanish-nif.ts';
import { element, leaf, type XmlElement } from './canonical-xml.ts';
import { centresOf } from './dir3.ts';
import type { Fields } from './fields.ts';
import { splitName } from './person-name.ts';
import type { FacturaeSource } from './source.ts';
import { countryCode, residenceOf } from './tables/countries.ts';
import { provinceOf } from './tables/provinces.ts';

/** The address fields of both parties. */
type Address = Pick<PrintedRecipient, 'line1' | 'line2' | 'postalCode' | 'city' | 'country'>;

/** Seller and buyer (group Parties). The buyer of a simplified invoice has no tax id, which the group requires. */
export function parties(source: FacturaeSource, fields: Fields): XmlElement {
  return element('Parties', [seller(source, fields), buyer(source, fields)]);
}

function seller({ issuer, recipient }: FacturaeSource, fields: Fields): XmlElement {
  const { nif, legalName } = issuer;
  // Between member states both numbers have their country prefix (TaxIdentificationNumber in the schema).
  const number = recipient?.taxIdType === 'eu_vat' ? `ES${nif}` : nif;
  const isPerson = isPersonNif(nif);
  return element('SellerParty', [
    identification({ isPerson, country: issuer.country, number: leaf('TaxIdentificationNumber', number) }),
    partyElement(
      'Parties/SellerParty',
      { isPerson, hasNif: true, legalName, divided: dividedName(issuer), address: issuer, contact: null },
      fields,
    ),
  ]);
}

function buyer({ recipient, references }: FacturaeSource, fields: Fields): XmlElement | null {
  const path = 'Parties/BuyerParty';
  if (recipient === null) {
    fields.fault(path, 'required', 'is demanded, and the invoice names no recipient');
    return null;
  }
  const { taxId, taxIdCountry, name, companyName } = recipient;
  const idPath = `${path}/TaxIdentification`;
  const number = fields.required(idPath, 'TaxIdentificationNumber', taxId, 30);
  if (taxId !== null && taxId.length < 3)
    fields.fault(`${idPath}/TaxIdentificationNumber`, 'too_short', 'holds at least 3 characters');
  const isPerson = isNaturalPerson(recipient);
  const hasNif = hasSpanishNif(recipient);
  const legalName = companyName ?? name;
  const contact = companyName !== null && name !== companyName ? name : null;
  return element('BuyerParty', [
    identification({ isPerson, country: recipient.country ?? taxIdCountry ?? 'ES', number }),
    administrativeCentres(references.buyerReference, recipient, fields),
    partyElement(
      path,
      { isPerson, hasNif, legalName, divided: dividedName(recipient), address: recipient, contact },
      fields,
    ),
  ]);
}

/**
 * By the letter of a Spanish NIF; passports and residence certificates belong to persons; other buyers are
 * represented by a company name, which loses nothing.
 */
function isNaturalPerson(recipient: PrintedRecipient): boolean {
  const { taxId, taxIdType, companyName } = recipient;
  if (hasSpanishNif(recipient)) return taxId !== null && isPersonNif(taxId);
  if (companyName !== null) return false;
  return taxIdType === 'passport' || taxIdType === 'residence_certificate' || dividedName(recipient) !== null;
}

/** The name in parts as they were sent, in the form that needs no order of the census; null without them. */
function dividedName({
  givenName,
  surnames,
}: Pick<PrintedRecipient, 'givenName' | 'surnames'>): string | null {
  return givenName == null || surnames == null ? null : `${surnames}, ${givenName}`;
}

function hasSpanishNif({ taxIdType }: PrintedRecipient): boolean {
  return taxIdType === 'es_nif' || taxIdType === 'not_registered';
}

function identification({
  isPerson,
  country,
  number,
}: {
  readonly isPerson: boolean;
  readonly country: string;
  readonly number: XmlElement;
}): XmlElement {
  return element('TaxIdentification', [
    leaf('PersonTypeCode', isPerson ? 'F' : 'J'),
    leaf('ResidenceTypeCode', residenceOf(country)),
    number,
  ]);
}

type PartyFacts = {
  readonly isPerson: boolean;
  /** Whether the name is written as in the Spanish census. */
  readonly hasNif: boolean;
  readonly legalName: string | null;
  /** Surnames and given name with a comma, if they are known apart. */
  readonly divided: string | null;
  readonly address: Address;
  readonly contact: string | null;
};

function partyElement(
  path: string,
  { isPerson, hasNif, legalName, divided, address, contact }: PartyFacts,
  fields: Fields,
): XmlElement {
  if (!isPerson) {
    const at = `${path}/LegalEntity`;
    // The contact person is optional; if it does not fit, it is left out.
    const person = contact !== null && contact.length <= 40 ? contact : null;
    return element('LegalEntity', [
      fields.required(at, 'CorporateName', legalName, 80),
      addressOf(at, address, fields),
      person === null ? null : element('ContactDetails', [leaf('ContactPersons', person)]),
    ]);
  }
  const at = `${path}/Individual`;
  const parts = splitName(divided ?? legalName ?? '', { registered: hasNif });
  return element('Individual', [
    fields.required(at, 'Name', parts?.name ?? legalName, 40),
    fields.required(at, 'FirstSurname', parts?.firstSurname ?? null, 40),
    fields.text(at, 'SecondSurname', parts?.secondSurname ?? null, 40),
    addressOf(at, address, fields),
  ]);
}

function addressOf(
  path: string,
  { line1, line2, postalCode, city, country }: Address,
  fields: Fields,
): XmlElement {
  const street = line2 === null ? line1 : `${line1}, ${line2}`;
  if (country === 'ES') {
    const at = `${path}/AddressInSpain`;
    const province = provinceOf(postalCode ?? '');
    if (province === null) fields.fault(`${at}/PostCode`, 'invalid_value', 'must be a Spanish postal code');
    return element('AddressInSpain', [
      fields.required(at, 'Address', street, 80),
      leaf('PostCode', postalCode ?? ''),
      fields.required(at, 'Town', city, 50),
      leaf('Province', province ?? ''),
      leaf('CountryCode', 'ESP'),
    ]);
  }
  const at = `${path}/OverseasAddress`;
  const code = countryCode(country ?? '');
  if (code === null)
    fields.fault(`${at}/CountryCode`, 'invalid_value', 'is not on the list of countries of the format');
  return element('OverseasAddress', [
    fields.required(at, 'Address', street, 80),
    fields.required(at, 'PostCodeAndTown', [postalCode, city].filter((part) => part !== null).join(' '), 50),
    // The element is required and invoices contain no region abroad: the town is used.
    leaf('Province', [...(city ?? '')].slice(0, 20).join('')),
    leaf('CountryCode', code ?? ''),
  ]);
}

/** The offices of a public body. The schema requires an address for each; the invoice has that of the body. */
function administrativeCentres(
  buyerReference: string | null,
  recipient: PrintedRecipient,
  fields: Fields,
): XmlElement | null {
  const centres = centresOf(buyerReference);
  if (centres === null) return null;
  const at = 'Parties/BuyerParty/AdministrativeCentres/AdministrativeCentre';
  return element(
    'AdministrativeCentres',
    centres.map(({ code, role }) =>
      element('AdministrativeCentre', [
        leaf('CentreCode', code),
        leaf('RoleTypeCode', role),
        addressOf(at, recipient, fields),
      ]),
    ),
  );
}
