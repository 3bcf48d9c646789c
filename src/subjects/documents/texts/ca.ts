import type { Texts } from './texts.ts';

/** "de", elided before a vowel and a mute h, but not before an i or u that is a consonant. */
export function ofName(name: string): string {
  const isElided = /^h?[aeiouàèéíòóú]/i.test(name) && !/^h?[iu][aeiouàèéíòóú]/i.test(name);
  return isElided ? `d’${name}` : `de ${name}`;
}

/** Catalan. */
export const ca: Texts = {
  locale: 'ca-ES',
  figures: {
    decimal: ',',
    group: '.',
    percent: (number) => `${number}\u00a0%`,
    money: (sign, figure, currency) => `${sign}${figure}\u00a0${currency}`,
    date: (year, month, day) => `${day}/${month}/${year}`,
  },
  law: {
    title: {
      complete: 'Factura',
      simplified: 'Factura simplificada',
      rectifyingComplete: 'Factura rectificativa',
      rectifyingSimplified: 'Factura rectificativa simplificada',
    },
    copyOf: (title) => `${title} (còpia)`,
    copy: 'Còpia d’una factura expedida al seu dia amb un altre sistema de facturació.',
    test: 'DOCUMENT DE PROVA SENSE VALIDESA FISCAL',
    voided: (day) => `FACTURA ANUL·LADA EL ${day}`,
    reasons: {
      correction: 'Correcció de la factura (art. 80 U, Dos i Sis LIVA)',
      insolvency: 'Concurs de creditors (art. 80 Tres LIVA)',
      uncollectible: 'Crèdit incobrable (art. 80 Quatre LIVA)',
      other: 'Altres causes',
    },
    differences: 'Per diferències: els imports són la correcció que s’aplica al que s’ha facturat',
    substitution: 'Per substitució: els imports reemplacen completament els de la factura rectificada',
    reverseCharge: 'Inversió del subjecte passiu',
    cashAccounting: 'Règim especial del criteri de caixa',
    ossCountry: (country) => `Estat membre de consum: ${country}`,
    taxes: {
      vat: 'IVA',
      igic: 'IGIC',
      ipsi: 'IPSI',
      es_recargo_equivalencia: 'R.E.',
      es_exempt: 'Exempt',
      es_inversion_sujeto_pasivo: 'Inversió del subjecte passiu',
      es_non_taxable: 'No subjecte',
      es_non_taxable_localization: 'No subjecte per regles de localització',
      eu_oss: 'IVA OSS',
      eu_b2b: 'Lliurament intracomunitari',
      eu_b2b_services: 'Servei intracomunitari',
      export: 'Exportació',
      other: 'Impost',
    },
    mentions: {
      es_exempt: 'Operació exempta de l’IVA (art. 20 LIVA)',
      es_inversion_sujeto_pasivo: 'Inversió del subjecte passiu',
      es_non_taxable: 'Operació no subjecta (art. 7 LIVA)',
      es_non_taxable_localization: 'Operació no subjecta per regles de localització (arts. 68 a 70 LIVA)',
      eu_oss: 'Règim especial de finestreta única (OSS): IVA de l’Estat membre de consum',
      eu_b2b: 'Lliurament intracomunitari exempt (art. 25 LIVA)',
      eu_b2b_services:
        'Operació no subjecta per regles de localització (art. 69 LIVA). Inversió del subjecte passiu',
      export: 'Exportació exempta (art. 21 LIVA)',
    },
  },
  qrAlternative: (url) => `Codi QR per verificar la factura: ${url}`,
  logoAlternative: (company) => `Logotip ${ofName(company)}`,
  issuer: 'Emissor',
  recipient: 'Client',
  number: 'Número',
  issuedOn: 'Data d’expedició',
  operationOn: 'Data de l’operació',
  nif: 'NIF',
  vatNumber: 'NIF-IVA',
  passport: 'Passaport',
  officialDocument: 'Document oficial',
  residenceCertificate: 'Certificat de residència',
  otherTaxId: 'Identificació',
  lines: {
    description: 'Descripció',
    quantity: 'Quantitat',
    unitAmount: 'Preu unitari',
    tax: 'Impost',
    amount: 'Import',
    sku: (sku) => `Ref. ${sku}`,
    carriedOver: 'Suma i segueix',
    broughtForward: 'Suma anterior',
  },
  breakdown: {
    tax: 'Impost',
    base: 'Base imposable',
    rate: 'Tipus',
    amount: 'Quota',
    surchargeRate: 'Tipus R.E.',
    surcharge: 'Quota R.E.',
  },
  totals: {
    net: 'Import sense impostos',
    tax: (name) => `Quota ${name}`,
    taxes: 'Quota d’impostos',
    surcharge: 'Recàrrec d’equivalència',
    total: 'Total factura',
  },
  rectification: {
    reference: 'Factura rectificada',
    references: 'Factures rectificades',
    reason: 'Motiu',
    method: 'Mètode',
    amounts: 'Imports rectificats',
    amountsText: ({ base, tax, surcharge }) =>
      `Base imposable ${base}, quota ${tax}${surcharge === null ? '' : `, recàrrec d’equivalència ${surcharge}`}`,
  },
  exchange: {
    ticket: 'En bescanvi de la factura simplificada',
    tickets: 'En bescanvi de les factures simplificades',
  },
  notes: 'Observacions',
  page: (page, pages) => `Pàgina ${page} de ${pages}`,
  recordFile: 'Registre de facturació d’alta (VERI*FACTU)',
  structuredFile: 'Les dades de la factura en CII (Factur-X, EN 16931)',
};
