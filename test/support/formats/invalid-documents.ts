import type { ReadSyntax } from '../../../packages/reader/src/read-file.ts';
import type { InvoiceContent } from '../../../src/subjects/documents/content.ts';
import { contentLine, invoiceContent } from '../documents/invoice-content.ts';

/** A document that breaks one rule, made of one that breaks none. */
export type InvalidDocument = {
  /** The rule's number, or `schema`. */
  readonly rule: string;
  readonly what: string;
  readonly syntax: Exclude<ReadSyntax, 'facturae'>;
  readonly given: Partial<InvoiceContent>;
  readonly edit: (document: string) => string;
};

type Edit = InvalidDocument['edit'];

/** Without the elements of that name, with all that is in them; `at` takes one of them, from 0. */
const without =
  (name: string, at: number | null = null): Edit =>
  (document) => {
    let seen = -1;
    const element = new RegExp(`[ ]*<${name}(?=[ >])[^>]*>(?:(?!<${name}[ >])[^])*?</${name}>\\n`, 'g');
    return document.replace(element, (found) => {
      seen += 1;
      return at === null || at === seen ? '' : found;
    });
  };

/** With another text, or attribute, at its first place, or at that one from 0. */
const instead =
  (before: string, after: string, at = 0): Edit =>
  (document) => {
    const parts = document.split(before);
    return parts.slice(0, at + 1).join(before) + after + parts.slice(at + 1).join(before);
  };

const inTurn =
  (...edits: Edit[]): Edit =>
  (document) =>
    edits.reduce((changed, edit) => edit(changed), document);

const bearing = (type: string): Partial<InvoiceContent> => ({
  lines: [contentLine('A', 10_000, { taxes: [{ type, name: type, rate: 0 }] })],
});
const { recipient } = invoiceContent();
const supply: Partial<InvoiceContent> = {
  ...bearing('eu_b2b'),
  recipient: { ...recipient!, taxId: 'DE123456789', taxIdType: 'eu_vat', taxIdCountry: 'DE', country: 'DE' },
};

const ubl = (
  rule: string,
  what: string,
  edit: Edit,
  given: Partial<InvoiceContent> = {},
): InvalidDocument => ({
  ...{ rule, what, syntax: 'ubl', given, edit },
});
const cii = (rule: string, what: string, edit: Edit): InvalidDocument => ({
  ...{ rule, what, syntax: 'cii', given: {}, edit },
});

/** A check that finds nothing proves nothing: each of these it must find. Amounts are 100.00 and 21.00. */
export const INVALID_DOCUMENTS: readonly InvalidDocument[] = [
  ubl('schema', 'an element that there is not', instead('<cbc:IssueDate>', '<cbc:Issued/><cbc:IssueDate>')),
  ubl('schema', 'a day that does not exist', instead('2026-07-01', '2026-02-30')),
  ubl('BR-01', 'no specification', without('cbc:CustomizationID')),
  ubl('BR-02', 'no number', without('cbc:ID', 0)),
  ubl('BR-03', 'no day', without('cbc:IssueDate')),
  ubl('BR-04', 'no type', without('cbc:InvoiceTypeCode')),
  ubl('BR-05', 'no currency', without('cbc:DocumentCurrencyCode')),
  ubl('BR-06', 'no name of the seller', without('cbc:RegistrationName', 0)),
  ubl('BR-07', 'no name of the buyer', without('cbc:RegistrationName', 1)),
  ubl('BR-08', 'no address of the seller', without('cac:PostalAddress', 0)),
  ubl('BR-09', 'no country of the seller', without('cac:Country', 0)),
  ubl('BR-10', 'no address of the buyer', without('cac:PostalAddress', 1)),
  ubl('BR-11', 'no country of the buyer', without('cac:Country', 1)),
  ubl('BR-12', 'no sum of the lines', without('cbc:LineExtensionAmount', 0)),
  ubl('BR-13', 'no total without VAT', without('cbc:TaxExclusiveAmount')),
  ubl('BR-14', 'no total with VAT', without('cbc:TaxInclusiveAmount')),
  ubl('BR-15', 'no amount due', without('cbc:PayableAmount')),
  ubl('BR-16', 'no line', without('cac:InvoiceLine')),
  ubl(
    'BR-21',
    'a line without number',
    instead('<cac:InvoiceLine>\n  <cbc:ID>1</cbc:ID>', '<cac:InvoiceLine>'),
  ),
  ubl('BR-22', 'a line without quantity', without('cbc:InvoicedQuantity')),
  ubl('BR-23', 'a quantity without unit', instead(' unitCode="C62"', '')),
  ubl('BR-24', 'a line without amount', without('cbc:LineExtensionAmount', 1)),
  ubl('BR-25', 'an item without name', without('cbc:Name', 1)),
  ubl('BR-26', 'a line without price', without('cbc:PriceAmount')),
  ubl(
    'BR-27',
    'a negative price',
    instead('<cbc:PriceAmount currencyID="EUR">100.00', '<cbc:PriceAmount currencyID="EUR">-100.00'),
  ),
  ubl(
    'BR-CO-10',
    'another sum of the lines',
    instead(
      '<cbc:LineExtensionAmount currencyID="EUR">100.00',
      '<cbc:LineExtensionAmount currencyID="EUR">100.01',
    ),
  ),
  ubl(
    'BR-CO-13',
    'another total without VAT',
    instead(
      '<cbc:TaxExclusiveAmount currencyID="EUR">100.00',
      '<cbc:TaxExclusiveAmount currencyID="EUR">99.99',
    ),
  ),
  ubl(
    'BR-CO-14',
    'another total of VAT',
    instead('<cbc:TaxAmount currencyID="EUR">21.00', '<cbc:TaxAmount currencyID="EUR">21.01'),
  ),
  ubl(
    'BR-CO-15',
    'another total with VAT',
    instead(
      '<cbc:TaxInclusiveAmount currencyID="EUR">121.00',
      '<cbc:TaxInclusiveAmount currencyID="EUR">121.01',
    ),
  ),
  ubl(
    'BR-CO-16',
    'another amount due',
    instead('<cbc:PayableAmount currencyID="EUR">121.00', '<cbc:PayableAmount currencyID="EUR">121.01'),
  ),
  ubl(
    'BR-CO-17',
    'VAT that is not of its rate',
    instead('<cbc:TaxAmount currencyID="EUR">21.00', '<cbc:TaxAmount currencyID="EUR">22.00', 1),
  ),
  ubl('BR-CO-18', 'no VAT breakdown', without('cac:TaxSubtotal')),
  ubl(
    'BR-CO-26',
    'a seller whom nothing identifies',
    inTurn(without('cac:PartyTaxScheme', 0), without('cbc:CompanyID', 0)),
  ),
  ubl('BR-S-02', 'a seller without VAT number', without('cac:PartyTaxScheme', 0)),
  ubl('BR-S-05', 'a line at no rate', instead('<cbc:Percent>21', '<cbc:Percent>0', 1)),
  ubl(
    'BR-S-08',
    'another taxable amount',
    instead('<cbc:TaxableAmount currencyID="EUR">100.00', '<cbc:TaxableAmount currencyID="EUR">102.00'),
  ),
  ubl('BR-E-10', 'an exemption without reason', without('cbc:TaxExemptionReason'), bearing('es_exempt')),
  ubl(
    'BR-AE-10',
    'reverse charge without reason',
    inTurn(without('cbc:TaxExemptionReason'), without('cbc:TaxExemptionReasonCode')),
    bearing('es_inversion_sujeto_pasivo'),
  ),
  ubl('BR-IC-11', 'a supply to another state without day', without('cbc:ActualDeliveryDate'), supply),
  ubl('BR-IC-12', 'a supply to no state', without('cac:DeliveryLocation'), supply),
  ubl(
    'BR-O-02',
    'a VAT number where nothing is subject',
    instead(
      '<cac:PartyLegalEntity>',
      '<cac:PartyTaxScheme><cbc:CompanyID>ESB72877814</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity>',
    ),
    bearing('es_non_taxable'),
  ),
  ubl(
    'BR-CL-01',
    'a type that there is not',
    instead('<cbc:InvoiceTypeCode>380', '<cbc:InvoiceTypeCode>999'),
  ),
  ubl(
    'BR-CL-14',
    'a country that there is not',
    instead('<cbc:IdentificationCode>ES', '<cbc:IdentificationCode>E1'),
  ),
  ubl('BR-CL-23', 'a unit that there is not', instead('unitCode="C62"', 'unitCode="ONE"')),
  ubl('BR-CL-25', 'an address of no scheme', instead('schemeID="9920"', 'schemeID="9999"')),
  ubl(
    'BR-DEC-09',
    'a tenth of a cent',
    instead(
      '<cbc:LineExtensionAmount currencyID="EUR">100.00',
      '<cbc:LineExtensionAmount currencyID="EUR">100.001',
    ),
  ),
  cii('schema', 'an element that there is not', instead('<ram:TypeCode>380', '<ram:Type/><ram:TypeCode>380')),
  cii('BR-01', 'no specification', without('ram:GuidelineSpecifiedDocumentContextParameter')),
  cii('BR-02', 'no number', without('ram:ID', 1)),
  cii('BR-03', 'no day', without('ram:IssueDateTime')),
  cii('BR-04', 'no type', without('ram:TypeCode', 0)),
  cii('BR-06', 'no name of the seller', without('ram:Name', 1)),
  cii('BR-08', 'no address of the seller', without('ram:PostalTradeAddress', 0)),
  cii('BR-09', 'no country of the seller', without('ram:CountryID', 0)),
  cii('BR-10', 'no address of the buyer', without('ram:PostalTradeAddress', 1)),
  cii('BR-11', 'no country of the buyer', without('ram:CountryID', 1)),
  cii('BR-12', 'no sum of the lines', without('ram:LineTotalAmount', 1)),
  cii('BR-13', 'no total without VAT', without('ram:TaxBasisTotalAmount')),
  cii('BR-14', 'no total with VAT', without('ram:GrandTotalAmount')),
  cii('BR-15', 'no amount due', without('ram:DuePayableAmount')),
  cii('BR-21', 'a line without number', without('ram:LineID')),
  cii('BR-22', 'a line without quantity', without('ram:BilledQuantity')),
  cii('BR-23', 'a quantity without unit', instead(' unitCode="C62"', '')),
  cii('BR-24', 'a line without amount', without('ram:LineTotalAmount', 0)),
  cii('BR-25', 'an item without name', without('ram:Name', 0)),
  cii('BR-26', 'a line without price', without('ram:NetPriceProductTradePrice')),
  cii('BR-07', 'no name of the buyer', without('ram:Name', 2)),
  cii('BR-16', 'no line', without('ram:IncludedSupplyChainTradeLineItem')),
  cii('BR-27', 'a negative price', instead('<ram:ChargeAmount>100.00', '<ram:ChargeAmount>-100.00')),
  cii(
    'BR-CO-10',
    'another sum of the lines',
    instead('<ram:LineTotalAmount>100.00', '<ram:LineTotalAmount>100.01', 1),
  ),
  cii(
    'BR-CO-15',
    'another total with VAT',
    instead('<ram:GrandTotalAmount>121.00', '<ram:GrandTotalAmount>121.01'),
  ),
  cii(
    'BR-CO-13',
    'another total without VAT',
    instead('<ram:TaxBasisTotalAmount>100.00', '<ram:TaxBasisTotalAmount>99.99'),
  ),
  cii(
    'BR-CO-14',
    'another total of VAT',
    instead('<ram:TaxTotalAmount currencyID="EUR">21.00', '<ram:TaxTotalAmount currencyID="EUR">21.01'),
  ),
  cii(
    'BR-CO-16',
    'another amount due',
    instead('<ram:DuePayableAmount>121.00', '<ram:DuePayableAmount>121.01'),
  ),
  cii('BR-CO-18', 'no VAT breakdown', without('ram:ApplicableTradeTax', 1)),
  cii('BR-S-02', 'a seller without VAT number', without('ram:SpecifiedTaxRegistration', 0)),
  cii('BR-S-08', 'another taxable amount', instead('<ram:BasisAmount>100.00', '<ram:BasisAmount>102.00')),
  cii('BR-CL-01', 'a type that there is not', instead('<ram:TypeCode>380', '<ram:TypeCode>999')),
  cii('BR-CL-14', 'a country that there is not', instead('<ram:CountryID>ES', '<ram:CountryID>E1')),
  cii(
    'BR-DEC-09',
    'a tenth of a cent',
    instead('<ram:LineTotalAmount>100.00', '<ram:LineTotalAmount>100.001', 1),
  ),
  cii(
    'BR-CO-17',
    'VAT that is not of its rate',
    instead('<ram:CalculatedAmount>21.00', '<ram:CalculatedAmount>23.00'),
  ),
  cii('BR-05', 'no currency', without('ram:InvoiceCurrencyCode')),
  cii('BR-CL-23', 'a unit that there is not', instead('unitCode="C62"', 'unitCode="ONE"')),
];
