import type { ReadAddress, ReadAdjustment, ReadInvoice, ReadLine, ReadParty, ReadTax } from '../invoice.ts';
import { all, type Element, one, textAt } from '../xml-tree.ts';

/** Versions of the format by the namespace of the root; the elements that are read are the same in all. */
export const FACTURAE_ROOTS: ReadonlyMap<string, string> = new Map([
  ['http://www.facturae.es/Facturae/2007/v3.1/Facturae', '3.1'],
  ['http://www.facturae.es/Facturae/2009/v3.2/Facturae', '3.2'],
  ['http://www.facturae.es/Facturae/2014/v3.2.1/Facturae', '3.2.1'],
  ['http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_1.xml', '3.2.1'],
  ['http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml', '3.2.2'],
]);

/** Descendants of the root are in no namespace; the signature and extensions are not read. */
export const FACTURAE_NAMESPACES: ReadonlySet<string> = new Set(['']);

/** The totals of the file for all its invoices. */
export type FacturaeBatch = {
  readonly modality: string | null;
  readonly count: string | null;
  /** TotalInvoicesAmount, TotalOutstandingAmount */
  readonly total: string | null;
  readonly outstanding: string | null;
};

export function readBatch(root: Element): FacturaeBatch {
  const batch = one(root, 'FileHeader/Batch');
  return {
    modality: textAt(root, 'FileHeader/Modality'),
    count: textAt(batch, 'InvoicesCount'),
    total: textAt(batch, 'TotalInvoicesAmount/TotalAmount'),
    outstanding: textAt(batch, 'TotalOutstandingAmount/TotalAmount'),
  };
}

/** The invoices of a Facturae file, which may contain several between the same parties. */
export function readFacturae(root: Element, version: string): ReadInvoice[] {
  const seller = partyOf(one(root, 'Parties/SellerParty'));
  const buyer = partyOf(one(root, 'Parties/BuyerParty'));
  return all(root, 'Invoices/Invoice').map((invoice) => {
    return { ...invoiceOf(invoice, version), seller, buyer };
  });
}

function invoiceOf(invoice: Element, version: string): Omit<ReadInvoice, 'seller' | 'buyer'> {
  const header = one(invoice, 'InvoiceHeader');
  const issue = one(invoice, 'InvoiceIssueData');
  const corrective = one(header, 'Corrective');
  const series = textAt(header, 'InvoiceSeriesCode') ?? '';
  const number = textAt(header, 'InvoiceNumber');
  const payment = all(invoice, 'PaymentDetails/Installment').map((each) => ({
    code: textAt(each, 'PaymentMeans'),
    text: null,
    remittance: textAt(each, 'PaymentReconciliationReference'),
    account: textAt(each, 'AccountToBeCredited/IBAN') ?? textAt(each, 'AccountToBeCredited/AccountNumber'),
    dueOn: textAt(each, 'InstallmentDueDate'),
    amount: textAt(each, 'InstallmentAmount'),
  }));
  return {
    specification: `Facturae ${version}`,
    number: number === null ? null : `${series}${number}`,
    issuedOn: textAt(issue, 'IssueDate'),
    typeCode: textAt(header, 'InvoiceClass'),
    isCreditNote: false,
    currency: textAt(issue, 'InvoiceCurrencyCode'),
    dueOn: payment[0]?.dueOn ?? null,
    paymentTerms: textAt(invoice, 'PaymentDetails/Installment/CollectionAdditionalInformation'),
    references: {
      buyerReference: null,
      project: textAt(invoice, 'Items/InvoiceLine/FileReference'),
      contract: textAt(invoice, 'Items/InvoiceLine/IssuerContractReference'),
      purchaseOrder: textAt(invoice, 'Items/InvoiceLine/IssuerTransactionReference'),
    },
    notes: [
      ...all(invoice, 'LegalLiterals/LegalReference').map(({ text }) => text),
      ...all(invoice, 'AdditionalData/InvoiceAdditionalInformation').map(({ text }) => text),
    ],
    preceding:
      corrective === null
        ? []
        : [
            {
              number: `${textAt(corrective, 'InvoiceSeriesCode') ?? ''}${textAt(corrective, 'InvoiceNumber') ?? ''}`,
              issuedOn: textAt(corrective, 'InvoiceIssueDate'),
            },
          ],
    delivery: { on: textAt(issue, 'OperationDate'), country: null },
    period: periodOf(one(issue, 'InvoicingPeriod')),
    payment,
    ...amountsOf(invoice),
    lines: all(invoice, 'Items/InvoiceLine').map(lineOf),
  };
}

function amountsOf(
  invoice: Element,
): Pick<ReadInvoice, 'adjustments' | 'totals' | 'taxes' | 'withheld' | 'attachments'> {
  const totals = one(invoice, 'InvoiceTotals');
  return {
    adjustments: [
      ...all(totals, 'GeneralDiscounts/Discount').map((adjustment) => adjustmentOf(adjustment, 'Discount')),
      ...all(totals, 'GeneralSurcharges/Charge').map((adjustment) => adjustmentOf(adjustment, 'Charge')),
    ],
    totals: {
      lines: textAt(totals, 'TotalGrossAmount'),
      allowances: textAt(totals, 'TotalGeneralDiscounts'),
      charges: textAt(totals, 'TotalGeneralSurcharges'),
      withoutVat: textAt(totals, 'TotalGrossAmountBeforeTaxes'),
      vat: textAt(totals, 'TotalTaxOutputs'),
      withVat: textAt(totals, 'InvoiceTotal'),
      paid: textAt(totals, 'TotalPaymentsOnAccount'),
      rounding: null,
      withheld: textAt(totals, 'TotalTaxesWithheld'),
      due: textAt(totals, 'TotalOutstandingAmount'),
    },
    taxes: all(invoice, 'TaxesOutputs/Tax').map(taxOf),
    withheld: all(invoice, 'TaxesWithheld/Tax').map(taxOf),
    attachments: all(invoice, 'AdditionalData/RelatedDocuments/Attachment').map((attachment) => ({
      reference: null,
      description: textAt(attachment, 'AttachmentDescription'),
      url: null,
      filename: null,
      mediaType: textAt(attachment, 'AttachmentFormat'),
    })),
  };
}

function periodOf(period: Element | null): ReadInvoice['period'] {
  if (period === null) return null;
  return { from: textAt(period, 'StartDate'), to: textAt(period, 'EndDate') };
}

function partyOf(party: Element | null): ReadParty {
  const [legal, person] = [one(party, 'LegalEntity'), one(party, 'Individual')];
  const names = ['Name', 'FirstSurname', 'SecondSurname'].flatMap((name) => textAt(person, name) ?? []);
  const centres = all(party, 'AdministrativeCentres/AdministrativeCentre');
  return {
    name: textAt(legal, 'CorporateName') ?? (names.length === 0 ? null : names.join(' ')),
    vatId: textAt(party, 'TaxIdentification/TaxIdentificationNumber'),
    taxRegistration: null,
    legalId: null,
    identifiers: centres.flatMap((centre) => {
      const id = textAt(centre, 'CentreCode');
      return id === null ? [] : [{ id, scheme: `DIR3 ${textAt(centre, 'RoleTypeCode') ?? ''}`.trim() }];
    }),
    electronicAddress: null,
    address: addressOf(legal ?? person),
  };
}

function addressOf(party: Element | null): ReadAddress | null {
  const spanish = one(party, 'AddressInSpain');
  const address = spanish ?? one(party, 'OverseasAddress');
  if (address === null) return null;
  return {
    lines: [textAt(address, 'Address') ?? ''].filter((line) => line !== ''),
    postalCode: textAt(address, 'PostCode'),
    city: textAt(address, 'Town') ?? textAt(address, 'PostCodeAndTown'),
    region: textAt(address, 'Province'),
    country: textAt(address, 'CountryCode'),
  };
}

function adjustmentOf(element: Element, kind: 'Discount' | 'Charge'): ReadAdjustment {
  return {
    isCharge: kind === 'Charge',
    amount: textAt(element, `${kind}Amount`),
    base: null,
    percentage: textAt(element, `${kind}Rate`),
    reason: textAt(element, `${kind}Reason`),
    reasonCode: null,
    category: null,
    rate: null,
  };
}

function taxOf(tax: Element): ReadTax {
  const surcharge = textAt(tax, 'EquivalenceSurchargeAmount/TotalAmount');
  return {
    category: textAt(tax, 'TaxTypeCode'),
    rate: textAt(tax, 'TaxRate'),
    base: textAt(tax, 'TaxableBase/TotalAmount'),
    tax: textAt(tax, 'TaxAmount/TotalAmount'),
    surcharge: surcharge === null ? null : { rate: textAt(tax, 'EquivalenceSurcharge'), tax: surcharge },
    reason: null,
    reasonCode: null,
  };
}

function lineOf(line: Element): ReadLine {
  const tax = one(line, 'TaxesOutputs/Tax');
  return {
    id: textAt(line, 'SequenceNumber'),
    quantity: textAt(line, 'Quantity'),
    unit: textAt(line, 'UnitOfMeasure'),
    amount: textAt(line, 'GrossAmount'),
    price: textAt(line, 'UnitPriceWithoutTax'),
    grossPrice: null,
    priceQuantity: null,
    category: textAt(tax, 'TaxTypeCode'),
    rate: textAt(tax, 'TaxRate'),
    name: textAt(line, 'ItemDescription'),
    description: textAt(line, 'AdditionalLineItemInformation'),
    sku: textAt(line, 'ArticleCode'),
    period: periodOf(one(line, 'LineItemPeriod')),
    adjustments: [
      ...all(line, 'DiscountsAndRebates/Discount').map((adjustment) => adjustmentOf(adjustment, 'Discount')),
      ...all(line, 'Charges/Charge').map((adjustment) => adjustmentOf(adjustment, 'Charge')),
    ],
  };
}
