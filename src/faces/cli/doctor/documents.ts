import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { type ObjectStore, openObjectStore } from '../../../subjects/documents/object-store.ts';
import { anyObjectKey } from '../../../subjects/documents/store/read-places.ts';
import { documentsWaiting } from '../../../subjects/operations/store/read-views.ts';
import { type Finding, failure, ok, reasonOf, warning } from './finding.ts';

/** Where documents are kept: whether it answers, whether what it has is whole, and whether any wait for long. */
export async function documents({ objectStore: config }: Config, db: Db | null): Promise<Finding[]> {
  if (config === null) {
    const place = ok('documents', 'kept in Postgres');
    return db === null ? [place] : [(await storedElsewhere(db)) ?? place, ...(await waitingLong(db))];
  }
  const store = openObjectStore(config);
  try {
    const place = await checkBucket(store, config.bucket);
    if (db === null || place.result !== 'ok') return [place];
    return [place, ...(await sample(store, db)), ...(await waitingLong(db))];
  } finally {
    store.close();
  }
}

/** Requests a missing object: without the right to list the bucket the answer is a refusal, and lost documents would go unnoticed. */
async function checkBucket(store: ObjectStore, bucket: string): Promise<Finding> {
  try {
    await store.read(`${store.prefix}asked-for-by-doctor`);
    const location = store.storesNew ? 'stored in' : 'stored in Postgres; older ones are read from';
    return ok('documents', `${location} the bucket ${bucket}, which answers`);
  } catch (error) {
    const remediation =
      'check the S3_… settings; the key must be allowed s3:GetObject, s3:PutObject and, for the bucket, s3:ListBucket';
    return failure('documents', `the bucket ${bucket} cannot be read: ${reasonOf(error)}`, remediation);
  }
}

async function storedElsewhere(db: Db): Promise<Finding | null> {
  const key = await anyObjectKey(db.pool);
  if (key === null) return null;
  const summary = `some are in an object store (${key}), and none is configured: they cannot be downloaded`;
  return failure('documents', summary, 'set S3_BUCKET and its other settings; DOCUMENTS need not change');
}

/** One document shows whether this is the bucket that the database means. */
async function sample(store: ObjectStore, db: Db): Promise<Finding[]> {
  const key = await anyObjectKey(db.pool);
  if (key === null) return [];
  const bytes = await store.read(key);
  if (bytes !== null) return [];
  const remediation =
    'check that S3_BUCKET is the right bucket; lost documents are rendered again on request';
  return [warning('documents', `${key} is missing`, remediation)];
}

/** Rendering lags under load, but not for so long. */
const LONG_SECONDS = 15 * 60;

async function waitingLong({ pool }: Db): Promise<Finding[]> {
  const { waiting, oldestSeconds } = await documentsWaiting(pool);
  if (oldestSeconds < LONG_SECONDS) return [];
  const summary = `${waiting} are waiting to be rendered, the oldest for ${Math.round(oldestSeconds / 60)} minutes`;
  return [
    warning(
      'documents',
      summary,
      'see last_error of render_documents and render_pdf in graphile_worker.jobs',
    ),
  ];
}
