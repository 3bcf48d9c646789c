import { isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { InvoiceContent, PrintedRecipient } from '../../documents/content.ts';
import { notApplicable } from '../format.ts';
import { isOutsideVat, VAT_ADDRESS_SCHEMES } from './code-lists.ts';
import type { VatCategoryCode } from './tax-categories.ts';
import type { Party } from './terms.ts';

/** The name of the standard in refusals. */
export const STANDARD = 'EN 16931';

/** The categories of the invoice: they decide which identifiers are required and which are forbidden. */
type Categories = ReadonlySet<VatCategoryCode>;

/** Categories of other taxes than VAT, and of no tax: they need no VAT number. */
const WITHOUT_VAT: ReadonlySet<VatCategoryCode> = new Set(['L', 'M', 'E', 'O']);

/**
 * The seller (BG-4). A Spanish NIF is the legal registration number (BT-30) and, prefixed with `ES`, the VAT number
 * (BT-31): not on an invoice outside the scope of VAT (BR-O-02), and not for a seller established outside the VAT
 * territory that charges no VAT, whose NIF is then its tax registration (BT-32).
 */
function sellerOf({ issuer }: Pick<InvoiceContent, 'issuer'>, categories: Categories): Party {
  const { nif, legalName: name, line1, line2, postalCode, city, country } = issuer;
  const hasNoVat = isOutsideVat(issuer) && [...categories].every((code) => WITHOUT_VAT.has(code));
  const isNotSubject = categories.has('O');
  return {
    ...{ name, contact: null, identifier: null, legalId: { id: nif, scheme: null } },
    vatId: isNotSubject || hasNoVat ? null : spanishVat(nif),
    taxRegistration: hasNoVat && !isNotSubject ? nif : null,
    electronicAddress: addressOfVat(spanishVat(nif)),
    address: { line1, line2, city, postalCode, country },
  };
}

/**
 * The buyer (BG-7). Refuses one without a name (BT-44) or a country (BT-55), and one without the identifier that
 * the category requires: for reverse charge a company's registration or its VAT number (BR-AE-02), for an
 * intra-Community supply the VAT number (BR-IC-02).
 */
function buyerOf(recipient: PrintedRecipient | null, categories: Categories): Outcome<Party> {
  const name = recipient?.companyName ?? recipient?.name ?? null;
  if (recipient === null || name === null) {
    return notApplicable(STANDARD, 'BT-44', 'the invoice names no buyer');
  }
  const { line1, line2, postalCode, city } = recipient;
  const country = recipient.country ?? recipient.taxIdCountry;
  if (country === null) return notApplicable(STANDARD, 'BT-55', 'the country of the buyer is not known');
  const identified = identifiersOf(recipient, categories);
  const { vatId, legalId } = identified;
  if (categories.has('K') && vatId === null) {
    return notApplicable(
      STANDARD,
      'BT-48',
      'an intra-Community supply needs the VAT number of the buyer (BR-IC-02)',
    );
  }
  if (categories.has('AE') && vatId === null && legalId === null) {
    return notApplicable(STANDARD, 'BT-48', 'reverse charge needs a registered buyer (BR-AE-02)');
  }
  return {
    ...{ name, contact: recipient.companyName === null ? null : recipient.name },
    ...identified,
    address: { line1, line2, city, postalCode, country },
  };
}

type Identifiers = Omit<Party, 'name' | 'contact' | 'address'>;

const NONE: Identifiers = {
  ...{ identifier: null, legalId: null, vatId: null, taxRegistration: null, electronicAddress: null },
};

/**
 * By the kind of tax id: a NIF as BT-47 and, within the VAT territory, BT-48; another state's VAT number as BT-48;
 * everything else as BT-46, because the standard has no list for it.
 */
function identifiersOf(recipient: PrintedRecipient, categories: Categories): Identifiers {
  const { taxId, taxIdType } = recipient;
  if (taxId === null) return NONE;
  const isSubject = !categories.has('O');
  switch (taxIdType) {
    case 'es_nif': {
      const vat = isOutsideVat(recipient) ? null : spanishVat(taxId);
      return {
        ...NONE,
        legalId: { id: taxId, scheme: null },
        vatId: isSubject ? vat : null,
        electronicAddress: addressOfVat(spanishVat(taxId)),
      };
    }
    case 'eu_vat':
      return isSubject
        ? { ...NONE, vatId: taxId, electronicAddress: addressOfVat(taxId) }
        : { ...NONE, legalId: { id: taxId, scheme: null }, electronicAddress: addressOfVat(taxId) };
    default:
      return { ...NONE, identifier: { id: taxId, scheme: null } };
  }
}

function spanishVat(nif: string): string {
  return `ES${nif}`;
}

/** The electronic address derived from a VAT number (BT-34, BT-49), as networks of electronic invoices write it. */
function addressOfVat(vatId: string): Party['electronicAddress'] {
  const scheme = VAT_ADDRESS_SCHEMES[vatId.slice(0, 2)];
  return scheme === undefined ? null : { id: vatId, scheme };
}

/** Both parties, or why they cannot be represented. */
export function partiesOf(
  content: InvoiceContent,
  categories: Categories,
): Outcome<{ readonly seller: Party; readonly buyer: Party }> {
  const buyer = buyerOf(content.recipient, categories);
  return isRefusal(buyer) ? buyer : { seller: sellerOf(content, categories), buyer };
}
