/**
 * Words that readers use for the same thing, in English and Spanish, as they are compared: without case and accents. A word
 * of several groups stands for all of them. What the pages themselves call it is in each group.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['refund', 'return', 'devolucion', 'reembolso', 'abono', 'credit note', 'factura de abono'],
  ['rectificativa', 'rectify', 'credit note', 'abono', 'correction', 'correccion'],
  ['disbursement', 'suplido', 'out of pocket'],
  ['withholding', 'withheld', 'irpf', 'retencion', 'income tax'],
  ['shipping', 'postage', 'delivery charge', 'portes', 'gastos de envio'],
  ['discount', 'coupon', 'voucher', 'cupon', 'descuento', 'vale'],
  ['volume discount', 'rappel', 'rebate'],
  ['ticket', 'receipt', 'simplified', 'tique', 'simplificada'],
  ['exchange', 'canje', 'canjear'],
  ['void', 'cancel', 'anular', 'anulacion'],
  ['invoice', 'factura'],
  ['draft', 'borrador'],
  ['schedule', 'repeat', 'suscripcion', 'recurrente', 'cuota'],
  ['payment', 'pago', 'cobro'],
  ['due date', 'vencimiento'],
  ['reminder', 'dunning', 'recordatorio'],
  ['surcharge', 'recargo'],
  ['gross', 'tax included', 'iva incluido'],
  ['vat', 'iva'],
  ['tax id', 'nif', 'cif', 'vat number'],
  ['series', 'numbering', 'numeracion', 'serie'],
  ['register book', 'vat register', 'libro registro'],
  ['adviser', 'accountant', 'asesor', 'gestoria'],
  ['customer', 'cliente'],
  ['agency', 'aeat', 'hacienda', 'agencia tributaria'],
  ['chain', 'encadenamiento', 'huella', 'fingerprint'],
  ['e-mail', 'email', 'correo'],
  ['key', 'clave', 'token'],
  ['currency', 'divisa', 'moneda'],
  ['logo', 'branding', 'colour', 'color'],
];

/** The singular, in either language, as far as a search needs it: matches begin with it. */
const singular = (word: string): string => word.replace(/(?<=[nlr])es$|(?<=[^s]{3})s$/, '');

/** What else a word that was typed is called; none of what it begins with itself. */
export function alternativesOf(word: string): readonly string[] {
  const own = singular(word);
  const groups = GROUPS.filter((group) => group.some((each) => each === word || each === own));
  return [...new Set(groups.flat())].filter((each) => !each.startsWith(own));
}
