import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { ObjectStoreConfig } from '../../ground/config/config.ts';
import { timeStoring } from './metrics.ts';

/** Stores documents in a bucket with the S3 protocol. Nothing is loaded or connected before the first use. */
export type ObjectStore = {
  /** Whether new documents are stored here; otherwise it is only read. */
  readonly storesNew: boolean;
  readonly bucket: string;
  /** The prefix of every new key. */
  readonly prefix: string;
  /** The object, or null when there is none. Throws `ObjectStoreError` when the store cannot answer. */
  read(key: string): Promise<Buffer | null>;
  /** Stores the object, by default a PDF; the store verifies its checksum. Throws `ObjectStoreError`. */
  write(key: string, bytes: Buffer, as?: ObjectKind): Promise<void>;
  /** Whether the bucket has object lock, if we are allowed to know. Throws `ObjectStoreError`. */
  hasLock(): Promise<boolean>;
  close(): void;
};

export type ObjectKind = {
  /** The media type. */
  readonly type: string;
  /**
   * If the bucket has object lock without a default retention, nobody can delete or replace the object before this
   * instant.
   */
  readonly lockedUntil?: Date;
};

/** The store fails: it is unavailable, too slow, too busy, or refuses access. */
export class ObjectStoreError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the document store: ${reason}`, { cause });
  }
}

/**
 * The key of a document in the store: company, environment (`folder`), invoice and checksum, so that nothing is
 * ever overwritten, not even by another database in the same bucket.
 */
export function documentKey(
  { prefix }: Pick<ObjectStore, 'prefix'>,
  document: { readonly folder: string; readonly invoiceId: string; readonly sha256: Buffer },
): string {
  return `${prefix}${document.folder}/${document.invoiceId}/${document.sha256.toString('hex')}.pdf`;
}

type Limits = { readonly answerWithinMs: number; readonly probeAfterMs: number };

const LIMITS: Limits = {
  /**
   * Including queueing, connecting and retries. A document is about 40 kB, and a client is waiting for the
   * download.
   */
  answerWithinMs: 8_000,
  /** The interval at which one request checks whether a store that failed is available again. */
  probeAfterMs: 5_000,
};
/**
 * This many consecutive failures indicate an outage: from then on callers and jobs no longer wait for the store.
 */
const FAILURES_BEFORE_BREAK = 5;
/** A host that is up accepts a connection at once. Includes waiting for a free connection of the pool. */
const CONNECT_WITHIN_MS = 2_000;
/** At about 20 ms each this allows 800 documents a second, more than one process renders or serves. */
const MAX_CONNECTIONS = 16;
/** A first failure may be caused by a server that is being replaced or busy. */
const ATTEMPTS = 3;

/** Opens the store of the settings. */
export function openObjectStore(config: ObjectStoreConfig, limits: Partial<Limits> = {}): ObjectStore {
  const { request, close } = openClient(config, { ...LIMITS, ...limits });
  return {
    storesNew: config.storesNew,
    bucket: config.bucket,
    prefix: config.prefix,
    read: (key) => request('read', (s3, options) => readObject(s3, config.bucket, key, options)),
    hasLock: () =>
      request('read', async (s3, options) => (await lockOf(s3, config.bucket, options)) !== 'none'),
    write: (key, bytes, kind = { type: 'application/pdf' }) =>
      request('write', (s3, options) => writeObject(s3, config.bucket, { key, bytes, kind }, options)),
    close,
  };
}

type RequestOptions = { readonly abortSignal: AbortSignal };

type GuardedClient = {
  /** Enforces the timeout, fails at once during an outage, and converts every failure to `ObjectStoreError`. */
  request<T>(
    operation: 'read' | 'write',
    work: (s3: S3Client, options: RequestOptions) => Promise<T>,
  ): Promise<T>;
  close(): void;
};

/** The client of the store, which connects on the first request. */
function openClient(config: ObjectStoreConfig, { answerWithinMs, probeAfterMs }: Limits): GuardedClient {
  let client: Promise<S3Client> | null = null;
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof ObjectStoreError),
    { halfOpenAfter: probeAfterMs, breaker: new ConsecutiveBreaker(FAILURES_BEFORE_BREAK) },
  );
  return {
    async request(operation, work) {
      const done = timeStoring(operation);
      try {
        const answer = await breaker.execute(async () => {
          client ??= connect(config);
          const abortSignal = AbortSignal.timeout(answerWithinMs);
          try {
            return await work(await client, { abortSignal });
          } catch (error) {
            const late = abortSignal.aborted;
            throw new ObjectStoreError(
              late ? `no answer within ${answerWithinMs} ms` : reasonOf(error),
              error,
            );
          }
        });
        done('ok');
        return answer;
      } catch (error) {
        done('failed');
        if (error instanceof BrokenCircuitError) {
          throw new ObjectStoreError('it has failed several times in a row and is not used for a moment');
        }
        throw error;
      }
    },
    close() {
      client?.then(
        (open) => open.destroy(),
        () => {},
      );
    },
  };
}

async function readObject(
  s3: S3Client,
  bucket: string,
  key: string,
  options: RequestOptions,
): Promise<Buffer | null> {
  const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }), options);
    return Body === undefined ? null : Buffer.from(await Body.transformToByteArray());
  } catch (error) {
    // A missing bucket is different: no document in it is known to be lost.
    if (error instanceof NoSuchKey) return null;
    throw error;
  }
}

async function writeObject(
  s3: S3Client,
  bucket: string,
  { key, bytes, kind: { type, lockedUntil } }: { key: string; bytes: Buffer; kind: ObjectKind },
  options: RequestOptions,
): Promise<void> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  const locks = lockedUntil !== undefined && (await lockOf(s3, bucket, options)) === 'ours to set';
  const object = {
    ...{ Bucket: bucket, Key: key, Body: bytes, ContentType: type },
    ...(locks ? { ObjectLockMode: 'COMPLIANCE' as const, ObjectLockRetainUntilDate: lockedUntil } : {}),
  };
  const ChecksumSHA256 = createHash('sha256').update(bytes).digest('base64');
  await s3.send(new PutObjectCommand({ ...object, ChecksumSHA256 }), options);
}

/**
 * Whether objects of the bucket can be locked, and whether it has a default retention. A store without object lock,
 * or one that denies the request, answers with an error: then no lock is set.
 */
async function lockOf(
  s3: S3Client,
  bucket: string,
  options: RequestOptions,
): Promise<'none' | 'its own' | 'ours to set'> {
  const { GetObjectLockConfigurationCommand, S3ServiceException } = await import('@aws-sdk/client-s3');
  try {
    const answer = await s3.send(new GetObjectLockConfigurationCommand({ Bucket: bucket }), options);
    const { ObjectLockEnabled: enabled, Rule: rule } = answer.ObjectLockConfiguration ?? {};
    if (enabled !== 'Enabled') return 'none';
    return rule?.DefaultRetention?.Mode === undefined ? 'ours to set' : 'its own';
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status !== undefined && (status < 500 || status === 501)) return 'none';
    throw error;
  }
}

/** The official SDK takes 50 ms and some MB to load: only installations with an object store pay for it. */
async function connect({ endpoint, region, pathStyle, credentials }: ObjectStoreConfig): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const silent = () => {};
  // It would log to the console that requests wait for a connection, which is intended.
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === null ? {} : { region }),
    ...(credentials === null ? {} : { credentials }),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, httpAgent: agent, httpsAgent: agent, logger },
    // The checksum in Postgres is stronger than one that the store keeps with the object.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/**
 * The name of S3's error (`AccessDenied`, `NoSuchBucket`) is more useful than its message, which may repeat the
 * request.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}
