import { hash } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { documentKey, type ObjectStore } from './object-store.ts';
import {
  countPostgresDocuments,
  type DocumentPlace,
  listPostgresDocuments,
  type PostgresDocument,
  recordMovedDocument,
} from './store/read-places.ts';

/**
 * Documents that `lacre database move-documents` moves from Postgres to the object store at once. Each waits for the
 * store twice, for the write and for reading it back; more would only hold more documents in memory.
 */
const DOCUMENTS_MOVED = 8;

/** What happened to the documents in Postgres. */
export type MoveResult = {
  moved: number;
  bytes: number;
  /** Rendered again meanwhile, and therefore not moved. */
  changed: number;
  /** They do not match their checksum and were not moved: the next download renders them again. */
  corrupt: number;
};

/**
 * Moves the documents in Postgres to the object store. The bytes of each are verified against the checksum before
 * the upload and again as read back from the store; only then they are deleted in Postgres, so that a run can be
 * interrupted at any time and the next one continues. Downloads and rendering continue meanwhile. Throws
 * `ObjectStoreError` when the store fails: documents moved until then stay moved.
 */
export async function moveToStore(
  { db, store }: { readonly db: Pick<Db, 'pool'>; readonly store: ObjectStore },
  by: ActorAndReason,
  onProgress: (done: number, documents: number, moved: MoveResult) => void = () => {},
): Promise<Outcome<MoveResult>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const { documents } = await countPostgresDocuments(db.pool);
  const found: MoveResult = { moved: 0, bytes: 0, changed: 0, corrupt: 0 };
  if (documents === 0) return found;
  await inTransaction(db.pool, (client) =>
    addAuditEntry(client, {
      ...{ actor: by.actor, action: 'move_documents', subject: 'documents', environmentId: null, reason },
      details: { documents },
    }),
  );
  let after: DocumentPlace | null = null;
  for (let done = 0; ; ) {
    const some: PostgresDocument[] = await listPostgresDocuments(db.pool, after, DOCUMENTS_MOVED);
    after = some.at(-1) ?? null;
    if (after === null) return found;
    // Waits for all of them: after a failure the others remain where their rows state.
    const ends = await Promise.allSettled(some.map((document) => move(db, store, document, found)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    done += some.length;
    onProgress(done, Math.max(done, documents), found);
  }
}

async function move(
  db: Pick<Db, 'pool'>,
  store: ObjectStore,
  document: PostgresDocument,
  found: MoveResult,
): Promise<void> {
  const { bytes, sha256 } = document;
  const isWhole = (bytes: Buffer | null) => bytes !== null && hash('sha256', bytes, 'buffer').equals(sha256);
  if (!isWhole(bytes)) {
    found.corrupt += 1;
    return;
  }
  const key = documentKey(store, document);
  await store.write(key, bytes);
  if (!isWhole(await store.read(key))) throw new Error(`the object store gives back another ${key}`);
  if (await recordMovedDocument(db.pool, document, key)) {
    found.moved += 1;
    found.bytes += bytes.length;
  } else found.changed += 1;
}
