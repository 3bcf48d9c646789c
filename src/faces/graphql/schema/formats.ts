import { fileName } from '../../../subjects/documents/document-on-paper.ts';
import type { DocumentTarget } from '../../../subjects/formats/format.ts';
import {
  type FormatOffer,
  formatsOffered,
  type StructuredDocument,
  structuredDocument,
} from '../../../subjects/formats/registry.ts';
import { EXPORTED, FORMAT_NAMES, type FormatName, formatKind } from '../../../subjects/formats/types.ts';
import { type InvoiceView, linesOf } from '../../../subjects/invoices/view.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { valueOrThrow } from '../errors.ts';
import { READS_LINES } from '../extent.ts';
import { pdfUrlOf, type ShownInvoice } from '../shown-invoice.ts';
import { fileInTurn } from './documents.ts';
import { Invoice } from './invoice.ts';

export const InvoiceFormatEnum = builder.enumType('InvoiceFormat', {
  description: 'A structured format of an invoice. More values may be added.',
  values: FORMAT_NAMES,
});

export const ExportedFormEnum = builder.enumType('ExportedForm', {
  description: 'A form of an invoice: its PDF or a structured format. More values may be added.',
  values: EXPORTED,
});

type ShownDocument = Omit<StructuredDocument, 'bytes'> & {
  readonly url: string | null;
  /** A page that shows the document by its link needs no bytes. */
  readonly read: () => Buffer | Promise<Buffer>;
};

const InvoiceDocument = builder.objectRef<ShownDocument>('InvoiceDocument').implement({
  description: 'An invoice as a PDF, or in a structured format.',
  fields: (t) => ({
    filename: t.exposeString('filename'),
    mediaType: t.exposeString('mediaType'),
    content: t.string({
      description: 'The document in base64.',
      resolve: async ({ read }) => (await read()).toString('base64'),
    }),
    url: t.exposeString('url', {
      nullable: true,
      description:
        'Of the PDF its `pdfUrl`, which pages of the environment’s allowed origins may show in a frame and read. Null of other formats.',
    }),
    warning: t.exposeString('warning', {
      nullable: true,
      description:
        'Why its receiver will refuse the document although it is valid: a Facturae to a public body that names no DIR3 offices. Null if nothing is known.',
    }),
  }),
});

const InvoiceFormatOffer = builder.objectRef<FormatOffer>('InvoiceFormatOffer').implement({
  description: 'Whether an invoice has a structured format.',
  fields: (t) => ({
    format: t.expose('format', { type: InvoiceFormatEnum }),
    label: t.string({
      description: 'The display name.',
      resolve: ({ format }) => formatKind(format).label,
    }),
    isProvisional: t.boolean({
      description: 'Whether the format is provisional because its specification is not published yet.',
      resolve: ({ format }) => formatKind(format).isProvisional,
    }),
    reason: t.string({
      nullable: true,
      description: 'Why the format is not available, naming the term; null if it is.',
      resolve: ({ refusal }) => refusal?.detail ?? null,
    }),
    warning: t.exposeString('warning', {
      nullable: true,
      description:
        'Why its receiver will refuse the document although it is valid: a Facturae to a public body that names no DIR3 offices. Null if nothing is known.',
    }),
  }),
});

/** Each is made from the whole invoice, up to some 20 ms: as long as some hundred invoices take to read. */
const DOCUMENT_COST = 2_000;
/** Text is made ten times as fast as pages are drawn. */
const LINES_OF_A_POINT = 100;

/** Takes of the environment's share of what is made for callers, and waits for its turn with an invoice of many lines. */
async function turnOf({ services }: Context, found: InvoiceView): Promise<DocumentTarget> {
  const { environment_id: environmentId, id: invoiceId } = found.invoice;
  const { length: lines } = linesOf(found);
  valueOrThrow(services.shares.take(environmentId, 'rendering', 1 + Math.floor(lines / LINES_OF_A_POINT)));
  await services.eventLoop.waitIfLarge(environmentId, lines);
  return { environmentId, invoiceId };
}

/** The invoice in a format; throws `format_not_applicable`. */
export async function documentOf(
  context: Context,
  found: InvoiceView,
  format: FormatName,
): Promise<StructuredDocument> {
  const turn = await turnOf(context, found);
  // Only the holder of a key, or a customer in a portal session, can read an invoice.
  const by = { ...turn, actor: context.caller!.keyId };
  return valueOrThrow(await structuredDocument(context.services, by, format));
}

/** The PDF by its link; it is rendered and read only if its bytes are asked for. */
function pdfOf(context: Context, found: ShownInvoice): ShownDocument {
  const { environment_id: environmentId, id, number } = found.invoice;
  return {
    filename: fileName(number, 'a4'),
    mediaType: 'application/pdf',
    warning: null,
    url: pdfUrlOf(found, context),
    read: async () => valueOrThrow(await fileInTurn(context, environmentId, id, 'a4')).bytes,
  };
}

async function shownDocument(
  context: Context,
  found: ShownInvoice,
  format: (typeof EXPORTED)[number],
): Promise<ShownDocument> {
  if (format === 'pdf') return pdfOf(context, found);
  const { bytes, ...document } = await documentOf(context, found, format);
  return { ...document, url: null, read: () => bytes };
}

builder.objectFields(Invoice, (t) => ({
  document: t.field({
    type: InvoiceDocument,
    nullable: true,
    complexity: DOCUMENT_COST,
    description:
      'The invoice as a PDF, or in a structured format: the same bytes each time. `format_not_applicable`, naming the term, if the format cannot express the invoice; null only together with an error.',
    args: { format: t.arg({ type: ExportedFormEnum, required: true }) },
    extensions: READS_LINES,
    resolve: async (found, { format }, context) => shownDocument(context, found, format),
  }),
  formats: t.field({
    type: [InvoiceFormatOffer],
    complexity: { field: DOCUMENT_COST, multiplier: FORMAT_NAMES.length },
    description: 'The structured formats available for the invoice, and why others are not available.',
    extensions: READS_LINES,
    resolve: async (found, _args, context) =>
      valueOrThrow(await formatsOffered(context.services, await turnOf(context, found))),
  }),
}));
