import type {
  ReadAddress,
  ReadAdjustment,
  ReadIdentifier,
  ReadInvoice,
  ReadLine,
  ReadParty,
  ReadPayment,
  ReadPeriod,
  ReadTax,
  ReadTotals,
} from '../invoice.ts';
import { all, type Element, one, textAt } from '../xml-tree.ts';

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** The elements of a UBL document that are read: without extensions and signatures. */
export const UBL_NAMESPACES: ReadonlySet<string> = new Set([
  ...[`${OASIS}CommonAggregateComponents-2`, `${OASIS}CommonBasicComponents-2`],
]);

/** The namespaces of the roots of UBL's invoices. */
export const UBL_ROOTS: Readonly<Record<string, string>> = {
  Invoice: `${OASIS}Invoice-2`,
  CreditNote: `${OASIS}CreditNote-2`,
};

/** An Invoice or CreditNote of UBL 2.1, read as CEN/TS 16931-3-2 maps the standard's terms to it. */
export function readUbl(root: Element): ReadInvoice {
  const isCreditNote = root.name === 'CreditNote';
  const line = isCreditNote ? 'CreditNoteLine' : 'InvoiceLine';
  const currency = textAt(root, 'DocumentCurrencyCode');
  return {
    specification: textAt(root, 'CustomizationID'),
    number: textAt(root, 'ID'),
    issuedOn: textAt(root, 'IssueDate'),
    typeCode: textAt(root, isCreditNote ? 'CreditNoteTypeCode' : 'InvoiceTypeCode'),
    isCreditNote,
    currency,
    dueOn: textAt(root, 'DueDate') ?? textAt(root, 'PaymentMeans/PaymentDueDate'),
    paymentTerms: textAt(root, 'PaymentTerms/Note'),
    references: {
      buyerReference: textAt(root, 'BuyerReference'),
      project: textAt(root, 'ProjectReference/ID'),
      contract: textAt(root, 'ContractDocumentReference/ID'),
      purchaseOrder: textAt(root, 'OrderReference/ID'),
    },
    notes: all(root, 'Note').map(({ text }) => text),
    preceding: all(root, 'BillingReference/InvoiceDocumentReference').map((reference) => ({
      ...{ number: textAt(reference, 'ID'), issuedOn: textAt(reference, 'IssueDate') },
    })),
    seller: partyOf(one(root, 'AccountingSupplierParty/Party')),
    buyer: partyOf(one(root, 'AccountingCustomerParty/Party')),
    delivery: {
      on: textAt(root, 'Delivery/ActualDeliveryDate'),
      country: textAt(root, 'Delivery/DeliveryLocation/Address/Country/IdentificationCode'),
    },
    period: periodOf(one(root, 'InvoicePeriod')),
    payment: all(root, 'PaymentMeans').map(paymentOf),
    adjustments: all(root, 'AllowanceCharge').map(adjustmentOf),
    totals: totalsOf(root, currency),
    taxes: all(taxTotal(root, currency), 'TaxSubtotal').map(taxOf),
    withheld: all(root, 'WithholdingTaxTotal/TaxSubtotal').map(taxOf),
    attachments: all(root, 'AdditionalDocumentReference').map(attachmentOf),
    lines: all(root, line).map((each) => lineOf(each, isCreditNote)),
  };
}

/** A second one states the VAT in the accounting currency (BT-111). */
function taxTotal(root: Element, currency: string | null): Element | null {
  const totals = all(root, 'TaxTotal');
  const amount = (total: Element) => one(total, 'TaxAmount')?.attributes.get('currencyID');
  return totals.find((total) => amount(total) === currency) ?? totals[0] ?? null;
}

function attachmentOf(reference: Element): ReadInvoice['attachments'][number] {
  const embedded = one(reference, 'Attachment/EmbeddedDocumentBinaryObject');
  return {
    reference: textAt(reference, 'ID'),
    description: textAt(reference, 'DocumentDescription'),
    url: textAt(reference, 'Attachment/ExternalReference/URI'),
    filename: embedded?.attributes.get('filename') ?? null,
    mediaType: embedded?.attributes.get('mimeCode') ?? null,
  };
}

function identifierOf(element: Element | null): ReadIdentifier | null {
  if (element === null || element.text === '') return null;
  return { id: element.text, scheme: element.attributes.get('schemeID') ?? null };
}

function partyOf(party: Element | null): ReadParty {
  const taxNumber = (isVat: boolean) =>
    all(party, 'PartyTaxScheme').find((one) => (textAt(one, 'TaxScheme/ID') === 'VAT') === isVat) ?? null;
  return {
    name: textAt(party, 'PartyLegalEntity/RegistrationName'),
    vatId: textAt(taxNumber(true), 'CompanyID'),
    taxRegistration: textAt(taxNumber(false), 'CompanyID'),
    legalId: identifierOf(one(party, 'PartyLegalEntity/CompanyID')),
    identifiers: all(party, 'PartyIdentification/ID').flatMap((id) => identifierOf(id) ?? []),
    electronicAddress: identifierOf(one(party, 'EndpointID')),
    address: addressOf(one(party, 'PostalAddress')),
  };
}

function addressOf(address: Element | null): ReadAddress | null {
  if (address === null) return null;
  const lines = ['StreetName', 'AdditionalStreetName', 'AddressLine/Line'];
  return {
    lines: lines.flatMap((path) => textAt(address, path) ?? []),
    postalCode: textAt(address, 'PostalZone'),
    city: textAt(address, 'CityName'),
    region: textAt(address, 'CountrySubentity'),
    country: textAt(address, 'Country/IdentificationCode'),
  };
}

function periodOf(period: Element | null): ReadPeriod | null {
  const [from, to] = [textAt(period, 'StartDate'), textAt(period, 'EndDate')];
  return from === null && to === null ? null : { from, to };
}

function paymentOf(means: Element): ReadPayment {
  const code = one(means, 'PaymentMeansCode');
  return {
    code: code?.text || null,
    text: code?.attributes.get('name') ?? null,
    remittance: textAt(means, 'PaymentID'),
    account: textAt(means, 'PayeeFinancialAccount/ID'),
    dueOn: textAt(means, 'PaymentDueDate'),
    amount: null,
  };
}

function adjustmentOf(element: Element): ReadAdjustment {
  return {
    isCharge: textAt(element, 'ChargeIndicator') === 'true',
    amount: textAt(element, 'Amount'),
    base: textAt(element, 'BaseAmount'),
    percentage: textAt(element, 'MultiplierFactorNumeric'),
    reason: textAt(element, 'AllowanceChargeReason'),
    reasonCode: textAt(element, 'AllowanceChargeReasonCode'),
    category: textAt(element, 'TaxCategory/ID'),
    rate: textAt(element, 'TaxCategory/Percent'),
  };
}

function totalsOf(root: Element, currency: string | null): ReadTotals {
  const total = (name: string) => textAt(root, `LegalMonetaryTotal/${name}`);
  return {
    lines: total('LineExtensionAmount'),
    allowances: total('AllowanceTotalAmount'),
    charges: total('ChargeTotalAmount'),
    withoutVat: total('TaxExclusiveAmount'),
    vat: textAt(taxTotal(root, currency), 'TaxAmount'),
    withVat: total('TaxInclusiveAmount'),
    paid: total('PrepaidAmount'),
    rounding: total('PayableRoundingAmount'),
    withheld: textAt(root, 'WithholdingTaxTotal/TaxAmount'),
    due: total('PayableAmount'),
  };
}

function taxOf(subtotal: Element): ReadTax {
  return {
    category: textAt(subtotal, 'TaxCategory/ID'),
    rate: textAt(subtotal, 'TaxCategory/Percent'),
    base: textAt(subtotal, 'TaxableAmount'),
    tax: textAt(subtotal, 'TaxAmount'),
    surcharge: null,
    reason: textAt(subtotal, 'TaxCategory/TaxExemptionReason'),
    reasonCode: textAt(subtotal, 'TaxCategory/TaxExemptionReasonCode'),
  };
}

function lineOf(line: Element, isCreditNote: boolean): ReadLine {
  const quantity = one(line, isCreditNote ? 'CreditedQuantity' : 'InvoicedQuantity');
  return {
    id: textAt(line, 'ID'),
    quantity: quantity?.text || null,
    unit: quantity?.attributes.get('unitCode') ?? null,
    amount: textAt(line, 'LineExtensionAmount'),
    price: textAt(line, 'Price/PriceAmount'),
    grossPrice: textAt(line, 'Price/AllowanceCharge/BaseAmount'),
    priceQuantity: textAt(line, 'Price/BaseQuantity'),
    category: textAt(line, 'Item/ClassifiedTaxCategory/ID'),
    rate: textAt(line, 'Item/ClassifiedTaxCategory/Percent'),
    name: textAt(line, 'Item/Name'),
    description: textAt(line, 'Item/Description'),
    sku: textAt(line, 'Item/SellersItemIdentification/ID'),
    period: periodOf(one(line, 'InvoicePeriod')),
    adjustments: all(line, 'AllowanceCharge').map(adjustmentOf),
  };
}
