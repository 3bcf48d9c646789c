/**
 * BT-3, UNTDID 1001 as restricted by EN 16931. A correction by substitution is a corrected invoice; one by
 * differences is a credit note or a debit: as type 384 its reader would take the difference for the whole.
 * What the recipient issues has types of its own, for invoices and credit notes alone.
 */
export const TYPE_CODES = {
  invoice: '380',
  creditNote: '381',
  debitNote: '383',
  corrected: '384',
  selfBilled: '389',
  selfBilledCreditNote: '261',
} as const;

/** BT-81, UNTDID 4461, and BT-82, by the means of payment of an invoice. */
export const MEANS_CODES = {
  /** SEPA credit transfer: needs the account (BR-61). */
  transfer: { code: '58', text: 'Transferencia SEPA' },
  /** A transfer without a stated account: 1 is "not defined". */
  transferWithoutAccount: { code: '1', text: 'Transferencia' },
  /** SEPA direct debit. */
  direct_debit: { code: '59', text: 'Adeudo directo SEPA' },
  /** Bank card. */
  card: { code: '48', text: 'Tarjeta bancaria' },
  cash: { code: '10', text: 'Efectivo' },
  other: { code: '1', text: 'Otro medio de pago' },
} as const;

/** BT-130, UN/ECE Rec 20: "one", for items without a unit. */
export const ONE = 'C62';

/**
 * Electronic address schemes (CEF list EAS) of VAT numbers, by their prefix. States for which the list has no
 * scheme for VAT numbers (Denmark, Finland, Sweden) are missing: an address of their parties cannot be derived from
 * the invoice.
 */
export const VAT_ADDRESS_SCHEMES: Readonly<Record<string, string>> = {
  ...{ AT: '9914', BE: '9925', BG: '9926', CY: '9928', CZ: '9929', DE: '9930', EE: '9931', EL: '9933' },
  ...{ ES: '9920', FR: '9957', HR: '9934', HU: '9910', IE: '9935', IT: '0211', LT: '9937', LU: '9938' },
  ...{ LV: '9939', MT: '9943', NL: '9944', PL: '9945', PT: '9946', RO: '9947', SI: '9949' },
  ...{ SK: '9950' },
};

/**
 * Postal codes of Spain outside the VAT territory, by their first two digits: the Canary Islands (35, 38), Ceuta
 * (51) and Melilla (52). LIVA art. 3.Dos.1.º.
 */
const OUTSIDE_VAT = new Set(['35', '38', '51', '52']);

/** Whether an address in Spain is outside the VAT territory. */
export function isOutsideVat({
  country,
  postalCode,
}: {
  readonly country: string | null;
  readonly postalCode: string | null;
}): boolean {
  return country === 'ES' && postalCode !== null && OUTSIDE_VAT.has(postalCode.slice(0, 2));
}
