import type { Db } from '../../ground/db/client.ts';
import { statementsOf } from '../../ground/db/statement-time.ts';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';
import { checksum } from './read-stored.ts';
import { type StoredSum, sumsAfter } from './store/read-places.ts';

/**
 * Documents whose checksums one statement of `lacre verify --documents` computes. Some 40 kB each, so 4 MB that Postgres
 * reads and digests in some ten milliseconds, and nobody else waits for.
 */
const DOCUMENTS_VERIFIED = 100;

/** A stored document that does not match its checksum; `found` is null when the bytes are missing. */
export type DocumentFinding = Pick<StoredSum, 'invoiceId' | 'edition' | 'expected' | 'found'>;

export type DocumentsCheck = {
  readonly environmentId: number;
  readonly documents: number;
  /** The number of all findings; `findings` contains the first of them. */
  readonly findingCount: number;
  readonly findings: readonly DocumentFinding[];
};

const KEPT_FINDINGS = 100;

/**
 * Verifies every stored document of an environment against its checksum, which is also in the journal: those in
 * Postgres without transferring their bytes, those in the object store one at a time. Memory is bounded by one
 * batch; rendering continues meanwhile. Throws `ObjectStoreError` when the store fails, or when documents are in a
 * store and none is configured.
 */
export function verifyStored(
  { db, store }: { readonly db: Pick<Db, 'pool'>; readonly store: ObjectStore | null },
  environmentId: number,
  onProgress: (done: number) => void = () => {},
): Promise<DocumentsCheck> {
  return statementsOf('maintenance', async () => {
    const findings: DocumentFinding[] = [];
    let documents = 0;
    let findingCount = 0;
    for (let after: StoredSum | null = null; ; ) {
      const some: StoredSum[] = await sumsAfter(db.pool, environmentId, after, DOCUMENTS_VERIFIED);
      after = some.at(-1) ?? null;
      if (after === null) return { environmentId, documents, findingCount, findings };
      for (const { invoiceId, edition, expected, objectKey, found: inPostgres } of some) {
        const found = objectKey === null ? inPostgres : await sumInStore(store, objectKey);
        if (found === expected) continue;
        findingCount += 1;
        if (findings.length < KEPT_FINDINGS) findings.push({ invoiceId, edition, expected, found });
      }
      documents += some.length;
      onProgress(documents);
    }
  });
}

async function sumInStore(store: ObjectStore | null, key: string): Promise<string | null> {
  if (store === null) throw new ObjectStoreError('none is configured (S3_BUCKET)');
  const bytes = await store.read(key);
  return bytes === null ? null : checksum(bytes).toString('hex');
}
