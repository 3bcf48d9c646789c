import type { Texts } from './texts.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** English for readers in Europe and America: dates are written so that day and month cannot be confused. */
export const en: Texts = {
  locale: 'en-GB',
  figures: {
    decimal: '.',
    group: ',',
    percent: (number) => `${number}%`,
    money: (sign, figure, currency) =>
      currency.length === 1 ? `${sign}${currency}${figure}` : `${sign}${currency}\u00a0${figure}`,
    date: (year, month, day) => `${Number(day)}\u00a0${MONTHS[Number(month) - 1]}\u00a0${year}`,
  },
  law: {
    title: {
      complete: 'Invoice',
      simplified: 'Simplified invoice',
      rectifyingComplete: 'Corrective invoice',
      rectifyingSimplified: 'Simplified corrective invoice',
    },
    copyOf: (title) => `${title} (copy)`,
    copy: 'Copy of an invoice that was issued at the time with another invoicing system.',
    test: 'TEST DOCUMENT WITHOUT FISCAL VALIDITY',
    voided: (day) => `INVOICE VOIDED ON ${day}`,
    reasons: {
      correction: 'Correction of the invoice (art. 80 One, Two and Six, Spanish VAT Act)',
      insolvency: 'Insolvency of the customer (art. 80 Three, Spanish VAT Act)',
      uncollectible: 'Uncollectible debt (art. 80 Four, Spanish VAT Act)',
      other: 'Other causes',
    },
    differences: 'By differences: the amounts are the correction to what was invoiced',
    substitution: 'By substitution: the amounts replace those of the corrected invoice in full',
    reverseCharge: 'Reverse charge',
    cashAccounting: 'Special cash accounting scheme',
    ossCountry: (country) => `Member State of consumption: ${country}`,
    mentions: {
      es_exempt: 'VAT-exempt supply (art. 20, Spanish VAT Act)',
      es_inversion_sujeto_pasivo: 'Reverse charge',
      es_non_taxable: 'Supply not subject to VAT (art. 7, Spanish VAT Act)',
      es_non_taxable_localization:
        'Not subject to Spanish VAT by the place-of-supply rules (arts. 68 to 70, Spanish VAT Act)',
      eu_oss: 'One-stop-shop scheme (OSS): VAT of the Member State of consumption',
      eu_b2b: 'VAT-exempt intra-Community supply (art. 25, Spanish VAT Act)',
      eu_b2b_services:
        'Not subject to Spanish VAT by the place-of-supply rules (art. 69, Spanish VAT Act). Reverse charge',
      export: 'VAT-exempt export (art. 21, Spanish VAT Act)',
    },
  },
  qrAlternative: (url) => `QR code to check the invoice: ${url}`,
  logoAlternative: (company) => `Logo of ${company}`,
  issuer: 'Issuer',
  recipient: 'Customer',
  number: 'Number',
  issuedOn: 'Issue date',
  operationOn: 'Date of supply',
  nif: 'Tax ID (NIF)',
  vatNumber: 'VAT No.',
  passport: 'Passport',
  officialDocument: 'Official document',
  residenceCertificate: 'Residence certificate',
  otherTaxId: 'ID',
  lines: {
    description: 'Description',
    quantity: 'Quantity',
    unitAmount: 'Unit price',
    tax: 'Tax',
    amount: 'Amount',
    sku: (sku) => `Ref. ${sku}`,
    carriedOver: 'Carried forward',
    broughtForward: 'Brought forward',
  },
  breakdown: {
    tax: 'Tax',
    base: 'Taxable base',
    rate: 'Rate',
    amount: 'Tax amount',
    surchargeRate: 'Surcharge rate',
    surcharge: 'Surcharge',
  },
  totals: {
    net: 'Total before tax',
    tax: (name) => `Tax (${name})`,
    taxes: 'Taxes',
    surcharge: 'Equivalence surcharge',
    total: 'Invoice total',
  },
  rectification: {
    reference: 'Corrected invoice',
    references: 'Corrected invoices',
    reason: 'Reason',
    method: 'Method',
    amounts: 'Amounts replaced',
    amountsText: ({ base, tax, surcharge }) =>
      `Taxable base ${base}, tax ${tax}${surcharge === null ? '' : `, equivalence surcharge ${surcharge}`}`,
  },
  exchange: {
    ticket: 'In exchange for the simplified invoice',
    tickets: 'In exchange for the simplified invoices',
  },
  notes: 'Remarks',
  page: (page, pages) => `Page ${page} of ${pages}`,
  recordFile: 'Registration record of the invoice (VERI*FACTU)',
  structuredFile: 'The data of the invoice in CII (Factur-X, EN 16931)',
};
