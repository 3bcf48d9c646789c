import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { renderInTurn } from '../documents/document.ts';
import { ciiOf } from './en16931/cii.ts';
import { semanticInvoice } from './en16931/invoice.ts';
import { ublOf } from './en16931/ubl.ts';
import { ublEsOf } from './en16931/ubl-es.ts';
import { facturae, signedFacturae } from './facturae/formats.ts';
import { warningOf } from './facturae/public-body.ts';
import type { DocumentRequest, DocumentTarget, Format, FormatServices } from './format.ts';
import { findingsIn } from './reading/check-own.ts';
import type { Finding } from './reading/rules/finding.ts';
import { type FormatSource, loadFormatSource } from './source.ts';
import { FORMAT_NAMES, type FormatName, formatKind } from './types.ts';

/** A format that is written synchronously from the source alone. */
function written(write: (source: FormatSource) => Outcome<Buffer>): Format {
  return {
    refusalOf(source) {
      const document = write(source);
      return isRefusal(document) ? document : null;
    },
    make: write,
  };
}

function cii(source: FormatSource): Outcome<Buffer> {
  const invoice = semanticInvoice(source);
  return isRefusal(invoice) ? invoice : ciiOf(invoice);
}

/** The implementation of each format. */
const FORMATS: Readonly<Record<FormatName, Format>> = {
  ubl: written((source) => {
    const invoice = semanticInvoice(source);
    return isRefusal(invoice) ? invoice : ublOf(invoice);
  }),
  cii: written(cii),
  facturx: {
    refusalOf: written(cii).refusalOf,
    async make(source, { renderer }, { environmentId: owner, urgent = true }) {
      const document = cii(source);
      if (isRefusal(document)) return document;
      return renderInTurn(renderer, { owner, urgent }, source.content, document.toString());
    },
  },
  facturae,
  facturae_signed: signedFacturae,
  ubl_es: written(ublEsOf),
};

/** A structured document and the name of its file. */
export type StructuredDocument = {
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** Why its receiver will refuse it although it is valid, if that is known. */
  readonly warning: string | null;
};

/**
 * An invoice in a structured format, written from the sealed data at each call: the same invoice gives the same
 * bytes. Signed formats are signed at each call, with an entry in the audit log. Refuses with `invoice_not_found`,
 * and with `format_not_applicable` when the format cannot represent the invoice.
 */
export async function structuredDocument(
  services: FormatServices,
  request: DocumentRequest,
  name: FormatName,
): Promise<Outcome<StructuredDocument>> {
  const source = await loadFormatSource(
    services.db,
    services.qrBases,
    request.environmentId,
    request.invoiceId,
  );
  if (source === null) return unknownInvoice();
  const bytes = await FORMATS[name].make(source, services, request);
  if (isRefusal(bytes)) return bytes;
  const { mediaType, extension } = formatKind(name);
  const number = source.content.number.replace(/[^A-Za-z0-9._-]/g, '_');
  return { filename: `${number}.${name}.${extension}`, mediaType, bytes, warning: warningOf(source, name) };
}

/** Whether an invoice has a format: the reason if not, and the findings of our own checks of the document. */
export type FormatOffer = {
  readonly format: FormatName;
  readonly refusal: Refusal | null;
  /** Why the receiver of the document will refuse it although it is valid, if that is known. */
  readonly warning: string | null;
  /**
   * Computed on demand: the rules that the document violates. Null when there is none, or checking takes too long.
   */
  readonly findings: () => Promise<readonly Finding[] | null>;
};

/**
 * The base of a format that is derived from another one, to which the rules apply: no pages are rendered and
 * nothing is signed to check it.
 */
const CHECKED_AS: Readonly<Partial<Record<FormatName, FormatName>>> = {
  facturx: 'cii',
  facturae_signed: 'facturae',
};

/** Whether an invoice has each of the formats, and why not. Refuses with `invoice_not_found`. */
export async function formatsOffered(
  services: FormatServices,
  target: DocumentTarget,
): Promise<Outcome<FormatOffer[]>> {
  const source = await loadFormatSource(
    services.db,
    services.qrBases,
    target.environmentId,
    target.invoiceId,
  );
  if (source === null) return unknownInvoice();
  const checks = new Map<FormatName, ReturnType<FormatOffer['findings']>>();
  const findingsOf = (format: FormatName): ReturnType<FormatOffer['findings']> => {
    const checking = checks.get(format) ?? checked(services, target, source, format);
    checks.set(format, checking);
    return checking;
  };
  return Promise.all(
    FORMAT_NAMES.map(async (format) => {
      const refusal = await FORMATS[format].refusalOf(source, services, target);
      const findings = async () => (refusal === null ? findingsOf(CHECKED_AS[format] ?? format) : null);
      const warning = refusal === null ? warningOf(source, format) : null;
      return { format, refusal, warning, findings };
    }),
  );
}

async function checked(
  services: FormatServices,
  target: DocumentTarget,
  source: FormatSource,
  format: FormatName,
): Promise<readonly Finding[] | null> {
  // This leaves no entry in the audit log, so the caller does not matter.
  const document = await FORMATS[format].make(source, services, { ...target, actor: 'checks' });
  return isRefusal(document) ? null : findingsIn(document, source.content.lines.length);
}

function unknownInvoice(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of that id exists in this environment.');
}
