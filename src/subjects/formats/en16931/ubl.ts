import { type Cents, decimalAmount, decimalRate } from '../../../ground/lib/money.ts';
import { optional, text, when, type XmlChildren, xmlDocument } from '../xml.ts';
import type {
  Attachment,
  Charge,
  Identifier,
  Party,
  PaymentMeans,
  SemanticInvoice,
  SemanticLine,
  VatCategory,
  VatGroup,
} from './terms.ts';

/** BT-24 of the standard itself. */
export const EN_16931 = 'urn:cen.eu:en16931:2017';

/** What a national specification adds. */
export type UblAdditions = {
  /** In place of the standard's own identifier: the specification (BT-24), and the business process (BT-23). */
  readonly specification?: { readonly 'cbc:CustomizationID': string; readonly 'cbc:ProfileID'?: string };
  /** Further references to documents (BG-24). */
  readonly documents?: readonly XmlChildren[];
  /** The seller's registration at its tax office. */
  readonly taxOffice?: XmlChildren;
  /** Of the item of the line at that place, after its tax category. */
  readonly item?: (index: number) => XmlChildren;
};

/**
 * The invoice in UBL 2.1 (ISO/IEC 19845), as CEN/TS 16931-3-2 maps the standard's terms to it: a CreditNote for a
 * credit note, else an Invoice. Elements are in the order of the schema.
 */
export function ublOf(invoice: SemanticInvoice, additions: UblAdditions = {}): Buffer {
  const root = invoice.isCreditNote ? 'CreditNote' : 'Invoice';
  return xmlDocument({
    [root]: {
      '@xmlns': `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`,
      '@xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      '@xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
      ...headOf(invoice, additions),
      ...referencesOf(invoice, additions),
      ...partiesOf(invoice, additions),
      ...settlementOf(invoice),
      ...totalsOf(invoice),
      ...linesOf(invoice, additions),
    },
  });
}

function headOf(
  invoice: SemanticInvoice,
  { specification = { 'cbc:CustomizationID': EN_16931 } }: UblAdditions,
): XmlChildren {
  const { number, issuedOn, dueOn, typeCode, isCreditNote, notes, currency, period } = invoice;
  const typed = isCreditNote
    ? { 'cbc:CreditNoteTypeCode': typeCode }
    : { 'cbc:DueDate': dueOn ?? undefined, 'cbc:InvoiceTypeCode': typeCode };
  const taxPoint = invoice.isTaxDueOnPayment ? DUE_ON_PAYMENT : undefined;
  return {
    ...specification,
    'cbc:ID': text(number),
    'cbc:IssueDate': issuedOn,
    ...typed,
    'cbc:Note': notes.map(text),
    'cbc:DocumentCurrencyCode': currency,
    'cbc:BuyerReference': optional(invoice.buyerReference),
    'cac:InvoicePeriod':
      period === null && taxPoint === undefined
        ? undefined
        : { 'cbc:StartDate': period?.from, 'cbc:EndDate': period?.to, 'cbc:DescriptionCode': taxPoint },
  };
}

/** BT-8 in UBL: UNTDID 2005, paid to date. */
const DUE_ON_PAYMENT = '432';

/** A credit note has no element for a project: it is a document reference of that type (UNTDID 1001, 50). */
const PROJECT = '50';

function referencesOf(invoice: SemanticInvoice, { documents = [] }: UblAdditions): XmlChildren {
  const { purchaseOrder, contract, project, precedingInvoices, attachments, isCreditNote } = invoice;
  const reference = (id: string): XmlChildren => ({ 'cbc:ID': text(id) });
  const asDocument: readonly XmlChildren[] =
    isCreditNote && project !== null ? [{ ...reference(project), 'cbc:DocumentTypeCode': PROJECT }] : [];
  return {
    'cac:OrderReference': when(purchaseOrder, reference),
    'cac:BillingReference': precedingInvoices.map(({ number, issuedOn }) => ({
      'cac:InvoiceDocumentReference': { ...reference(number), 'cbc:IssueDate': issuedOn },
    })),
    'cac:ContractDocumentReference': when(contract, reference),
    'cac:AdditionalDocumentReference': [...attachments.map(attachmentOf), ...documents, ...asDocument],
    'cac:ProjectReference': isCreditNote ? undefined : when(project, reference),
  };
}

function attachmentOf({ reference, description, url }: Attachment): XmlChildren {
  return {
    'cbc:ID': reference,
    'cbc:DocumentDescription': description,
    'cac:Attachment': { 'cac:ExternalReference': { 'cbc:URI': text(url) } },
  };
}

function partiesOf(
  { seller, buyer, deliveredOn, deliveredTo }: SemanticInvoice,
  additions: UblAdditions,
): XmlChildren {
  const hasDelivery = deliveredOn !== null || deliveredTo !== null;
  return {
    'cac:AccountingSupplierParty': { 'cac:Party': partyOf(seller, additions.taxOffice) },
    'cac:AccountingCustomerParty': { 'cac:Party': partyOf(buyer) },
    'cac:Delivery': hasDelivery
      ? {
          'cbc:ActualDeliveryDate': deliveredOn ?? undefined,
          'cac:DeliveryLocation': when(deliveredTo, (country) => ({ 'cac:Address': countryOf(country) })),
        }
      : undefined,
  };
}

function countryOf(code: string): XmlChildren {
  return { 'cac:Country': { 'cbc:IdentificationCode': code } };
}

function identifierOf({ id, scheme }: Identifier): XmlChildren {
  return { '#text': text(id), '@schemeID': scheme ?? undefined };
}

function partyOf(party: Party, taxOffice?: XmlChildren): XmlChildren {
  const { address, vatId, taxRegistration } = party;
  const taxes: XmlChildren[] = [];
  if (vatId !== null) taxes.push({ 'cbc:CompanyID': vatId, 'cac:TaxScheme': { 'cbc:ID': 'VAT' } });
  if (taxOffice !== undefined) taxes.push(taxOffice);
  else if (taxRegistration !== null) {
    taxes.push({ 'cbc:CompanyID': taxRegistration, 'cac:TaxScheme': { 'cbc:ID': 'TAX' } });
  }
  return {
    'cbc:EndpointID': when(party.electronicAddress, identifierOf),
    'cac:PartyIdentification': when(party.identifier, (own) => ({ 'cbc:ID': identifierOf(own) })),
    'cac:PostalAddress': {
      'cbc:StreetName': optional(address.line1),
      'cbc:AdditionalStreetName': optional(address.line2),
      'cbc:CityName': optional(address.city),
      'cbc:PostalZone': optional(address.postalCode),
      ...countryOf(address.country),
    },
    'cac:PartyTaxScheme': taxes,
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': text(party.name),
      'cbc:CompanyID': when(party.legalId, identifierOf),
    },
    'cac:Contact': when(party.contact, (contact) => ({ 'cbc:Name': text(contact) })),
  };
}

function settlementOf(invoice: SemanticInvoice): XmlChildren {
  const { paymentMeans, paymentTerms, charges, currency } = invoice;
  return {
    'cac:PaymentMeans': when(paymentMeans, (means) => paymentMeansOf(means, invoice)),
    'cac:PaymentTerms': { 'cbc:Note': text(paymentTerms) },
    'cac:AllowanceCharge': charges.map((charge) => chargeOf(charge, currency)),
  };
}

function paymentMeansOf(
  { code, text: name, remittance, iban, debitedIban }: PaymentMeans,
  { isCreditNote, dueOn }: SemanticInvoice,
): XmlChildren {
  return {
    'cbc:PaymentMeansCode': { '#text': code, '@name': name },
    'cbc:PaymentDueDate': isCreditNote ? (dueOn ?? undefined) : undefined,
    'cbc:PaymentID': optional(remittance),
    'cac:PayeeFinancialAccount': when(iban, (id) => ({ 'cbc:ID': id })),
    'cac:PaymentMandate': when(debitedIban, (id) => ({ 'cac:PayerFinancialAccount': { 'cbc:ID': id } })),
  };
}

function money(cents: Cents, currency: string): XmlChildren {
  return { '#text': decimalAmount(cents), '@currencyID': currency };
}

function categoryOf({ code, rate }: VatCategory, reason: XmlChildren = {}): XmlChildren {
  return {
    'cbc:ID': code,
    'cbc:Percent': rate === null ? undefined : decimalRate(rate),
    ...reason,
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  };
}

function chargeOf({ amount, base, percentage, category, reason }: Charge, currency: string): XmlChildren {
  return {
    'cbc:ChargeIndicator': 'true',
    'cbc:AllowanceChargeReason': reason,
    'cbc:MultiplierFactorNumeric': decimalRate(percentage),
    'cbc:Amount': money(amount, currency),
    'cbc:BaseAmount': money(base, currency),
    'cac:TaxCategory': categoryOf(category),
  };
}

function totalsOf({ totals, vatBreakdown, charges, currency }: SemanticInvoice): XmlChildren {
  const amount = (cents: Cents) => money(cents, currency);
  return {
    'cac:TaxTotal': {
      'cbc:TaxAmount': amount(totals.vat),
      'cac:TaxSubtotal': vatBreakdown.map((group) => vatGroupOf(group, currency)),
    },
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': amount(totals.lines),
      'cbc:TaxExclusiveAmount': amount(totals.withoutVat),
      'cbc:TaxInclusiveAmount': amount(totals.withVat),
      'cbc:ChargeTotalAmount': charges.length === 0 ? undefined : amount(totals.charges),
      'cbc:PrepaidAmount': totals.paid === 0 ? undefined : amount(totals.paid),
      'cbc:PayableAmount': amount(totals.due),
    },
  };
}

function vatGroupOf({ base, tax, category, reason, reasonCode }: VatGroup, currency: string): XmlChildren {
  return {
    'cbc:TaxableAmount': money(base, currency),
    'cbc:TaxAmount': money(tax, currency),
    'cac:TaxCategory': categoryOf(category, {
      'cbc:TaxExemptionReasonCode': reasonCode ?? undefined,
      'cbc:TaxExemptionReason': optional(reason),
    }),
  };
}

function linesOf({ lines, isCreditNote, currency }: SemanticInvoice, { item }: UblAdditions): XmlChildren {
  const [name, quantity] = isCreditNote
    ? ['cac:CreditNoteLine', 'cbc:CreditedQuantity']
    : ['cac:InvoiceLine', 'cbc:InvoicedQuantity'];
  return { [name!]: lines.map((line, index) => lineOf(line, quantity!, currency, item?.(index))) };
}

function lineOf(line: SemanticLine, quantity: string, currency: string, added?: XmlChildren): XmlChildren {
  return {
    'cbc:ID': line.id,
    [quantity]: { '#text': line.quantity, '@unitCode': line.unit },
    'cbc:LineExtensionAmount': money(line.amount, currency),
    'cac:Item': {
      'cbc:Name': text(line.name),
      'cac:SellersItemIdentification': when(line.sku, (sku) => ({ 'cbc:ID': text(sku) })),
      'cac:ClassifiedTaxCategory': categoryOf(line.category),
      ...added,
    },
    'cac:Price': {
      'cbc:PriceAmount': { '#text': line.price, '@currencyID': currency },
      'cbc:BaseQuantity': when(line.priceQuantity, (of) => ({ '#text': of, '@unitCode': line.unit })),
    },
  };
}
