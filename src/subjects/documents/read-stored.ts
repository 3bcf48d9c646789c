import { hash } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { FairSemaphore } from '../../ground/lib/fair-semaphore.ts';
import { coalesce } from '../../ground/lib/single-flight.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';
import { type DocumentRow, readDocument } from './store/documents.ts';

/** The result of reading a stored document. */
export type DocumentDefect = 'missing' | 'corrupt';

/** A document's row with its bytes, or why there are none. */
export type Stored = { readonly row: DocumentRow; readonly found: Buffer | DocumentDefect | 'none' };

type From = { readonly db: Pick<Db, 'pool'>; readonly objectStore: ObjectStore | null };
type Which = { readonly environmentId: number; readonly invoiceId: string };

type Shared = { readonly read: () => Promise<Outcome<Stored | null>>; callers: number };
type ReadsInProgress = { readonly room: FairSemaphore; readonly shared: Map<string, Shared> };

/** The queue of each database, and the reads in progress. */
const readings = new WeakMap<Db['pool'], ReadsInProgress>();

function readingOf(pool: Db['pool']): ReadsInProgress {
  let reading = readings.get(pool);
  if (reading === undefined) {
    const room = new FairSemaphore({
      capacity: DOCUMENT_LIMITS.documentsRead.value,
      ofOne: DOCUMENT_LIMITS.documentsReadOfEnvironment.value,
      maxWaiting: DOCUMENT_LIMITS.documentsWaiting.value,
    });
    reading = { room, shared: new Map() };
    readings.set(pool, reading);
  }
  return reading;
}

/**
 * Reads a document for all callers that request it at the same time: a caller that arrives during a read shares the
 * next one, so that nobody gets the result of a read that began before the call. A few are read at once,
 * environments in turn. Null when the environment has no such invoice; `service_unavailable` when too many reads of
 * the environment wait, or when `beforeReading`, called when the turn has come, refuses. Throws `ObjectStoreError`.
 */
export async function readShared(
  from: From,
  which: Which,
  beforeReading: () => Refusal | null,
): Promise<Outcome<Stored | null>> {
  const { room, shared } = readingOf(from.db.pool);
  const { environmentId, invoiceId } = which;
  const key = `${environmentId}:${invoiceId}`;
  let reading = shared.get(key);
  if (reading === undefined) {
    const inTurn = () =>
      room.within(environmentId, async () => ({
        outcome: beforeReading() ?? (await readStored(from, which)),
      }));
    reading = { callers: 0, read: coalesce(async () => ((await inTurn()) ?? TOO_MANY).outcome) };
    shared.set(key, reading);
  }
  reading.callers += 1;
  try {
    return await reading.read();
  } finally {
    reading.callers -= 1;
    if (reading.callers === 0) shared.delete(key);
  }
}

const TOO_MANY = {
  outcome: new Refusal('service_unavailable', 'Too many documents of the environment wait to be read.'),
};

/** Reads a document without queueing. Null when the environment has no such invoice. Throws `ObjectStoreError`. */
export async function readStored(
  { db, objectStore }: From,
  { environmentId, invoiceId }: Which,
): Promise<Stored | null> {
  const row = await readDocument(db.pool, environmentId, invoiceId);
  return row === null ? null : { row, found: await bytesOf(objectStore, row) };
}

async function bytesOf(
  objectStore: ObjectStore | null,
  { sha256, bytes, objectKey }: DocumentRow,
): Promise<Stored['found']> {
  if (sha256 === null) return 'none';
  let kept = bytes;
  if (objectKey !== null) {
    if (objectStore === null) throw new ObjectStoreError('none is configured (S3_BUCKET)');
    kept = await objectStore.read(objectKey);
  }
  if (kept === null) return 'missing';
  return checksum(kept).equals(sha256) ? kept : 'corrupt';
}

/** SHA-256. */
export function checksum(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}
