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

const UNECE = 'urn:un:unece:uncefact:data:standard:';

/** The namespace of the root of a Cross Industry Invoice. */
export const CII_ROOT = `${UNECE}CrossIndustryInvoice:100`;

/** The elements that are read. */
export const CII_NAMESPACES: ReadonlySet<string> = new Set([
  CII_ROOT,
  `${UNECE}ReusableAggregateBusinessInformationEntity:100`,
  `${UNECE}UnqualifiedDataType:100`,
  `${UNECE}QualifiedDataType:100`,
]);

/** UNTDID 1001: the types that are credit notes. */
const CREDIT_NOTES = new Set(['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532']);

/** A Cross Industry Invoice D16B, read as CEN/TS 16931-3-3 maps the standard's terms to it. */
export function readCii(root: Element): ReadInvoice {
  const document = one(root, 'ExchangedDocument');
  const trade = one(root, 'SupplyChainTradeTransaction');
  const agreement = one(trade, 'ApplicableHeaderTradeAgreement');
  const delivery = one(trade, 'ApplicableHeaderTradeDelivery');
  const settlement = one(trade, 'ApplicableHeaderTradeSettlement');
  const typeCode = textAt(document, 'TypeCode');
  const currency = textAt(settlement, 'InvoiceCurrencyCode');
  const terms = all(settlement, 'SpecifiedTradePaymentTerms');
  return {
    specification: textAt(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
    number: textAt(document, 'ID'),
    issuedOn: dayAt(document, 'IssueDateTime'),
    typeCode,
    isCreditNote: typeCode !== null && CREDIT_NOTES.has(typeCode),
    currency,
    dueOn: terms.map((each) => dayAt(each, 'DueDateDateTime')).find((day) => day !== null) ?? null,
    paymentTerms: terms.map((each) => textAt(each, 'Description')).find((text) => text !== null) ?? null,
    references: {
      buyerReference: textAt(agreement, 'BuyerReference'),
      project: textAt(agreement, 'SpecifiedProcuringProject/ID'),
      contract: textAt(agreement, 'ContractReferencedDocument/IssuerAssignedID'),
      purchaseOrder: textAt(agreement, 'BuyerOrderReferencedDocument/IssuerAssignedID'),
    },
    notes: all(document, 'IncludedNote').flatMap((note) => textAt(note, 'Content') ?? []),
    preceding: all(settlement, 'InvoiceReferencedDocument').map((reference) => ({
      number: textAt(reference, 'IssuerAssignedID'),
      issuedOn: dayAt(reference, 'FormattedIssueDateTime'),
    })),
    seller: partyOf(one(agreement, 'SellerTradeParty')),
    buyer: partyOf(one(agreement, 'BuyerTradeParty')),
    delivery: {
      on: dayAt(delivery, 'ActualDeliverySupplyChainEvent/OccurrenceDateTime'),
      country: textAt(delivery, 'ShipToTradeParty/PostalTradeAddress/CountryID'),
    },
    period: periodOf(one(settlement, 'BillingSpecifiedPeriod')),
    payment: all(settlement, 'SpecifiedTradeSettlementPaymentMeans').map((means) =>
      paymentOf(means, textAt(settlement, 'PaymentReference')),
    ),
    adjustments: all(settlement, 'SpecifiedTradeAllowanceCharge').map(adjustmentOf),
    totals: totalsOf(one(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation'), currency),
    taxes: all(settlement, 'ApplicableTradeTax').map(taxOf),
    withheld: [],
    attachments: all(agreement, 'AdditionalReferencedDocument').map(attachmentOf),
    lines: all(trade, 'IncludedSupplyChainTradeLineItem').map(lineOf),
  };
}

/** A day such as `20261006` (UNTDID 2379, 102) in the usual form; in any other form unchanged. */
function dayAt(element: Element | null, path: string): string | null {
  const text = textAt(element, `${path}/DateTimeString`) ?? textAt(element, `${path}/DateString`);
  return text === null ? null : text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
}

function attachmentOf(reference: Element): ReadInvoice['attachments'][number] {
  const embedded = one(reference, 'AttachmentBinaryObject');
  return {
    reference: textAt(reference, 'IssuerAssignedID'),
    description: textAt(reference, 'Name'),
    url: textAt(reference, 'URIID'),
    filename: embedded?.attributes.get('filename') ?? null,
    mediaType: embedded?.attributes.get('mimeCode') ?? null,
  };
}

function identifierOf(element: Element | null): ReadIdentifier | null {
  if (element === null || element.text === '') return null;
  return { id: element.text, scheme: element.attributes.get('schemeID') ?? null };
}

function partyOf(party: Element | null): ReadParty {
  const registered = (scheme: string) =>
    all(party, 'SpecifiedTaxRegistration/ID').find(({ attributes }) => attributes.get('schemeID') === scheme);
  return {
    name: textAt(party, 'Name'),
    vatId: registered('VA')?.text || null,
    taxRegistration: registered('FC')?.text || null,
    legalId: identifierOf(one(party, 'SpecifiedLegalOrganization/ID')),
    identifiers: [...all(party, 'ID'), ...all(party, 'GlobalID')].flatMap((id) => identifierOf(id) ?? []),
    electronicAddress: identifierOf(one(party, 'URIUniversalCommunication/URIID')),
    address: addressOf(one(party, 'PostalTradeAddress')),
  };
}

function addressOf(address: Element | null): ReadAddress | null {
  if (address === null) return null;
  return {
    lines: ['LineOne', 'LineTwo', 'LineThree'].flatMap((name) => textAt(address, name) ?? []),
    postalCode: textAt(address, 'PostcodeCode'),
    city: textAt(address, 'CityName'),
    region: textAt(address, 'CountrySubDivisionName'),
    country: textAt(address, 'CountryID'),
  };
}

function periodOf(period: Element | null): ReadPeriod | null {
  const [from, to] = [dayAt(period, 'StartDateTime'), dayAt(period, 'EndDateTime')];
  return from === null && to === null ? null : { from, to };
}

function paymentOf(means: Element, remittance: string | null): ReadPayment {
  const account = one(means, 'PayeePartyCreditorFinancialAccount');
  return {
    code: textAt(means, 'TypeCode'),
    text: textAt(means, 'Information'),
    remittance,
    account: textAt(account, 'IBANID') ?? textAt(account, 'ProprietaryID'),
    dueOn: null,
    amount: null,
  };
}

function adjustmentOf(element: Element): ReadAdjustment {
  return {
    isCharge: textAt(element, 'ChargeIndicator/Indicator') === 'true',
    amount: textAt(element, 'ActualAmount'),
    base: textAt(element, 'BasisAmount'),
    percentage: textAt(element, 'CalculationPercent'),
    reason: textAt(element, 'Reason'),
    reasonCode: textAt(element, 'ReasonCode'),
    category: textAt(element, 'CategoryTradeTax/CategoryCode'),
    rate: textAt(element, 'CategoryTradeTax/RateApplicablePercent'),
  };
}

function totalsOf(totals: Element | null, currency: string | null): ReadTotals {
  const vats = all(totals, 'TaxTotalAmount');
  // A second one states the VAT in the accounting currency (BT-111).
  const vat = vats.find(({ attributes }) => attributes.get('currencyID') === currency) ?? vats[0];
  return {
    lines: textAt(totals, 'LineTotalAmount'),
    allowances: textAt(totals, 'AllowanceTotalAmount'),
    charges: textAt(totals, 'ChargeTotalAmount'),
    withoutVat: textAt(totals, 'TaxBasisTotalAmount'),
    vat: vat?.text || null,
    withVat: textAt(totals, 'GrandTotalAmount'),
    paid: textAt(totals, 'TotalPrepaidAmount'),
    rounding: textAt(totals, 'RoundingAmount'),
    withheld: null,
    due: textAt(totals, 'DuePayableAmount'),
  };
}

function taxOf(tax: Element): ReadTax {
  return {
    category: textAt(tax, 'CategoryCode'),
    rate: textAt(tax, 'RateApplicablePercent'),
    base: textAt(tax, 'BasisAmount'),
    tax: textAt(tax, 'CalculatedAmount'),
    surcharge: null,
    reason: textAt(tax, 'ExemptionReason'),
    reasonCode: textAt(tax, 'ExemptionReasonCode'),
  };
}

function lineOf(line: Element): ReadLine {
  const product = one(line, 'SpecifiedTradeProduct');
  const settlement = one(line, 'SpecifiedLineTradeSettlement');
  const net = one(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice');
  const quantity = one(line, 'SpecifiedLineTradeDelivery/BilledQuantity');
  return {
    id: textAt(line, 'AssociatedDocumentLineDocument/LineID'),
    quantity: quantity?.text || null,
    unit: quantity?.attributes.get('unitCode') ?? null,
    amount: textAt(settlement, 'SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount'),
    price: textAt(net, 'ChargeAmount'),
    grossPrice: textAt(line, 'SpecifiedLineTradeAgreement/GrossPriceProductTradePrice/ChargeAmount'),
    priceQuantity: textAt(net, 'BasisQuantity'),
    category: textAt(settlement, 'ApplicableTradeTax/CategoryCode'),
    rate: textAt(settlement, 'ApplicableTradeTax/RateApplicablePercent'),
    name: textAt(product, 'Name'),
    description: textAt(product, 'Description'),
    sku: textAt(product, 'SellerAssignedID'),
    period: periodOf(one(settlement, 'BillingSpecifiedPeriod')),
    adjustments: all(settlement, 'SpecifiedTradeAllowanceCharge').map(adjustmentOf),
  };
}
