import type { Db } from '../../ground/db/client.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Actor } from '../../ground/journal/audit-log.ts';
import type { CertificatesInUse } from '../certificates/in-use.ts';
import type { QrBases } from '../chain/qr-url.ts';
import type { Documents } from '../documents/document.ts';
import type { FormatSource } from './source.ts';

/** What structured documents are made with. */
export type FormatServices = {
  readonly db: Pick<Db, 'pool'>;
  readonly qrBases: QrBases;
  /** With what a company signs. */
  readonly certificates: CertificatesInUse;
} & Pick<Documents, 'renderer'>;

/** Whose document is asked for. */
export type Asked = { readonly environmentId: number; readonly invoiceId: string };

/** The same, and who asks: kept where the company’s signature is made. */
export type AskedBy = Asked & {
  readonly actor: Actor;
  /** False where nobody waits for this one of many documents: what is drawn is drawn behind what somebody waits for. */
  readonly urgent?: boolean;
};

/** A structured form of invoices. */
export type Format = {
  /** Why the invoice has no such form now, or null. Takes as long as reading the source. */
  readonly refusalOf: (
    source: FormatSource,
    services: FormatServices,
    asked: Asked,
  ) => Refusal | null | Promise<Refusal | null>;
  /** The document's bytes: the same source gives the same bytes, but for signatures. Refuses what `refusalOf` refuses. */
  readonly make: (
    source: FormatSource,
    services: FormatServices,
    asked: AskedBy,
  ) => Outcome<Buffer> | Promise<Outcome<Buffer>>;
};

/**
 * 422 `format_not_applicable`. `term` is the business term (EN 16931, or the format's own element) that has no value
 * for this invoice; `errors[0].field` repeats it for programs.
 */
export function notApplicable(format: string, term: string, why: string): Refusal {
  return new Refusal('format_not_applicable', `${format}, ${term}: ${why}.`).about(term);
}
