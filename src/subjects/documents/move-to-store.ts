import { hash } from 'node:crypto';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import { documentKey, type ObjectStore } from './object-store.ts';
import {
  type DocumentPlace,
  type KeptDocument,
  keptAfter,
  keptInPostgres,
  leaveToStore,
} from './store/read-places.ts';

/** What became of the documents that Postgres kept. */
export type Moved = {
  moved: number;
  bytes: number;
  /** Rendered again meanwhile, so left where they are. */
  changed: number;
  /** Not what their checksum says, so left where they are: the next download renders them again. */
  corrupt: number;
};

/**
 * Moves the documents that Postgres keeps to the object store. Of each the bytes are held against the checksum before they leave, and once more as the
 * store gives them back; only then Postgres gives them up, so that a run may be broken off at any time and the next one goes
 * on. Downloads and rendering go on meanwhile. Throws `ObjectStoreError` when the store fails: what was moved until then stays
 * moved.
 */
export async function moveToStore(
  { db, store }: { readonly db: Pick<Db, 'pool'>; readonly store: ObjectStore },
  by: ActorAndReason,
  onProgress: (done: number, documents: number, moved: Moved) => void = () => {},
): Promise<Outcome<Moved>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  const { documents } = await keptInPostgres(db.pool);
  const found: Moved = { moved: 0, bytes: 0, changed: 0, corrupt: 0 };
  if (documents === 0) return found;
  await inTransaction(db.pool, (client) =>
    addAuditEntry(client, {
      ...{ actor: by.actor, action: 'move_documents', subject: 'documents', environmentId: null, reason },
      details: { documents },
    }),
  );
  let after: DocumentPlace | null = null;
  for (let done = 0; ; ) {
    const some: KeptDocument[] = await keptAfter(db.pool, after, LIMITS.documentsMoved.value);
    after = some.at(-1) ?? null;
    if (after === null) return found;
    // All of them to the end: one that fails leaves the others where it says that they are.
    const ends = await Promise.allSettled(some.map((document) => move(db, store, document, found)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    done += some.length;
    onProgress(done, Math.max(done, documents), found);
  }
}

async function move(
  db: Pick<Db, 'pool'>,
  store: ObjectStore,
  document: KeptDocument,
  found: Moved,
): Promise<void> {
  const { bytes, sha256 } = document;
  const isWhole = (given: Buffer | null) => given !== null && hash('sha256', given, 'buffer').equals(sha256);
  if (!isWhole(bytes)) {
    found.corrupt += 1;
    return;
  }
  const key = documentKey(store, document);
  await store.write(key, bytes);
  if (!isWhole(await store.read(key))) throw new Error(`the object store gives back another ${key}`);
  if (await leaveToStore(db.pool, document, key)) {
    found.moved += 1;
    found.bytes += bytes.length;
  } else found.changed += 1;
}
