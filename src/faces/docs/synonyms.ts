/**
 * Words that readers use for the same thing, in English and Spanish, as they are compared: without case and accents. A word
 * of several groups stands for all of them. What the pages themselves call it is in each group.
 */
const GROUPS: readonly (readonly string[])[] = [
  [
    'refund',
    'return',
    'devolucion',
    'reembolso',
    'abono',
    'credit note',
    'nota de credito',
    'factura de abono',
  ],
  ['rectificativa', 'rectify', 'credit note', 'nota de credito', 'abono', 'correction', 'correccion'],
  ['disbursement', 'suplido', 'out of pocket', 'paid for your customer'],
  ['withholding', 'withheld', 'irpf', 'retencion', 'income tax'],
  ['shipping', 'postage', 'freight', 'delivery charge', 'portes', 'gastos de envio'],
  ['discount', 'coupon', 'voucher', 'cupon', 'descuento', 'vale', 'pronto pago', 'promo code'],
  ['voucher', 'gift card', 'un vale', 'bono regalo', 'tarjeta regalo', 'cheque regalo'],
  ['volume discount', 'rappel', 'rebate'],
  ['ticket', 'receipt', 'simplified', 'tique', 'simplificada', 'factura simplificada', 'simplified invoice'],
  ['exchange', 'canje', 'canjear'],
  ['void', 'cancel', 'anular', 'anulacion', 'cancelar', 'cancelacion'],
  ['invoice', 'factura'],
  ['order', 'pedido'],
  ['draft', 'borrador', 'proforma', 'presupuesto', 'quote'],
  ['schedule', 'repeat', 'recurring', 'subscription', 'suscripcion', 'recurrente', 'cuota', 'periodica'],
  ['payment', 'pago', 'cobro'],
  ['advance', 'deposit', 'down payment', 'prepayment', 'anticipo', 'pago a cuenta'],
  ['due date', 'due day', 'vencimiento', 'fecha de vencimiento'],
  ['overdue', 'unpaid', 'vencida', 'impagada', 'morosa', 'pendiente de cobro'],
  ['reminder', 'dunning', 'recordatorio'],
  ['surcharge', 'recargo', 'recargo de equivalencia', 'es_recargo_equivalencia'],
  ['reverse charge', 'inversion del sujeto pasivo', 'es_inversion_sujeto_pasivo'],
  ['intra-community', 'intracommunity', 'intracomunitaria', 'eu_b2b'],
  ['one-stop shop', 'oss', 'ventanilla unica', 'eu_oss'],
  ['export', 'exportacion'],
  ['used goods', 'second-hand', 'bienes usados', 'segunda mano', 'rebu'],
  ['gross', 'tax included', 'iva incluido'],
  ['vat', 'iva'],
  ['tax id', 'nif', 'cif', 'vat number'],
  ['invalid', 'incorrecto', 'erroneo', 'wrong'],
  ['series', 'numbering', 'numeracion', 'serie'],
  [
    'register book',
    'vat register',
    'vat return',
    'libro registro',
    'libro de iva',
    'modelo 303',
    'modelo 390',
  ],
  ['adviser', 'accountant', 'asesor', 'asesoria', 'gestoria', 'gestor', 'contable'],
  ['professional', 'profesional', 'autonomo', 'freelancer'],
  ['certificate', 'certificado', 'certificado digital', 'certificado electronico'],
  ['mandate', 'power of attorney', 'representacion', 'apoderamiento'],
  ['customer', 'cliente'],
  ['agency', 'aeat', 'hacienda', 'agencia tributaria', 'tax office'],
  ['verifactu', 'veri*factu'],
  ['gives up', 'endverifactu', 'renuncia', 'renunciar'],
  ['fingerprint', 'hash', 'huella'],
  ['chain', 'cadena', 'encadenamiento'],
  ['e-mail', 'email', 'correo'],
  ['key', 'clave', 'token'],
  ['test environment', 'sandbox', 'test mode', 'entorno de pruebas', 'test trigger', 'caso de prueba'],
  ['going live', 'go live', 'production', 'puesta en produccion', 'pasar a produccion'],
  ['next_url', 'pagination', 'paging', 'paginacion'],
  ['language', 'idioma', 'english', 'ingles', 'catalan'],
  ['monthly', 'mensual', 'cada mes'],
  ['between businesses', 'entre empresas', 'b2b'],
  ['structured', 'e-invoice', 'electronic invoice', 'estructurada', 'factura electronica'],
  ['web shop', 'online shop', 'tienda en linea', 'tienda online', 'woocommerce', 'prestashop', 'shopify'],
  ['erase', 'erasing', 'gdpr', 'rgpd', 'data protection', 'supresion', 'proteccion de datos'],
  ['upgrading', 'upgrade', 'actualizacion', 'actualizar'],
  ['backup', 'copia de seguridad'],
  ['currency', 'foreign currency', 'dollar', 'divisa', 'moneda', 'moneda extranjera', 'dolar'],
  ['logo', 'branding', 'colour', 'color', 'logotipo', 'imagen de los documentos'],
];

/** Words that every page has, unless there are no others. */
const IN_ALL = new Set(
  'a al an and como con de del el en es for how i in is la las lo los mi my o of on or para por que se the to un una with y'.split(
    ' ',
  ),
);

/** Names of several words, the longest first. */
const PHRASES = GROUPS.flat()
  .filter((name) => name.includes(' '))
  .sort((one, other) => other.length - one.length);

/** What a query asks for, compared as in `GROUPS`: the names of several words that are in it, and its other words. */
export function wordsOf(query: string): readonly string[] {
  let rest = ` ${query.split(/[\s,;:!?¡¿"«»()]+/).join(' ')} `;
  const phrases = PHRASES.filter((phrase) => {
    const among = rest.includes(` ${phrase} `);
    if (among) rest = rest.replace(` ${phrase} `, ' ');
    return among;
  });
  const words = rest.split(' ').filter(Boolean);
  const telling = words.filter((word) => !IN_ALL.has(word));
  return phrases.length + telling.length === 0 ? words : [...phrases, ...telling];
}

/** The singular, in either language, as far as a search needs it. */
const singular = (word: string): string => word.replace(/(?<=[nlr])es$|(?<=[^s]{3})s$/, '');

/** What means something else in a regular expression. */
const SYNTAX = /[$()*+./?[\\\]^{|}]/g;

/** A name of one or more words, each in the singular or the plural, for a regular expression. */
export const anyNumberOf = (name: string): string =>
  name
    .split(' ')
    .map((word) => `${singular(word).replace(SYNTAX, '\\$&')}(?:e?s)?`)
    .join(' ');

/** What else a word that was typed is called; none of what it begins with itself. */
export function alternativesOf(word: string): readonly string[] {
  const own = singular(word);
  const groups = GROUPS.filter((group) => group.some((each) => each === word || singular(each) === own));
  return [...new Set(groups.flat())].filter((each) => !each.startsWith(own));
}
