import type { Readable } from 'node:stream';
import { invalidField, isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import type { Actor } from '../../../ground/journal/audit-log.ts';
import { type Day, dayIn, endOfDay, startOfDay, type TimeZone } from '../../../ground/lib/calendar.ts';
import { uncomputed } from '../../../ground/lib/spreadsheet-text.ts';
import { type Documents, documentFor } from '../../documents/document.ts';
import type { DocumentRequest, FormatServices } from '../format.ts';
import { EXPORT_LIMITS } from '../limits.ts';
import { structuredDocument } from '../registry.ts';
import { countOfPeriod, type InvoiceOfPeriod, pageOfPeriod } from '../store/period.ts';
import type { Exported } from '../types.ts';
import { ZipWriting } from './zip-writing.ts';

/** The scope of an export: the invoices that were issued on these days where the issuer is, the last one included. */
export type ExportedPeriod = {
  readonly environmentId: number;
  /** Who exports: recorded when documents are signed. */
  readonly actor: Actor;
  readonly from: Day;
  readonly to: Day;
  readonly timeZone: TimeZone;
  readonly formats: readonly Exported[];
};

/** What an export works with. */
export type ExportServices = Documents & FormatServices;

/** The settings of an export. */
type Manner = {
  readonly onProgress?: (done: number, total: number) => void;
  /** Builds one document when it is its turn, alternating with other exports. */
  readonly inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
};

/** A running export: the number of invoices, and the bytes of the ZIP file. */
export type Export = {
  readonly invoices: number;
  readonly zip: Readable;
  /** Resolves when no more documents are built, also when nobody reads it to its end. */
  readonly settled: Promise<void>;
};

const PAGE = 200;
const INDEX = 'index.csv';

/**
 * The documents of a period as one ZIP file, built while it is read: each document is built, compressed and
 * released, at the pace of the reader. `index.csv`, the last file in it, has a row for every invoice and format,
 * with the code `format_not_applicable`, the term and the reason where an invoice has no such format. The same
 * invoices give the same files, except for signatures. A failure aborts the stream, so that an incomplete ZIP file
 * cannot be opened. Refuses with `invalid_request` about `to` a period that ends before it begins or contains more
 * invoices than the limit.
 */
export async function exportPeriod(
  services: ExportServices,
  period: ExportedPeriod,
  { onProgress = () => {}, inTurn = (work) => work() }: Manner = {},
): Promise<Outcome<Export>> {
  const invoices = await countExported(services, period);
  if (isRefusal(invoices)) return invoices;
  const issued = instantsOf(period);
  const writing = new ZipWriting(INDEX);
  const { out } = writing;
  const onDone = (done: number) => onProgress(done, invoices);
  const settled = fill(services, period, { issued, writing, onDone, inTurn }).catch((error: Error) => {
    out.destroy(error);
  });
  return { invoices, zip: out, settled };
}

/** How many invoices a period has; refuses as `exportPeriod` does. */
export async function countExported(
  { db }: Pick<ExportServices, 'db'>,
  period: ExportedDays,
): Promise<Outcome<number>> {
  if (period.to < period.from) return invalidField('to', 'out_of_range', 'must not be before the first day');
  const max = EXPORT_LIMITS.exportInvoices.value;
  const invoices = await countOfPeriod(db.pool, instantsOf(period), max);
  if (invoices <= max) return invoices;
  return invalidField('to', 'too_big', `makes a period of more than ${max} invoices: export parts of it`);
}

type ExportedDays = Pick<ExportedPeriod, 'environmentId' | 'from' | 'to' | 'timeZone'>;

function instantsOf({ environmentId, from, to, timeZone }: ExportedDays) {
  return { environmentId, from: startOfDay(timeZone, from), before: endOfDay(timeZone, to) };
}

type Filling = {
  readonly issued: ReturnType<typeof instantsOf>;
  readonly writing: ZipWriting;
  readonly onDone: (done: number) => void;
  readonly inTurn: NonNullable<Manner['inTurn']>;
};

async function fill(
  services: ExportServices,
  { actor, formats, timeZone }: ExportedPeriod,
  { issued, writing, onDone, inTurn }: Filling,
): Promise<void> {
  const { environmentId } = issued;
  const rows = [row(['number', 'invoice', 'issued_on', 'format', 'file', 'code', 'term', 'reason'])];
  let last: InvoiceOfPeriod | null = null;
  for (let done = 0; ; ) {
    const page: InvoiceOfPeriod[] = await pageOfPeriod(services.db.pool, issued, last, PAGE);
    for (const invoice of page) {
      for (const format of formats) {
        writing.requireReader();
        const request = { environmentId, invoiceId: invoice.id, actor, urgent: false };
        const document = await inTurn(() => documentOf(services, request, format));
        rows.push(await written(document, { ...invoice, timeZone }, format, writing));
      }
      done += 1;
      onDone(done);
    }
    last = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  await writing.end(Buffer.from(rows.join('')));
}

/** Adds an invoice's document, and returns its row of the index. */
async function written(
  document: Outcome<NamedFile>,
  { id, number, issuedAt, timeZone }: InvoiceOfPeriod & { readonly timeZone: TimeZone },
  format: Exported,
  writing: ZipWriting,
): Promise<string> {
  const identification = [number, id, dayIn(timeZone, issuedAt), format];
  if (!isRefusal(document)) {
    const file = await writing.add(document.filename, document.bytes, issuedAt);
    return row([...identification, file, '', '', '']);
  }
  const { code, detail, errors } = document;
  // Other refusals are temporary: a file without the document would look complete.
  if (code !== 'format_not_applicable') throw new Error(`${number}: ${detail}`);
  return row([...identification, '', code, errors[0]?.field ?? '', detail]);
}

type NamedFile = { readonly filename: string; readonly bytes: Buffer };

async function documentOf(
  services: ExportServices,
  request: DocumentRequest,
  format: Exported,
): Promise<Outcome<NamedFile>> {
  if (format !== 'pdf') return structuredDocument(services, request, format);
  const file = await documentFor(services, request.environmentId, request.invoiceId, { urgent: false });
  if (isRefusal(file)) return file;
  return { filename: `${file.number.replace(/[^A-Za-z0-9._-]/g, '_')}.pdf`, bytes: file.bytes };
}

/** A row of the index. A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe. */
function row(texts: readonly string[]): string {
  const cells = texts.map((text) => `"${uncomputed(text).replaceAll('"', '""')}"`);
  return `${cells.join(',')}\r\n`;
}
