import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../ground/db/client.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import type { QrBases } from '../chain/qr-url.ts';
import { isInvoiceId } from '../invoices/list.ts';
import { editionOf, type InvoiceContent, loadInvoiceContent } from './content.ts';
import { countLost } from './metrics.ts';
import { documentKey, type ObjectStore, ObjectStoreError } from './object-store.ts';
import { checksum, type DocumentDefect, readShared, readStored, type Stored } from './read-stored.ts';
import type { Renderer } from './render.ts';
import { type Rendered, RenderingQueue } from './rendering-queue.ts';
import {
  type BytesLocation,
  claimRendering,
  type DocumentRow,
  type DocumentVersion,
  invoiceExists,
  RENEW_MS,
  releaseClaim,
  renewClaim,
  saveDocument,
} from './store/documents.ts';
import type { Paper } from './types.ts';

/** The dependencies of rendering and storing documents. */
export type Documents = {
  readonly db: Pick<Db, 'pool'>;
  readonly log: Logger;
  readonly renderer: Renderer;
  readonly qrBases: QrBases;
  /** Null: documents are stored in Postgres only. */
  readonly objectStore: ObjectStore | null;
};

/** A PDF and its invoice's number, which is part of the file name. */
export type InvoiceFile = { readonly number: string; readonly bytes: Buffer };

export type DocumentOptions = {
  readonly urgent: boolean;
  /** Called once before a document is rendered for the first time: may it be rendered, with this many lines? */
  readonly beforeRendering: (lines: number) => Refusal | null;
  /** Called when the turn of an urgent document has come, before it is read: may it be rendered? */
  readonly beforeReading: () => Refusal | null;
};

type Key = DocumentOptions & { readonly environmentId: number; readonly invoiceId: string };

/** Whether there is an invoice of that id, in the environment if one is given. */
export async function hasInvoice(
  { pool }: Pick<Db, 'pool'>,
  invoiceId: string,
  environmentId: number | null = null,
): Promise<boolean> {
  return isInvoiceId(invoiceId) && (await invoiceExists(pool, invoiceId, environmentId));
}

/** The queue of each renderer. */
const turns = new WeakMap<Renderer, RenderingQueue>();

function turnsOf(renderer: Renderer): RenderingQueue {
  const own = turns.get(renderer) ?? new RenderingQueue();
  turns.set(renderer, own);
  return own;
}

/** Renderings in progress in this process, by environment, invoice and urgency. */
const underWay = new WeakMap<Db['pool'], Map<string, Promise<Outcome<InvoiceFile>>>>();

/**
 * An invoice's document: the stored one, or, if the job has not rendered it yet, rendered and stored now. All
 * callers get the same bytes permanently: only the first rendering is stored, whichever process made it, and what
 * is stored is verified against its checksum each time. A lost document is rendered and stored again. After the
 * invoice is voided, a second document that states it on every page is rendered and served; the first stays stored.
 * Refuses with `invoice_not_found`, with `service_unavailable` while the object store is unavailable or too many
 * reads of the environment wait, and with `rate_limited` when too many renderings of the environment wait. `urgent`
 * is false when no client waits for it.
 */
export async function documentFor(
  documents: Documents,
  environmentId: number,
  invoiceId: string,
  { urgent = true, beforeRendering = () => null, beforeReading = () => null }: Partial<DocumentOptions> = {},
): Promise<Outcome<InvoiceFile>> {
  const key = { environmentId, invoiceId, urgent, beforeRendering, beforeReading };
  try {
    // There are few jobs at once, and none shares what another one reads.
    const stored = await (urgent ? readShared(documents, key, beforeReading) : readStored(documents, key));
    if (stored === null) return notFound();
    if (isRefusal(stored)) return stored;
    const { row, found } = stored;
    return Buffer.isBuffer(found)
      ? { number: row.number, bytes: found }
      : await makeOnce(documents, key, stored);
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    documents.log.warn({ ...key, reason: error.message }, 'a document cannot be read or kept now');
    return new Refusal('service_unavailable', 'The document store is unavailable.');
  }
}

/** Concurrent callers wait for one rendering. `stored` is what was read of the document. */
function makeOnce(documents: Documents, key: Key, stored: Stored): Promise<Outcome<InvoiceFile>> {
  let renderings = underWay.get(documents.db.pool);
  if (renderings === undefined) {
    renderings = new Map();
    underWay.set(documents.db.pool, renderings);
  }
  // A download must not wait as long as a job does.
  const name = `${key.environmentId}:${key.invoiceId}:${key.urgent}`;
  let rendering = renderings.get(name);
  if (rendering === undefined) {
    const own = renderings;
    rendering = make(documents, key, stored).finally(() => own.delete(name));
    renderings.set(name, rendering);
  }
  return rendering;
}

/** Waits for the job or the download of this process that renders the same document. */
async function ownRendering(pool: Db['pool'], { environmentId, invoiceId, urgent }: Key): Promise<void> {
  const rendering = underWay.get(pool)?.get(`${environmentId}:${invoiceId}:${!urgent}`);
  if (rendering === undefined) await new Promise(() => {});
  else await rendering.catch(() => {});
}

/**
 * The interval of checking whether another process is done: a rendering takes about 10 ms, one of 500 lines 100.
 */
const POLL_MS = 50;

/** The document as soon as it exists: rendered here, unless another process has claimed it. */
async function make(documents: Documents, key: Key, stored: Stored): Promise<Outcome<InvoiceFile>> {
  const refusal = key.beforeRendering(stored.row.lines);
  if (refusal !== null) return refusal;
  for (let known: Stored | null = stored; known !== null; known = await readStored(documents, key)) {
    const { row, found } = known;
    if (Buffer.isBuffer(found)) return { number: row.number, bytes: found };
    const file = await makeInTurn(documents, key, row, found);
    if (file === 'claimed') await Promise.race([ownRendering(documents.db.pool, key), pause(POLL_MS)]);
    else if (file !== null) return file;
  }
  return notFound();
}

/** As `makeClaimed`, when the environment's turn has come. Refuses when too many wait. */
async function makeInTurn(
  documents: Documents,
  { environmentId, invoiceId, urgent }: Key,
  row: DocumentRow,
  found: DocumentDefect | 'none',
): Promise<Outcome<InvoiceFile> | 'claimed' | null> {
  const { number, edition, renderings, lines } = row;
  const turn = { owner: environmentId, urgent, lines };
  const release = await turnsOf(documents.renderer).enter(turn);
  if (release === null) return tooManyWait();
  const version = { environmentId, invoiceId, edition, renderings };
  const made = await makeClaimed(documents, version, { before: row.sha256, found }).finally(release);
  return Buffer.isBuffer(made) ? { number, bytes: made } : made;
}

/**
 * The pages of an invoice, with the invoice in CII embedded or on other paper, rendered in the environment's turn
 * and not stored. Refuses with `rate_limited` when too many urgent ones of the environment wait.
 */
export async function renderInTurn(
  renderer: Renderer,
  turn: Pick<Rendered, 'owner' | 'urgent'>,
  content: InvoiceContent,
  facturx: string | null,
  paper: Paper = 'a4',
): Promise<Outcome<Buffer>> {
  const { length: lines } = content.lines;
  const release = await turnsOf(renderer).enter({ ...turn, lines });
  if (release === null) return tooManyWait();
  return renderer.render(content, facturx, paper).finally(release);
}

/** Null when the document has changed meanwhile; `claimed` while another process has claimed it. */
async function makeClaimed(
  documents: Documents,
  version: DocumentVersion,
  { before, found }: { readonly before: Buffer | null; readonly found: DocumentDefect | 'none' },
): Promise<Buffer | 'claimed' | null> {
  const { db, qrBases } = documents;
  const token = randomUUID();
  // Read while it is claimed: the caller waits for one answer of the database instead of two.
  const content = loadInvoiceContent(db, qrBases, version.environmentId, version.invoiceId);
  // It is awaited once the document is claimed; until then its failure is not an unhandled rejection.
  content.catch(() => {});
  const folder = await claimRendering(db.pool, version, token);
  if (folder === null) return 'claimed';
  if (found !== 'none') noteLoss(documents, version, found);
  return whileClaimed(db, version, token, async () =>
    renderAndKeep(documents, version, await content, { folder, before }),
  );
}

/** Renews the claim while the work runs, and releases it when the work fails. */
async function whileClaimed<T>(
  db: Pick<Db, 'pool'>,
  document: DocumentVersion,
  token: string,
  work: () => Promise<T | null>,
): Promise<T | null> {
  const renewing = setInterval(() => {
    // Without the claim another process may render too; then one rendering is kept.
    renewClaim(db.pool, document, token).catch(() => {});
  }, RENEW_MS);
  let result: T | null = null;
  try {
    result = await work();
    return result;
  } finally {
    clearInterval(renewing);
    // A claim that is not released expires.
    if (result === null) await releaseClaim(db.pool, document, token).catch(() => {});
  }
}

/** Null when there is another document by now: the invoice was voided, or another rendering was stored. */
async function renderAndKeep(
  documents: Documents,
  version: DocumentVersion,
  content: InvoiceContent | null,
  known: { readonly folder: string; readonly before: Buffer | null },
): Promise<Buffer | null> {
  const { db, renderer } = documents;
  if (content === null || editionOf(content) !== version.edition) return null;
  const bytes = await renderer.render(content);
  const sha256 = checksum(bytes);
  const which = { folder: known.folder, invoiceId: version.invoiceId, sha256 };
  const location = await locationFor(documents, which, bytes);
  const changed = known.before === null || !known.before.equals(sha256);
  if (!(await saveDocument(db.pool, version, { lookId: content.branding.id, sha256, location, changed })))
    return null;
  if (known.before !== null) noteRepair(documents, version, known.before, sha256);
  return bytes;
}

/** Stores the document where new ones are stored. */
async function locationFor(
  { objectStore }: Documents,
  which: Parameters<typeof documentKey>[1],
  bytes: Buffer,
): Promise<BytesLocation> {
  if (objectStore === null || !objectStore.storesNew) return { bytes };
  const objectKey = documentKey(objectStore, which);
  await objectStore.write(objectKey, bytes);
  return { objectKey };
}

function noteLoss(
  { log }: Documents,
  { renderings: _, ...document }: DocumentVersion,
  defect: DocumentDefect,
): void {
  countLost(defect);
  log.error({ ...document, defect }, 'a stored document is lost; it is rendered again');
}

function noteRepair(
  { log }: Documents,
  { renderings: _, ...document }: DocumentVersion,
  before: Buffer,
  now: Buffer,
): void {
  if (now.equals(before)) log.info(document, 'a lost document is back, byte for byte');
  else {
    const checksums = { before: before.toString('hex'), now: now.toString('hex') };
    log.error(
      { ...document, ...checksums },
      'a lost document is back in another form: this version of the service renders it otherwise',
    );
  }
}

/** Some ten seconds of work: the limits of turns.ts. */
const RETRY_AFTER_SECONDS = 10;

function tooManyWait(): Refusal {
  const detail = 'Too many documents of the environment wait to be made.';
  return new Refusal('rate_limited', detail, { retryAfter: RETRY_AFTER_SECONDS });
}

function notFound(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of that id exists in this environment.');
}
