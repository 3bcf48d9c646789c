import type { ReadInvoice, ReadParty } from '@lacre/reader/invoice';
import type { ReadSignature } from '@lacre/reader/signature';
import type { ShownDocument, ShownFile } from './shown.ts';

/** What people call the syntaxes. */
export const SYNTAX_NAMES = { ubl: 'UBL', cii: 'CII', facturae: 'Facturae' } as const;

/** Signs that a terminal obeys, or that turn the direction of what follows. */
const OBEYED = /[\p{Cc}\p{Cf}]/gu;

/** What was read, for a terminal: a few lines for each document, then what is wrong with it. */
export function fileAsText({ documents, unread }: ShownFile): string {
  const lines = [
    ...documents.flatMap(documentLines),
    ...unread.flatMap(({ name, fault }) => [`${name}`, `  not read   it ${fault}`]),
  ];
  return lines.map((line) => `${line.replace(OBEYED, '�')}\n`).join('');
}

function documentLines(document: ShownDocument): string[] {
  const { name, syntax, container, signature, findings, checkedBy, invoices } = document;
  const violations = findings.map(
    ({ rule, isFatal, text }) => `  ${isFatal ? 'violated' : 'warning '}   ${rule}: ${text}`,
  );
  return [
    `${name}: ${SYNTAX_NAMES[syntax]}${container === null ? '' : ' in a PDF'}`,
    ...invoices.flatMap(invoiceLines),
    ...(signature === null ? [] : [`  signature  ${signatureText(signature)}`]),
    ...violations,
    ...(violations.length === 0 ? [`  rules      none is violated (${checkedBy.join(', ')})`] : []),
  ];
}

function invoiceLines(invoice: ReadInvoice): string[] {
  const { number, issuedOn, typeCode, currency, seller, buyer, totals, dueOn, lines } = invoice;
  const unit = currency ?? '';
  return [
    `  invoice    ${number ?? '(no number)'} of ${issuedOn ?? '(no day)'}, type ${typeCode ?? '(none)'}, ${lines.length} lines`,
    `  seller     ${partyText(seller)}`,
    `  buyer      ${partyText(buyer)}`,
    `  total      ${totals.withVat ?? '?'} ${unit}, of which tax ${totals.vat ?? '0'} ${unit}`,
    `  to pay     ${totals.due ?? '?'} ${unit}${dueOn === null ? '' : ` by ${dueOn}`}`,
  ];
}

function partyText({ name, vatId, taxRegistration, legalId }: ReadParty): string {
  const id = vatId ?? taxRegistration ?? legalId?.id;
  return `${name ?? '(no name)'}${id === undefined ? '' : ` (${id})`}`;
}

/** What may be stated of a signature, and what not. */
export function signatureText({ isIntact, faults, signer, signedAt }: ReadSignature): string {
  if (!isIntact) return `DOES NOT HOLD: ${faults.join('; ')}`;
  const name =
    signer === null ? 'somebody' : `${signer.name}${signer.nif === null ? '' : ` (${signer.nif})`}`;
  const moment = signedAt === null ? '' : `, as it states, at ${signedAt}`;
  return `covers everything shown; by ${name}${moment}. Trust in the certificate and its revocation were not checked`;
}
