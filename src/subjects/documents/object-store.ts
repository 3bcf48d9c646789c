import { createHash } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { ObjectStoreConfig } from '../../ground/config/config.ts';
import { timeStoring } from './metrics.ts';

/** Keeps documents in a bucket that speaks the protocol of S3. Nothing is loaded or connected before the first use. */
export type ObjectStore = {
  /** Whether new documents are kept here; otherwise it is only read. */
  readonly takesNew: boolean;
  /** What stands before every new key. */
  readonly prefix: string;
  /** The object, or null when there is none. Throws `ObjectStoreError` when that cannot be learnt. */
  read(key: string): Promise<Buffer | null>;
  /** Keeps the object, a PDF unless said otherwise; the store checks what arrives against its checksum. Throws `ObjectStoreError`. */
  write(key: string, bytes: Buffer, as?: ObjectKind): Promise<void>;
  /** Whether the bucket has object lock, as far as we may know. Throws `ObjectStoreError`. */
  hasLock(): Promise<boolean>;
  close(): void;
};

export type ObjectKind = {
  /** The media type. */
  readonly type: string;
  /** Where the bucket has object lock and no retention of its own, nobody removes or replaces the object before. */
  readonly lockedUntil?: Date;
};

/** The store does not do what it should: it is out of reach, too slow, too busy, or refuses us. */
export class ObjectStoreError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`the document store: ${reason}`, { cause });
  }
}

/**
 * Where a document belongs in the store: under company, environment (`folder`), invoice and checksum, so that nothing is ever
 * written over anything else, not even by another database in the same bucket.
 */
export function documentKey(
  { prefix }: Pick<ObjectStore, 'prefix'>,
  document: { readonly folder: string; readonly invoiceId: string; readonly sha256: Buffer },
): string {
  return `${prefix}${document.folder}/${document.invoiceId}/${document.sha256.toString('hex')}.pdf`;
}

type Limits = { readonly answerWithinMs: number; readonly probeAfterMs: number };

const LIMITS: Limits = {
  /** Queueing, connecting and trying again included. A document is some 40 kB; whoever downloads it is waiting. */
  answerWithinMs: 8_000,
  /** How soon one request finds out whether a store that failed is back. */
  probeAfterMs: 5_000,
};
/** So many failures in a row are no accident: from then on neither callers nor jobs wait for more of them. */
const FAILURES_BEFORE_BREAK = 5;
/** A host that is up takes a connection at once. Waiting for one of ours to be free counts too. */
const CONNECT_WITHIN_MS = 2_000;
/** At some 20 ms a document that is 800 a second, more than one process renders or serves. */
const MAX_CONNECTIONS = 16;
/** A first refusal may be a server that is being replaced, or one that is busy. */
const ATTEMPTS = 3;

/** Opens the store of the settings. */
export function openObjectStore(config: ObjectStoreConfig, limits: Partial<Limits> = {}): ObjectStore {
  const { answerWithinMs, probeAfterMs } = { ...LIMITS, ...limits };
  let client: Promise<S3Client> | null = null;
  const breaker = circuitBreaker(
    handleWhen((error) => error instanceof ObjectStoreError),
    { halfOpenAfter: probeAfterMs, breaker: new ConsecutiveBreaker(FAILURES_BEFORE_BREAK) },
  );

  /** Within the time, and with every failure told as what it is to us. */
  async function ask<T>(
    operation: 'read' | 'write',
    work: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const done = timeStoring(operation);
    try {
      const answer = await breaker.execute(async () => {
        client ??= connect(config);
        const abortSignal = AbortSignal.timeout(answerWithinMs);
        try {
          return await work(await client, { abortSignal });
        } catch (error) {
          const late = abortSignal.aborted;
          throw new ObjectStoreError(late ? `no answer within ${answerWithinMs} ms` : reasonOf(error), error);
        }
      });
      done('ok');
      return answer;
    } catch (error) {
      done('failed');
      if (error instanceof BrokenCircuitError) {
        throw new ObjectStoreError('it has failed several times in a row and is not asked for a moment');
      }
      throw error;
    }
  }

  return {
    takesNew: config.takesNew,
    prefix: config.prefix,
    read: (key) =>
      ask('read', async (s3, options) => {
        const { GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3');
        try {
          const { Body } = await s3.send(new GetObjectCommand({ Bucket: config.bucket, Key: key }), options);
          return Body === undefined ? null : Buffer.from(await Body.transformToByteArray());
        } catch (error) {
          // A bucket that is not there is another matter: nothing in it is lost.
          if (error instanceof NoSuchKey) return null;
          throw error;
        }
      }),
    hasLock: () => ask('read', async (s3, options) => (await lockOf(s3, config.bucket, options)) !== 'none'),
    write: (key, bytes, { type, lockedUntil } = { type: 'application/pdf' }) =>
      ask('write', async (s3, options) => {
        const { PutObjectCommand } = await import('@aws-sdk/client-s3');
        const locks =
          lockedUntil !== undefined && (await lockOf(s3, config.bucket, options)) === 'ours to set';
        const object = {
          ...{ Bucket: config.bucket, Key: key, Body: bytes, ContentType: type },
          ...(locks ? { ObjectLockMode: 'COMPLIANCE' as const, ObjectLockRetainUntilDate: lockedUntil } : {}),
        };
        const ChecksumSHA256 = createHash('sha256').update(bytes).digest('base64');
        await s3.send(new PutObjectCommand({ ...object, ChecksumSHA256 }), options);
      }),
    close() {
      client?.then(
        (open) => open.destroy(),
        () => {},
      );
    },
  };
}

/**
 * Whether objects of the bucket can be locked, and whether it says itself for how long. A store that does not know of
 * locks, or does not let us ask, refuses the question: then none is set.
 */
async function lockOf(
  s3: S3Client,
  bucket: string,
  options: { abortSignal: AbortSignal },
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

/** The official SDK takes 50 ms and some MB to load: only who keeps documents there pays for it. */
async function connect({ endpoint, region, pathStyle, credentials }: ObjectStoreConfig): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const silent = () => {};
  // It would write to the console that requests queue for a connection: that they do is wanted.
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === null ? {} : { region }),
    ...(credentials === null ? {} : { credentials }),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, httpAgent: agent, httpsAgent: agent, logger },
    // The checksum that Postgres keeps says more than one that the store keeps beside the object.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** The name of S3's error (`AccessDenied`, `NoSuchBucket`) says more than its message, which may repeat the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}
