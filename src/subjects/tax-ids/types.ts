/** The kinds of tax id of the contract. */
export const TAX_ID_TYPES = [
  'es_nif',
  'eu_vat',
  'passport',
  'official_document',
  'residence_certificate',
  'other',
  'not_registered',
] as const;

export type TaxIdType = (typeof TAX_ID_TYPES)[number];
