import { decimalAmount } from '../../../ground/lib/money.ts';
import type { Disbursement } from '../../extensions/disbursements.ts';
import { element, leaf, type XmlElement } from './canonical-xml.ts';
import { centresOf } from './dir3.ts';
import type { Fields } from './fields.ts';
import type { FacturaeSource } from './source.ts';

const REVERSE_CHARGE = 'Inversión del sujeto pasivo';
const CASH_ACCOUNTING = 'Régimen especial del criterio de caja';
/** RD 1619/2012 art. 6.5.b, for invoices whose QR code is a URL. */
const VERIFIABLE = 'Factura verificable en la sede electrónica de la AEAT: VERI*FACTU';
const TEST = 'DOCUMENTO DE PRUEBA SIN VALIDEZ FISCAL';

/** RD 1619/2012 art. 6.1.l. */
const SELF_BILLING = 'Facturación por el destinatario';

/** LegalReference is limited to 250 characters, and may be repeated. */
const MAX_REFERENCE_LENGTH = 250;

/**
 * Group LegalLiterals: texts required by law. The mentions of the taxes, that the invoice can be verified at the
 * agency and the URL for it (that of the QR code), which simplified invoices it replaces, and that a test is a
 * test.
 */
export function legalLiterals(source: FacturaeSource): XmlElement | null {
  const { environment, qrUrl } = source;
  const texts = [
    ...(environment === 'test' ? [TEST] : []),
    ...(source.issuedBy === 'recipient' ? [SELF_BILLING] : []),
    ...mentionsOf(source),
    ...exchangedTexts(source),
    ...(qrUrl === null ? [] : [VERIFIABLE, qrUrl]),
  ];
  if (texts.length === 0) return null;
  return element(
    'LegalLiterals',
    texts.flatMap((text) => inPieces(text)).map((text) => leaf('LegalReference', text)),
  );
}

function mentionsOf({ breakdown }: FacturaeSource): string[] {
  const mentions = new Set<string>();
  for (const { legalMention } of breakdown) if (legalMention !== null) mentions.add(legalMention);
  const has = (text: string) => [...mentions].some((mention) => mention.includes(text));
  if (breakdown.some(({ operationClass }) => operationClass === 'S2') && !has(REVERSE_CHARGE)) {
    mentions.add(REVERSE_CHARGE);
  }
  if (breakdown.some(({ regimeKey }) => regimeKey === '07') && !has(CASH_ACCOUNTING))
    mentions.add(CASH_ACCOUNTING);
  return [...mentions];
}

function exchangedTexts({ exchanged }: FacturaeSource): string[] {
  return exchanged.map(
    ({ number, issuedOn }) => `En canje de la factura simplificada ${number} (${issuedOn})`,
  );
}

function disbursementText({ description, amount, reference }: Disbursement): string {
  const document = reference === undefined ? '' : ` (${reference})`;
  return `Suplido, pagado en nombre y por cuenta del cliente: ${description}${document}, ${decimalAmount(amount)} EUR`;
}

function inPieces(text: string): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += MAX_REFERENCE_LENGTH) {
    pieces.push(characters.slice(start, start + MAX_REFERENCE_LENGTH).join(''));
  }
  return pieces;
}

/**
 * Group AdditionalData: why taxes are exempt or not subject, which the schema requires there too, values without an
 * element of their own, and the merchant's text.
 */
export function additionalData(source: FacturaeSource, fields: Fields): XmlElement | null {
  const { breakdown, dueOn, payment, references, disbursements, notes } = source;
  const isUntaxed = breakdown.some(
    ({ exemption, operationClass }) => exemption !== null || operationClass?.startsWith('N'),
  );
  const { buyerReference } = references;
  const texts = [
    ...(isUntaxed ? mentionsOf(source) : []),
    ...(dueOn !== null && payment === null ? [`Fecha de vencimiento: ${dueOn}`] : []),
    ...(buyerReference !== null && centresOf(buyerReference) === null
      ? [`Referencia del comprador: ${buyerReference}`]
      : []),
    ...disbursements.map(disbursementText),
    ...(notes === null ? [] : [notes.replace(/\r\n?/g, '\n')]),
  ];
  if (texts.length === 0) return null;
  const text = texts.join('\n');
  return element('AdditionalData', [
    fields.text('Invoices/Invoice/AdditionalData', 'InvoiceAdditionalInformation', text, 2_500),
  ]);
}
