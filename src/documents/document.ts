import type { QrBases } from '../chain/qr-url.ts';
import type { Db } from '../db/client.ts';
import { type Outcome, Refusal } from '../errors/refusal.ts';
import { editionOf, loadInvoiceContent } from './content.ts';
import type { Renderer } from './render.ts';
import { keepDocument, readDocument } from './store.ts';

/** What documents are made with. */
export type Documents = { readonly db: Db; readonly renderer: Renderer; readonly qrBases: QrBases };

/** A PDF and the number of its invoice, which names the file. */
export type InvoiceFile = { readonly number: string; readonly bytes: Buffer };

/** Renderings under way in this process, by environment and invoice. */
const underWay = new WeakMap<Db, Map<string, Promise<Outcome<InvoiceFile>>>>();

/**
 * An invoice's document: the stored one, or, when the job has not come to it yet, rendered and stored now. Whoever
 * asks gets the same bytes for ever: only the first rendering is kept. Once the invoice is voided, a second document
 * that says so on every page is made and served; what was issued is kept beside it. Refuses with `invoice_not_found`.
 */
export async function documentFor(
  documents: Documents,
  environmentId: number,
  invoiceId: string,
): Promise<Outcome<InvoiceFile>> {
  const known = await readDocument(documents.db, environmentId, invoiceId);
  if (known === null) return notFound();
  const { number, bytes } = known;
  return bytes === null ? renderOnce(documents, environmentId, invoiceId) : { number, bytes };
}

/** Several who ask at once wait for one rendering. */
function renderOnce(
  documents: Documents,
  environmentId: number,
  invoiceId: string,
): Promise<Outcome<InvoiceFile>> {
  let renderings = underWay.get(documents.db);
  if (renderings === undefined) {
    renderings = new Map();
    underWay.set(documents.db, renderings);
  }
  const key = `${environmentId}:${invoiceId}`;
  let rendering = renderings.get(key);
  if (rendering === undefined) {
    const own = renderings;
    rendering = renderAndKeep(documents, environmentId, invoiceId).finally(() => own.delete(key));
    renderings.set(key, rendering);
  }
  return rendering;
}

async function renderAndKeep(
  documents: Documents,
  environmentId: number,
  invoiceId: string,
): Promise<Outcome<InvoiceFile>> {
  const content = await loadInvoiceContent(documents.db, documents.qrBases, environmentId, invoiceId);
  if (content === null) return notFound();
  const { number } = content;
  const bytes = await documents.renderer.render(content);
  const made = { edition: editionOf(content), lookId: content.look.id, bytes };
  if (await keepDocument(documents.db, environmentId, invoiceId, made)) return { number, bytes };
  // Another process was first: its rendering is the document. Or the invoice was voided meanwhile: once more.
  const kept = await readDocument(documents.db, environmentId, invoiceId);
  if (kept === null) throw new Error(`${invoiceId} vanished`);
  return kept.bytes === null
    ? renderAndKeep(documents, environmentId, invoiceId)
    : { number, bytes: kept.bytes };
}

function notFound(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of that id exists in this environment.');
}
