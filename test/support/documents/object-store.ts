import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import type { ObjectStoreConfig } from '../../../src/ground/config/config.ts';

const BUCKET = 'documents';
/** The only ones that the server knows. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** A server that speaks S3's protocol over real connections, and what a test sees and does in its bucket. */
export type TestObjectStore = {
  readonly url: string;
  readonly config: ObjectStoreConfig;
  /** The same as variables of the service. */
  variables(endpoint?: string): Record<string, string>;
  /** The headers of every request that it got, the last one last. */
  readonly requestHeaders: IncomingHttpHeaders[];
  /** What it says of the bucket's object lock; null: what a server says that knows of none. */
  answerLock: string | null;
  keys(): Promise<string[]>;
  get(key: string): Promise<Buffer>;
  put(key: string, bytes: Buffer): Promise<void>;
  remove(key: string): Promise<void>;
  close(): Promise<void>;
};

export async function testObjectStore(): Promise<TestObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-s3-'));
  const buckets = { configureBuckets: [{ name: BUCKET }] };
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, ...buckets });
  const requests: IncomingHttpHeaders[] = [];
  const lock: Pick<TestObjectStore, 'answerLock'> = { answerLock: null };
  server.middleware.unshift(async (context, next) => {
    requests.push(context.req.headers);
    if (lock.answerLock === null || !/[?&]object-lock/.test(context.req.url ?? '')) return next();
    // This server does not support object locks; it ignores their headers.
    context.type = 'application/xml';
    context.body = `<ObjectLockConfiguration>${lock.answerLock}</ObjectLockConfiguration>`;
  });
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  const config: ObjectStoreConfig = {
    ...{ storesNew: true, endpoint: url, region: 'eu-south-2', bucket: BUCKET },
    ...{ prefix: '', pathStyle: true, credentials: CREDENTIALS },
  };
  const client = new S3Client({
    ...{ endpoint: url, region: 'eu-south-2', forcePathStyle: true },
    credentials: CREDENTIALS,
  });
  const object = (Key: string) => ({ Bucket: BUCKET, Key });
  return Object.assign(lock, {
    url,
    config,
    requestHeaders: requests,
    variables: (endpoint: string = url) => ({
      ...{ DOCUMENTS: 's3', S3_ENDPOINT: endpoint, S3_BUCKET: BUCKET },
      ...{ S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId, S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey },
    }),
    async keys() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      return Contents.map(({ Key }) => Key!);
    },
    async get(key: string) {
      const { Body } = await client.send(new GetObjectCommand(object(key)));
      return Buffer.from(await Body!.transformToByteArray());
    },
    async put(key: string, bytes: Buffer) {
      await client.send(new PutObjectCommand({ ...object(key), Body: bytes }));
    },
    async remove(key: string) {
      await client.send(new DeleteObjectCommand(object(key)));
    },
    async close() {
      client.destroy();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}
