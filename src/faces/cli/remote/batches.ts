import { readFile } from 'node:fs/promises';
import type { InvoiceBatchResult, InvoiceRequest, LacreClient } from '@lacre/client';
import { invalidField, isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { BATCH_LIMITS } from '../../../subjects/batches/limits.ts';
import type { Progress } from '../progress.ts';

/** An invoice of a file, and its line number. */
type Line = { readonly line: number; readonly request: InvoiceRequest; readonly bytes: number };

/** Bytes of a body besides its invoices. */
const AROUND = 1_024;

/** The result of issuing a file of invoices. */
type Sent = {
  readonly invoices: number;
  readonly issued: number;
  readonly failed: number;
  readonly errors: readonly {
    readonly line: number;
    readonly externalId: string;
    readonly code: string;
    readonly detail: string;
  }[];
};

/**
 * Issues the invoices of a file, one JSON value per line, in order: in as many batches as necessary, one after the other.
 * If the file cannot be read completely, nothing is sent. Invoices that an earlier run has issued are not issued again, so an
 * interrupted run can be repeated.
 */
export async function sendBatch(
  { invoiceBatches }: Pick<LacreClient, 'invoiceBatches'>,
  path: string,
  progress: Progress,
): Promise<Outcome<Sent>> {
  const lines = await linesOf(path);
  if (isRefusal(lines)) return lines;
  const errors: Sent['errors'][number][] = [];
  let [issued, failed] = [0, 0];
  const show = (done: { issued: number; failed: number }) => {
    const [all, faulty] = [issued + done.issued, failed + done.failed];
    progress.show(all + faulty, lines.length, `${all} issued · ${faulty} failed`);
  };
  try {
    for (const group of groups(lines)) {
      const { id } = await invoiceBatches.create({ invoices: group.map(requestOf) });
      const done = await invoiceBatches.untilCompleted(id, { onProgress: show });
      for await (const result of invoiceBatches.results(id)) {
        if (result.error !== null) errors.push(faultOf(group[result.position - 1]!.line, result));
      }
      issued += done.issued;
      failed += done.failed;
    }
  } finally {
    progress.end();
  }
  return { invoices: lines.length, issued, failed, errors };
}

function requestOf({ request }: Line): InvoiceRequest & { external_id: string } {
  // The service refuses a request without it.
  return request as InvoiceRequest & { external_id: string };
}

function faultOf(line: number, { external_id: externalId, error }: InvoiceBatchResult) {
  return { line, externalId, code: error!.code, detail: error!.detail };
}

async function linesOf(path: string): Promise<Outcome<Line[]>> {
  const texts = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
    invalidField('batch', 'unreadable', error.code ?? 'cannot be read'),
  );
  if (isRefusal(texts)) return texts;
  const lines: Line[] = [];
  const first = new Map<unknown, number>();
  for (const [index, text] of texts.split('\n').entries()) {
    if (text.trim() === '') continue;
    const line = index + 1;
    const request = read(text);
    if (request === null)
      return invalidField('batch', 'invalid_format', `line ${line} must be a JSON object`);
    const { external_id: externalId } = request;
    if (typeof externalId !== 'string')
      return invalidField('batch', 'required', `line ${line} must have an external_id`);
    const earlier = first.get(externalId);
    if (earlier !== undefined)
      return invalidField('batch', 'duplicate', `line ${line} has the external_id of line ${earlier}`);
    first.set(externalId, line);
    lines.push({ line, request, bytes: Buffer.byteLength(JSON.stringify(request)) + 1 });
  }
  return lines.length > 0 ? lines : invalidField('batch', 'too_small', 'contains no invoice');
}

function read(text: string): InvoiceRequest | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as InvoiceRequest)
      : null;
  } catch {
    return null;
  }
}

/** Groups lines into batches within the limits of number and bytes; the service refuses a single line that is too large. */
function groups(lines: readonly Line[]): Line[][] {
  const found: Line[][] = [];
  let room = 0;
  for (const line of lines) {
    const last = found.at(-1);
    if (last === undefined || last.length === BATCH_LIMITS.batchInvoices.value || line.bytes > room) {
      found.push([line]);
      room = BATCH_LIMITS.batchBody.value - AROUND - line.bytes;
    } else {
      last.push(line);
      room -= line.bytes;
    }
  }
  return found;
}
