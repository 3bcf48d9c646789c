import {
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { LIMITS } from '../../ground/lib/limits.ts';
import { addressOf } from './addresses.ts';

/** What became of one attempt. Without `status` no answer came, and `error` says why. */
export type Attempt = {
  readonly at: Date;
  readonly milliseconds: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of what the receiver answered, as text. */
  readonly answer: string | null;
};

/** Whether the receiver has taken the event. */
export function isAccepted({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

export type Delivery = {
  /** When it is made, by the database's clock. */
  readonly at: Date;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowPrivate: boolean;
  /** Breaks the attempt off when the process stops. */
  readonly signal?: AbortSignal | undefined;
};

/** Connections stay open for the next event; one that was vetted is used for its own address and name alone. */
const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxFreeSockets: 256, timeout: 30_000 }),
  'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: 256, timeout: 30_000 }),
};

/**
 * Posts an event to an endpoint, once. The name is resolved here and the address found is the one connected to, so
 * nothing can be swapped in between. Redirects are not followed. Never throws for what a receiver does: whatever it is,
 * the attempt ends within 15 s, and of the answer no more is read than is kept.
 */
export async function post(delivery: Delivery): Promise<Attempt> {
  const start = performance.now();
  const { status, error, answer } = await answerOf(delivery);
  return { at: delivery.at, milliseconds: Math.round(performance.now() - start), status, error, answer };
}

type Answer = Pick<Attempt, 'status' | 'error' | 'answer'>;

const failed = (error: string, status: number | null = null): Answer => ({ status, error, answer: null });

async function answerOf(delivery: Delivery): Promise<Answer> {
  // Neither `AbortSignal.timeout` nor `any`: both are kept until garbage is collected, of each attempt of the process.
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, LIMITS.webhookAttempt.value);
  delivery.signal?.addEventListener('abort', end);
  if (delivery.signal?.aborted) end();
  try {
    return await answerWithin(delivery, ending.signal);
  } finally {
    clearTimeout(timer);
    delivery.signal?.removeEventListener('abort', end);
  }
}

async function answerWithin(delivery: Delivery, signal: AbortSignal): Promise<Answer> {
  const url = new URL(delivery.url);
  const address = await Promise.race([addressOf(url.hostname, delivery.allowPrivate), ended(signal)]);
  if (address === null) return failed(tooLate);
  if ('reason' in address) return failed(address.reason);
  try {
    return await exchange(url, address.address, delivery, signal);
  } catch (error) {
    return failed(signal.aborted ? tooLate : wordsOf(error));
  }
}

const tooLate = `no answer within ${LIMITS.webhookAttempt.value / 1_000} s`;

function ended(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** The code of the system or of TLS and no more: messages may repeat what the receiver wrote. */
function wordsOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}

function exchange(url: URL, address: string, delivery: Delivery, signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const secure = url.protocol === 'https:';
  const options: RequestOptions & { servername?: string } = {
    method: 'POST',
    host: address,
    port: url.port || (secure ? 443 : 80),
    path: url.pathname + url.search,
    agent: agents[secure ? 'https:' : 'http:'],
    signal,
    headers: {
      host: url.host,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(delivery.body),
      'user-agent': 'Lacre-Webhooks/1.0',
      ...delivery.headers,
    },
    // A certificate is held against the name of the endpoint, not against the address.
    ...(secure && /[a-z]/i.test(url.hostname) && !url.hostname.startsWith('[')
      ? { servername: url.hostname }
      : {}),
  };
  const request = (secure ? requestHttps : requestHttp)(options, (response) => {
    void readAnswer(response).then((answer) => {
      resolve({ status: response.statusCode ?? null, error: null, answer });
    });
  });
  // Settled once the status is there: what becomes of the rest of the connection changes nothing.
  request.on('error', (error) => {
    // The receiver closed a connection that was kept, just as it was used again: nothing was taken.
    const stale = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (stale && !signal.aborted) resolve(exchange(url, address, delivery, signal));
    else reject(error);
  });
  request.end(delivery.body);
  return promise;
}

/** The beginning of an answer's body. A body that is long, slow or breaks off is given up with its connection. */
function readAnswer(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const parts: Buffer[] = [];
  let read = 0;
  const done = () => {
    clearTimeout(timer);
    if (!response.complete) response.destroy();
    const begin = Buffer.concat(parts).subarray(0, LIMITS.webhookAnswer.value);
    // Postgres takes no NUL in a text, and a character may have been cut.
    resolve(
      begin
        .toString('utf8')
        .replaceAll('\0', '')
        .replace(/\uFFFD$/, ''),
    );
  };
  const timer = setTimeout(done, LIMITS.webhookAnswerTime.value);
  response.on('data', (chunk: Buffer) => {
    if (read < LIMITS.webhookAnswer.value) parts.push(chunk);
    read += chunk.length;
    if (read > LIMITS.webhookAnswerRead.value) done();
  });
  response.on('end', done);
  response.on('error', done);
  response.on('close', done);
  return promise;
}
