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
import { checksum, type Loss, readStored, readTogether } from './read-stored.ts';
import type { Renderer } from './render.ts';
import { type Rendered, RenderingQueue } from './rendering-queue.ts';
import {
  claimRendering,
  type DocumentVersion,
  invoiceExists,
  keepDocument,
  type Place,
  RENEW_MS,
  releaseClaim,
  renewClaim,
} from './store/documents.ts';
import type { Paper } from './types.ts';

/** What documents are made with and kept in. */
export type Documents = {
  readonly db: Pick<Db, 'pool'>;
  readonly log: Logger;
  readonly renderer: Renderer;
  readonly qrBases: QrBases;
  /** Null: documents are kept in Postgres, and nowhere else. */
  readonly objectStore: ObjectStore | null;
};

/** A PDF and the number of its invoice, which names the file. */
export type InvoiceFile = { readonly number: string; readonly bytes: Buffer };

type Asking = {
  readonly urgent: boolean;
  /** Asked once, before a document is made that there is not yet: may it be, with so many lines? */
  readonly beforeMaking: (lines: number) => Refusal | null;
  /** Asked when it is the turn of what somebody waits for, before the document is read: may it be? */
  readonly beforeReading: () => Refusal | null;
};

type Key = Asking & { readonly environmentId: number; readonly invoiceId: string };

/** Whether there is an invoice of that id, in the environment when one is given. */
export async function hasInvoice(
  { pool }: Pick<Db, 'pool'>,
  invoiceId: string,
  environmentId: number | null = null,
): Promise<boolean> {
  return isInvoiceId(invoiceId) && (await invoiceExists(pool, invoiceId, environmentId));
}

/** Who makes the next document with a renderer. */
const turns = new WeakMap<Renderer, RenderingQueue>();

function turnsOf(renderer: Renderer): RenderingQueue {
  const own = turns.get(renderer) ?? new RenderingQueue(renderer.isBusy);
  turns.set(renderer, own);
  return own;
}

/** Renderings under way in this process, by environment, invoice, and whether somebody waits. */
const underWay = new WeakMap<Db['pool'], Map<string, Promise<Outcome<InvoiceFile>>>>();

/**
 * An invoice's document: the stored one, or, when the job has not come to it yet, rendered and stored now. Whoever
 * asks gets the same bytes for ever: only the first rendering is kept, by one process of all, and what is stored is held
 * against its checksum each time. One that is lost is rendered again and stored again. Once the invoice is voided, a
 * second one that says so on every page is made and served; what was issued is kept beside it. Refuses with
 * `invoice_not_found`, with `service_unavailable` while the object store is out of reach or too many of the environment wait to be read, and with `rate_limited` when
 * too many of the environment wait to be made. Not `urgent` is what nobody waits for.
 */
export async function documentFor(
  documents: Documents,
  environmentId: number,
  invoiceId: string,
  { urgent = true, beforeMaking = () => null, beforeReading = () => null }: Partial<Asking> = {},
): Promise<Outcome<InvoiceFile>> {
  const key = { environmentId, invoiceId, urgent, beforeMaking, beforeReading };
  try {
    // Jobs are few at once, and nobody shares what they read.
    const stored = await (urgent ? readTogether(documents, key, beforeReading) : readStored(documents, key));
    if (stored === null) return notFound();
    if (isRefusal(stored)) return stored;
    const { row, found } = stored;
    return Buffer.isBuffer(found) ? { number: row.number, bytes: found } : await makeOnce(documents, key);
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    documents.log.warn({ ...key, reason: error.message }, 'a document cannot be read or kept now');
    return new Refusal('service_unavailable', 'The store of documents is out of reach.');
  }
}

/** Several who ask at once wait for one rendering. */
function makeOnce(documents: Documents, key: Key): Promise<Outcome<InvoiceFile>> {
  let makings = underWay.get(documents.db.pool);
  if (makings === undefined) {
    makings = new Map();
    underWay.set(documents.db.pool, makings);
  }
  // A download does not wait where a job does.
  const name = `${key.environmentId}:${key.invoiceId}:${key.urgent}`;
  let making = makings.get(name);
  if (making === undefined) {
    const own = makings;
    making = make(documents, key).finally(() => own.delete(name));
    makings.set(name, making);
  }
  return making;
}

/** The end of what the job of this process, or the download, does to the same document meanwhile. */
async function ownMaking(pool: Db['pool'], { environmentId, invoiceId, urgent }: Key): Promise<void> {
  const making = underWay.get(pool)?.get(`${environmentId}:${invoiceId}:${!urgent}`);
  if (making === undefined) await new Promise(() => {});
  else await making.catch(() => {});
}

/** How often one looks whether another process is done: a rendering takes some 10 ms, one of 500 lines 100. */
const LOOK_AGAIN_MS = 50;

/** The document as soon as there is one: rendered here, unless another process has the right to. */
async function make(documents: Documents, key: Key): Promise<Outcome<InvoiceFile>> {
  const { environmentId, invoiceId } = key;
  for (let asked = false; ; asked = true) {
    const stored = await readStored(documents, key);
    if (stored === null) return notFound();
    const { row, found } = stored;
    const { number, edition, renderings } = row;
    if (Buffer.isBuffer(found)) return { number, bytes: found };
    const refusal = asked ? null : key.beforeMaking(row.lines);
    if (refusal !== null) return refusal;
    const leave = await turnsOf(documents.renderer).enter({ ...key, owner: environmentId, lines: row.lines });
    if (leave === null) return tooManyWait();
    const version = { environmentId, invoiceId, edition, renderings };
    const made = await makeClaimed(documents, version, { before: row.sha256, found }).finally(leave);
    if (made === 'claimed') await Promise.race([ownMaking(documents.db.pool, key), pause(LOOK_AGAIN_MS)]);
    else if (made !== null) return { number, bytes: made };
  }
}

/**
 * The pages of an invoice, with the invoice in CII in the file or on other paper, rendered in the environment's turn and kept nowhere. Refuses
 * with `rate_limited` when too many urgent ones of the environment wait.
 */
export async function renderInTurn(
  renderer: Renderer,
  whose: Pick<Rendered, 'owner' | 'urgent'>,
  content: InvoiceContent,
  facturx: string | null,
  paper: Paper = 'a4',
): Promise<Outcome<Buffer>> {
  const { length: lines } = content.lines;
  const leave = await turnsOf(renderer).enter({ ...whose, lines });
  if (leave === null) return tooManyWait();
  return renderer.render(content, facturx, paper).finally(leave);
}

/** Null when the document has changed meanwhile; `claimed` while another process has the right to make it. */
async function makeClaimed(
  documents: Documents,
  version: DocumentVersion,
  { before, found }: { readonly before: Buffer | null; readonly found: Loss | 'none' },
): Promise<Buffer | 'claimed' | null> {
  const { db } = documents;
  const token = randomUUID();
  const folder = await claimRendering(db.pool, version, token);
  if (folder === null) return 'claimed';
  if (found !== 'none') noteLoss(documents, version, found);
  return whileClaimed(db, version, token, () => renderAndKeep(documents, version, { folder, before }));
}

/** Prolongs the claim for as long as the work takes, and gives it back when that fails. */
async function whileClaimed<T>(
  db: Pick<Db, 'pool'>,
  document: DocumentVersion,
  token: string,
  work: () => Promise<T | null>,
): Promise<T | null> {
  const renewing = setInterval(() => {
    // Without it another process may render too, of which one rendering is kept.
    renewClaim(db.pool, document, token).catch(() => {});
  }, RENEW_MS);
  let made: T | null = null;
  try {
    made = await work();
    return made;
  } finally {
    clearInterval(renewing);
    // A claim that is not given back runs out.
    if (made === null) await releaseClaim(db.pool, document, token).catch(() => {});
  }
}

/** Null when there is another document by now: the invoice was voided meanwhile, or another rendering is kept. */
async function renderAndKeep(
  documents: Documents,
  version: DocumentVersion,
  known: { readonly folder: string; readonly before: Buffer | null },
): Promise<Buffer | null> {
  const { db, qrBases, renderer } = documents;
  const content = await loadInvoiceContent(db, qrBases, version.environmentId, version.invoiceId);
  if (content === null || editionOf(content) !== version.edition) return null;
  const bytes = await renderer.render(content);
  const sha256 = checksum(bytes);
  const which = { folder: known.folder, invoiceId: version.invoiceId, sha256 };
  const place = await placeFor(documents, which, bytes);
  const changed = known.before === null || !known.before.equals(sha256);
  if (!(await keepDocument(db.pool, version, { lookId: content.branding.id, sha256, place, changed })))
    return null;
  if (known.before !== null) noteRepair(documents, version, known.before, sha256);
  return bytes;
}

/** Puts the document where new ones are kept. */
async function placeFor(
  { objectStore }: Documents,
  which: Parameters<typeof documentKey>[1],
  bytes: Buffer,
): Promise<Place> {
  if (objectStore === null || !objectStore.takesNew) return { bytes };
  const objectKey = documentKey(objectStore, which);
  await objectStore.write(objectKey, bytes);
  return { objectKey };
}

function noteLoss({ log }: Documents, { renderings: _, ...document }: DocumentVersion, why: Loss): void {
  countLost(why);
  log.error({ ...document, why }, 'a stored document is lost; it is rendered again');
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
const COME_BACK_SECONDS = 10;

function tooManyWait(): Refusal {
  const detail = 'Too many documents of the environment wait to be made.';
  return new Refusal('rate_limited', detail, { retryAfter: COME_BACK_SECONDS });
}

function notFound(): Refusal {
  return new Refusal('invoice_not_found', 'No invoice of that id exists in this environment.');
}
