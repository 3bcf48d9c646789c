import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { renderInTurn } from '../documents/document.ts';
import { ciiOf } from './en16931/cii.ts';
import { semanticInvoice } from './en16931/invoice.ts';
import { ublOf } from './en16931/ubl.ts';
import { ublEsOf } from './en16931/ubl-es.ts';
import { facturae, signedFacturae } from './facturae/formats.ts';
import { warningOf } from './facturae/public-body.ts';
import type { DocumentRequest, DocumentTarget, Format, FormatServices } from './format.ts';
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

/** Whether an invoice has a format, and the reason if not. */
export type FormatOffer = {
  readonly format: FormatName;
  readonly refusal: Refusal | null;
  /** Why the receiver of the document will refuse it although it is valid, if that is known. */
  readonly warning: string | null;
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
  return Promise.all(
    FORMAT_NAMES.map(async (format) => {
      const refusal = await FORMATS[format].refusalOf(source, services, target);
      return { format, refusal, warning: refusal === null ? warningOf(source, format) : null };
    }),
  );
}

function unknownInvoice(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of that id exists in this environment.');
}
