import {
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { refuseInterimAnswers } from '../../ground/lib/interim-answers.ts';
import { addressOf } from './addresses.ts';
import { WEBHOOK_LIMITS } from './limits.ts';

/**
 * The part of an endpoint’s answer that is read so that its connection can be reused. Receivers answer with a word or
 * nothing.
 */
const WEBHOOK_ANSWER_READ = 64 * 1_024;

/** The outcome of one attempt. Without `status` there was no answer, and `error` has the reason. */
export type Attempt = {
  readonly at: Date;
  readonly milliseconds: number;
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of the receiver's answer, as text. */
  readonly answer: string | null;
};

/** Whether the receiver has accepted the event. */
export function isAccepted({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

export type Delivery = {
  /** The time of the attempt, by the database's clock. */
  readonly at: Date;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly allowPrivate: boolean;
  /** Aborts the attempt when the process stops. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Connections stay open for the next event; a connection whose address was checked is reused only for that address
 * and name.
 */
const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxFreeSockets: 256, timeout: 30_000 }),
  'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: 256, timeout: 30_000 }),
};

/**
 * Posts an event to an endpoint, once. The name is resolved here and the resulting address is the one connected to,
 * so it cannot change in between. Redirects are not followed. Never throws whatever a receiver does: the attempt
 * ends within 15 s, and no more of the answer is read than is stored.
 */
export async function post(delivery: Delivery): Promise<Attempt> {
  const start = performance.now();
  const { status, error, answer } = await answerOf(delivery);
  return { at: delivery.at, milliseconds: Math.round(performance.now() - start), status, error, answer };
}

type Answer = Pick<Attempt, 'status' | 'error' | 'answer'>;

const failed = (error: string, status: number | null = null): Answer => ({ status, error, answer: null });

/** The end of an attempt whose time is over, or whose process stops. */
type Ending = {
  isOver: boolean;
  /** Resolves when it is over; else never. */
  readonly over: Promise<null>;
  /** Closes the connection, once there is one. */
  close: () => void;
};

async function answerOf(delivery: Delivery): Promise<Answer> {
  // No AbortController: giving up through one takes five times as long, and a thousand attempts may end together.
  const { promise: over, resolve } = Promise.withResolvers<null>();
  const ending: Ending = { isOver: false, over, close: () => {} };
  const end = () => {
    ending.isOver = true;
    ending.close();
    resolve(null);
  };
  const timer = setTimeout(end, WEBHOOK_LIMITS.webhookAttempt.value);
  delivery.signal?.addEventListener('abort', end);
  if (delivery.signal?.aborted) end();
  try {
    return await answerBefore(ending, delivery);
  } finally {
    clearTimeout(timer);
    delivery.signal?.removeEventListener('abort', end);
  }
}

async function answerBefore(ending: Ending, delivery: Delivery): Promise<Answer> {
  const url = new URL(delivery.url);
  const address = await Promise.race([addressOf(url.hostname, delivery.allowPrivate), ending.over]);
  if (address === null || ending.isOver) return failed(tooLate);
  if ('reason' in address) return failed(address.reason);
  try {
    // Closing ends the request too; what it should miss holds no place for longer than an attempt lasts.
    const answer = await Promise.race([send(url, address.address, delivery, ending), ending.over]);
    return answer ?? failed(tooLate);
  } catch (error) {
    return failed(ending.isOver ? tooLate : textOf(error));
  }
}

const tooLate = `no answer within ${WEBHOOK_LIMITS.webhookAttempt.value / 1_000} s`;

/** One for all: recording the stack of an error for each attempt would cost as much as closing its connection. */
const TIMED_OUT = new Error(tooLate);

/** Only the code of the system or of TLS: messages may repeat what the receiver sent. */
function textOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}

function send(url: URL, address: string, delivery: Delivery, ending: Ending): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const secure = url.protocol === 'https:';
  const options: RequestOptions & { servername?: string } = {
    method: 'POST',
    host: address,
    port: url.port || (secure ? 443 : 80),
    path: url.pathname + url.search,
    agent: agents[secure ? 'https:' : 'http:'],
    headers: {
      host: url.host,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(delivery.body),
      'user-agent': 'Lacre-Webhooks/1.0',
      ...delivery.headers,
    },
    // A certificate is checked against the name of the endpoint, not against the address.
    ...(secure && /[a-z]/i.test(url.hostname) && !url.hostname.startsWith('[')
      ? { servername: url.hostname }
      : {}),
  };
  const request = (secure ? requestHttps : requestHttp)(options, (response) => {
    void readAnswer(response).then((answer) => {
      resolve({ status: response.statusCode ?? null, error: null, answer });
    });
  });
  ending.close = () => request.destroy(TIMED_OUT);
  refuseInterimAnswers(request);
  // Settled once the status is known: later events of the connection change nothing.
  request.on('error', (error) => {
    // The receiver closed a persistent connection just when it was reused: nothing was accepted.
    const stale = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (stale && !ending.isOver) resolve(send(url, address, delivery, ending));
    else reject(error);
  });
  request.end(delivery.body);
  return promise;
}

/** The beginning of an answer's body. Reading a long, slow or broken body stops, together with its connection. */
function readAnswer(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const parts: Buffer[] = [];
  let read = 0;
  const done = () => {
    clearTimeout(timer);
    if (!response.complete) response.destroy();
    const begin = Buffer.concat(parts).subarray(0, WEBHOOK_LIMITS.webhookAnswer.value);
    // Postgres accepts no NUL in a text, and the last character may be truncated.
    resolve(
      begin
        .toString('utf8')
        .replaceAll('\0', '')
        .replace(/\uFFFD$/, ''),
    );
  };
  const timer = setTimeout(done, WEBHOOK_LIMITS.webhookAnswerTime.value);
  response.on('data', (chunk: Buffer) => {
    if (read < WEBHOOK_LIMITS.webhookAnswer.value) parts.push(chunk);
    read += chunk.length;
    if (read > WEBHOOK_ANSWER_READ) done();
  });
  response.on('end', done);
  response.on('error', done);
  response.on('close', done);
  return promise;
}
