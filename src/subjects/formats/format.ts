import type { Db } from '../../ground/db/client.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Actor } from '../../ground/journal/audit-log.ts';
import type { CertificatesInUse } from '../certificates/in-use.ts';
import type { QrBases } from '../chain/qr-url.ts';
import type { Documents } from '../documents/document.ts';
import type { FormatSource } from './source.ts';

/** The dependencies of structured documents. */
export type FormatServices = {
  readonly db: Pick<Db, 'pool'>;
  readonly qrBases: QrBases;
  /** The certificates for signing. */
  readonly certificates: CertificatesInUse;
} & Pick<Documents, 'renderer'>;

/** The invoice whose document is requested. */
export type DocumentTarget = { readonly environmentId: number; readonly invoiceId: string };

/** The same, and who requests it: recorded when the company’s signature is created. */
export type DocumentRequest = DocumentTarget & {
  readonly actor: Actor;
  /** False for one of many documents that no client waits for: it is rendered after those with a waiting client. */
  readonly urgent?: boolean;
};

/** A structured format of invoices. */
export type Format = {
  /** Why the invoice has no such format at present, or null. Takes as long as reading the source. */
  readonly refusalOf: (
    source: FormatSource,
    services: FormatServices,
    request: DocumentTarget,
  ) => Refusal | null | Promise<Refusal | null>;
  /**
   * The document's bytes: the same source gives the same bytes, except for signatures. Refuses what `refusalOf`
   * refuses.
   */
  readonly make: (
    source: FormatSource,
    services: FormatServices,
    request: DocumentRequest,
  ) => Outcome<Buffer> | Promise<Outcome<Buffer>>;
};

/**
 * 422 `format_not_applicable`. `term` is the business term (EN 16931, or the format's own element) that has no
 * value for this invoice; `errors[0].field` repeats it for programs.
 */
export function notApplicable(format: string, term: string, detail: string): Refusal {
  return new Refusal('format_not_applicable', `${format}, ${term}: ${detail}.`).about(term);
}
