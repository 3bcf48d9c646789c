import { canonicalJson, sha256 } from './canonical.ts';
import {
  type Form,
  INVOICE_AMENDMENT,
  INVOICE_EMAIL,
  INVOICE_LINE,
  INVOICE_STAMP,
  INVOICE_VOID,
  RECORD_STATE,
  REGISTRATION_RECORD,
  type Row,
  rowText,
  TAX_ITEM,
} from './forms.ts';

/**
 * What a change covers, as one canonical text. Content of other rows is included as a hash: so the larger part of an
 * invoice can be hashed before its transaction begins, and a proof can omit confidential parts.
 */

/** A registration or cancellation record with its XML. */
export type RecordRow = Row & { readonly xml: string };

/** What is known of an invoice before it is issued: its columns, lines and taxes in their order, and what it exchanges. */
export type InvoiceBody = {
  readonly invoice: Row;
  readonly lines: readonly Row[];
  readonly taxItems: readonly Row[];
  /** Ids of the simplified invoices that it replaces in an exchange. */
  readonly exchanges: readonly string[];
};

/** The rows of an invoice's body, each as its canonical text. */
export type BodyTexts = {
  readonly invoice: string;
  readonly lines: readonly string[];
  readonly taxItems: readonly string[];
};

/** `form`: the columns of the invoice that are covered, with those of its extensions. */
export function bodyTexts(
  form: Form,
  { invoice, lines, taxItems }: Omit<InvoiceBody, 'exchanges'>,
): BodyTexts {
  return {
    invoice: rowText(form, invoice),
    lines: lines.map((row) => rowText(INVOICE_LINE, row)),
    taxItems: taxItems.map((row) => rowText(TAX_ITEM, row)),
  };
}

/** The body of those rows. */
export function bodyOfTexts({ invoice, lines, taxItems }: BodyTexts, exchanges: readonly string[]): string {
  const exchanged = JSON.stringify([...exchanges].sort());
  return `{"exchanges":${exchanged},"invoice":${invoice},"lines":[${lines.join(',')}],"tax_items":[${taxItems.join(',')}]}`;
}

export function bodyText(form: Form, body: InvoiceBody): string {
  return bodyOfTexts(bodyTexts(form, body), body.exchanges);
}

function recordText({ xml, ...row }: RecordRow): string {
  return `{"row":${rowText(REGISTRATION_RECORD, row)},"xml_sha256":"${sha256(xml)}"}`;
}

/** `invoice.issued`, and without a record `invoice.imported`; `bodyHash` is the SHA-256 of `bodyText`. */
export function invoiceText(bodyHash: string, stamp: Row, record: RecordRow | null): string {
  const sealed = record === null ? '' : `,"record":${recordText(record)}`;
  return `{"body_sha256":"${bodyHash}","invoice":${rowText(INVOICE_STAMP, stamp)}${sealed}}`;
}

/** `invoice.voided`: the row is null for a cancellation that was repeated. */
export function voidText(record: RecordRow, row: Row | null): string {
  return `{"record":${recordText(record)}${row === null ? '' : `,"void":${rowText(INVOICE_VOID, row)}`}}`;
}

/** `invoice.amended`. */
export function amendmentText(record: RecordRow, row: Row): string {
  return `{"amendment":${rowText(INVOICE_AMENDMENT, row)},"record":${recordText(record)}}`;
}

/** The agency's answer to the envelope in which a record was accepted. */
export type Receipt = { readonly answer: string | null; readonly receipt: string | null };

/**
 * The hash that identifies the agency's answer in the entry of a decided record; for an answer to many records, compute it
 * once.
 */
export function receiptHash({ answer, receipt }: Receipt): string {
  return sha256(canonicalJson({ answer: answer ?? undefined, receipt: receipt ?? undefined }));
}

/** `invoice.registered`, `.registered_with_errors`, `.rejected`, `.amendment_rejected`, `.void_rejected`, `.skipped`; `answered` if there is a receipt. */
export function settledText(state: Row, answered: string | null): string {
  const receipt = answered === null ? '' : `"answer_sha256":"${answered}",`;
  return `{${receipt}"state":${rowText(RECORD_STATE, state)}}`;
}

/** `invoice.document_ready`. */
export function documentText(document: {
  readonly edition: 'issued' | 'voided';
  readonly sha256: Buffer;
}): string {
  return canonicalJson({ edition: document.edition, sha256: document.sha256.toString('hex') });
}

/** `invoice.sent`, `invoice.email_failed`: the row of the e-mail, and why it has failed. */
export function emailText(row: Row, reason: string | null): string {
  const { id, kind } = row;
  const email_sha256 = sha256(rowText(INVOICE_EMAIL, row));
  return canonicalJson({ email_id: id, email_sha256, kind, reason: reason ?? undefined });
}
