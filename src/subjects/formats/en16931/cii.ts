import type { Outcome } from '../../../ground/errors/refusal.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { decimalAmount, decimalRate } from '../../../ground/lib/money.ts';
import { notApplicable } from '../format.ts';
import { compactDay, optional, text, when, type XmlChildren, xmlDocument } from '../xml.ts';
import type {
  Charge,
  Party,
  PaymentMeans,
  SemanticInvoice,
  SemanticLine,
  VatCategory,
  VatGroup,
} from './terms.ts';
import { EN_16931 } from './ubl.ts';

/** The name of the syntax in refusals. */
const SYNTAX = 'CII D16B';

/**
 * The invoice as a Cross Industry Invoice of UN/CEFACT, D16B, as CEN/TS 16931-3-3 maps the standard's terms to it.
 * Elements are in the order of the schema. Refuses more than one preceding invoice (BT-25), because D16B allows
 * one, and IGIC without a rate (BT-152), because CEN's rules for this syntax do, unlike those for UBL.
 */
export function ciiOf(invoice: SemanticInvoice, specification: string = EN_16931): Outcome<Buffer> {
  const { length } = invoice.precedingInvoices;
  if (length > 1) {
    return notApplicable(
      SYNTAX,
      'BT-25',
      `the invoice names ${length} preceding invoices, and the syntax holds one`,
    );
  }
  if (invoice.lines.some(({ category }) => category.code === 'L' && category.rate === 0)) {
    return notApplicable(
      SYNTAX,
      'BT-152',
      'its rules refuse a line under IGIC at no rate (BR-AF-05), which those of UBL take',
    );
  }
  return xmlDocument({
    'rsm:CrossIndustryInvoice': {
      '@xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
      '@xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
      '@xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
      '@xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
      'rsm:ExchangedDocumentContext': {
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': specification },
      },
      'rsm:ExchangedDocument': {
        'ram:ID': text(invoice.number),
        'ram:TypeCode': invoice.typeCode,
        'ram:IssueDateTime': dateTime(invoice.issuedOn),
        'ram:IncludedNote': invoice.notes.map((note) => ({ 'ram:Content': text(note) })),
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': invoice.lines.map(lineOf),
        'ram:ApplicableHeaderTradeAgreement': agreementOf(invoice),
        'ram:ApplicableHeaderTradeDelivery': deliveryOf(invoice),
        'ram:ApplicableHeaderTradeSettlement': settlementOf(invoice),
      },
    },
  });
}

/** UNTDID 2379: a day as `20261006`. */
const DAY = '102';

function dateTime(day: Day): XmlChildren {
  return { 'udt:DateTimeString': { '#text': compactDay(day), '@format': DAY } };
}

function lineOf(line: SemanticLine): XmlChildren {
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': line.id },
    'ram:SpecifiedTradeProduct': {
      'ram:SellerAssignedID': optional(line.sku),
      'ram:Name': text(line.name),
    },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': {
        'ram:ChargeAmount': line.price,
        'ram:BasisQuantity': when(line.priceQuantity, (of) => ({ '#text': of, '@unitCode': line.unit })),
      },
    },
    'ram:SpecifiedLineTradeDelivery': {
      'ram:BilledQuantity': { '#text': line.quantity, '@unitCode': line.unit },
    },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': categoryOf(line.category),
      'ram:SpecifiedTradeSettlementLineMonetarySummation': {
        'ram:LineTotalAmount': decimalAmount(line.amount),
      },
    },
  };
}

function categoryOf({ code, rate }: VatCategory): XmlChildren {
  return {
    'ram:TypeCode': 'VAT',
    'ram:CategoryCode': code,
    'ram:RateApplicablePercent': rate === null ? undefined : decimalRate(rate),
  };
}

/** UNTDID 1001, 916: a document that supports the invoice. */
const SUPPORTING = '916';

function agreementOf(invoice: SemanticInvoice): XmlChildren {
  const reference = (id: string): XmlChildren => ({ 'ram:IssuerAssignedID': text(id) });
  return {
    'ram:BuyerReference': optional(invoice.buyerReference),
    'ram:SellerTradeParty': partyOf(invoice.seller),
    'ram:BuyerTradeParty': partyOf(invoice.buyer),
    'ram:BuyerOrderReferencedDocument': when(invoice.purchaseOrder, reference),
    'ram:ContractReferencedDocument': when(invoice.contract, reference),
    'ram:AdditionalReferencedDocument': invoice.attachments.map(({ reference: id, url, description }) => ({
      ...reference(id),
      'ram:URIID': text(url),
      'ram:TypeCode': SUPPORTING,
      'ram:Name': description,
    })),
    'ram:SpecifiedProcuringProject': when(invoice.project, (id) => ({
      'ram:ID': text(id),
      // The schema requires a name, for which the standard has no term.
      'ram:Name': text(id),
    })),
  };
}

function partyOf(party: Party): XmlChildren {
  const { identifier, legalId, electronicAddress, vatId, taxRegistration, address } = party;
  const registrations: XmlChildren[] = [];
  if (vatId !== null) registrations.push({ 'ram:ID': { '#text': vatId, '@schemeID': 'VA' } });
  if (taxRegistration !== null)
    registrations.push({ 'ram:ID': { '#text': taxRegistration, '@schemeID': 'FC' } });
  return {
    'ram:ID': identifier === null ? undefined : text(identifier.id),
    'ram:Name': text(party.name),
    'ram:SpecifiedLegalOrganization': when(legalId, ({ id, scheme }) => ({
      'ram:ID': { '#text': id, '@schemeID': scheme ?? undefined },
    })),
    'ram:DefinedTradeContact': when(party.contact, (name) => ({ 'ram:PersonName': text(name) })),
    'ram:PostalTradeAddress': {
      'ram:PostcodeCode': optional(address.postalCode),
      'ram:LineOne': optional(address.line1),
      'ram:LineTwo': optional(address.line2),
      'ram:CityName': optional(address.city),
      'ram:CountryID': address.country,
    },
    'ram:URIUniversalCommunication': when(electronicAddress, ({ id, scheme }) => ({
      'ram:URIID': { '#text': id, '@schemeID': scheme },
    })),
    'ram:SpecifiedTaxRegistration': registrations,
  };
}

function deliveryOf({ deliveredOn, deliveredTo }: SemanticInvoice): XmlChildren {
  return {
    'ram:ShipToTradeParty': when(deliveredTo, (country) => ({
      'ram:PostalTradeAddress': { 'ram:CountryID': country },
    })),
    'ram:ActualDeliverySupplyChainEvent': when(deliveredOn, (day) => ({
      'ram:OccurrenceDateTime': dateTime(day),
    })),
  };
}

/** BT-8 in CII: UNTDID 2475, date of payment. */
const DUE_ON_PAYMENT = '72';

function settlementOf(invoice: SemanticInvoice): XmlChildren {
  const { currency, period, paymentMeans, paymentTerms, dueOn, totals, charges, vatBreakdown } = invoice;
  const [preceding] = invoice.precedingInvoices;
  return {
    'ram:PaymentReference': optional(paymentMeans?.remittance ?? null),
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': when(paymentMeans, paymentMeansOf),
    'ram:ApplicableTradeTax': vatBreakdown.map((group) => vatGroupOf(group, invoice.isTaxDueOnPayment)),
    'ram:BillingSpecifiedPeriod': when(period, ({ from, to }) => ({
      'ram:StartDateTime': dateTime(from),
      'ram:EndDateTime': dateTime(to),
    })),
    'ram:SpecifiedTradeAllowanceCharge': charges.map(chargeOf),
    'ram:SpecifiedTradePaymentTerms': {
      'ram:Description': text(paymentTerms),
      'ram:DueDateDateTime': when(dueOn, dateTime),
    },
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': {
      'ram:LineTotalAmount': decimalAmount(totals.lines),
      'ram:ChargeTotalAmount': charges.length === 0 ? undefined : decimalAmount(totals.charges),
      'ram:TaxBasisTotalAmount': decimalAmount(totals.withoutVat),
      'ram:TaxTotalAmount': { '#text': decimalAmount(totals.vat), '@currencyID': currency },
      'ram:GrandTotalAmount': decimalAmount(totals.withVat),
      'ram:TotalPrepaidAmount': totals.paid === 0 ? undefined : decimalAmount(totals.paid),
      'ram:DuePayableAmount': decimalAmount(totals.due),
    },
    'ram:InvoiceReferencedDocument': when(preceding ?? null, ({ number, issuedOn }) => ({
      'ram:IssuerAssignedID': text(number),
      'ram:FormattedIssueDateTime': {
        'qdt:DateTimeString': { '#text': compactDay(issuedOn), '@format': DAY },
      },
    })),
  };
}

function paymentMeansOf({ code, text: name, iban, debitedIban }: PaymentMeans): XmlChildren {
  return {
    'ram:TypeCode': code,
    'ram:Information': name,
    'ram:PayerPartyDebtorFinancialAccount': when(debitedIban, (id) => ({ 'ram:IBANID': id })),
    'ram:PayeePartyCreditorFinancialAccount': when(iban, (id) => ({ 'ram:IBANID': id })),
  };
}

function vatGroupOf(
  { base, tax, category, reason, reasonCode }: VatGroup,
  isDueOnPayment: boolean,
): XmlChildren {
  const { code, rate } = category;
  return {
    'ram:CalculatedAmount': decimalAmount(tax),
    'ram:TypeCode': 'VAT',
    'ram:ExemptionReason': optional(reason),
    'ram:BasisAmount': decimalAmount(base),
    'ram:CategoryCode': code,
    'ram:ExemptionReasonCode': reasonCode ?? undefined,
    'ram:DueDateTypeCode': isDueOnPayment ? DUE_ON_PAYMENT : undefined,
    'ram:RateApplicablePercent': rate === null ? undefined : decimalRate(rate),
  };
}

function chargeOf({ amount, base, percentage, category, reason }: Charge): XmlChildren {
  return {
    'ram:ChargeIndicator': { 'udt:Indicator': 'true' },
    'ram:CalculationPercent': decimalRate(percentage),
    'ram:BasisAmount': decimalAmount(base),
    'ram:ActualAmount': decimalAmount(amount),
    'ram:Reason': reason,
    'ram:CategoryTradeTax': categoryOf(category),
  };
}
