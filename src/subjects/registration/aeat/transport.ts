import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { clock } from '../../../ground/lib/clock.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { askUpstream, type UpstreamOutcome } from '../../../ground/lib/upstream.ts';
import { recordAgencyTime } from '../metrics.ts';
import type { Exchange } from './exchange.ts';

/** A certificate with its key: one PKCS#12, or both in PEM. */
export type ClientIdentity =
  | { readonly pfx: Buffer; readonly passphrase: string }
  | { readonly cert: string; readonly key: string };

/** How one reaches the agency: the service's address and the client certificate that it wants to see. */
export type AgencyAccess = ClientIdentity & {
  readonly endpointUrl: string;
  /** Who vouches for the agency's own certificate; null for the authorities that Node knows. */
  readonly ca: Buffer | null;
};

/** A way to the agency that keeps its connections. */
export type AgencyClient = {
  /**
   * Posts a SOAP message. Never throws: trouble is part of the answer. `signal` gives up on waiting. With `read` the
   * answer is handed on as it arrives, whatever its size and for as long as it goes on arriving, and its `text` is empty;
   * once `read` says no the rest is not waited for.
   */
  post(message: string, signal?: AbortSignal, read?: (chunk: Uint8Array) => boolean): Promise<Exchange>;
  /** Closes the kept connections. */
  close(): void;
};

export type ClientLimits = {
  readonly connectMs: number;
  readonly answerMs: number;
  readonly answerBytes: number;
};

const BOUNDS: ClientLimits = {
  connectMs: LIMITS.agencyConnection.value,
  // Below the lease of submit.ts, which must outlast it.
  answerMs: LIMITS.agencyAnswer.value,
  answerBytes: LIMITS.agencyAnswerSize.value,
};

/** Opens the way to the agency; nothing is connected yet. Throws when the certificate or its passphrase is unusable. */
export function openAgencyClient(access: AgencyAccess, limits: Partial<ClientLimits> = {}): AgencyClient {
  const { endpointUrl, ca, ...identity } = access;
  const url = new URL(endpointUrl);
  const agent = new Agent({
    keepAlive: true,
    secureContext: createSecureContext({ ...identity, ...(ca === null ? {} : { ca }) }),
  });
  const bounds = { ...BOUNDS, ...limits };
  return {
    post: (message, signal, read) =>
      askUpstream(
        'registration',
        url.hostname,
        () => exchange({ url, agent, message, bounds, signal, read }),
        told,
      ),
    close: () => agent.destroy(),
  };
}

function told(exchange: Exchange): { outcome: UpstreamOutcome; status?: number } {
  if (exchange.kind === 'answer') return { outcome: 'answered', status: exchange.status };
  return { outcome: exchange.kind === 'not_sent' ? 'unreachable' : 'unanswered' };
}

type Posting = {
  readonly url: URL;
  readonly agent: Agent;
  readonly message: string;
  readonly bounds: ClientLimits;
  readonly signal: AbortSignal | undefined;
  readonly read: ((chunk: Uint8Array) => boolean) | undefined;
};

function exchange({ url, agent, message, bounds, signal, read }: Posting): Promise<Exchange> {
  const body = Buffer.from(message, 'utf8');
  const asked = clock.now();
  return new Promise((resolve) => {
    let connected = false;
    let timer: NodeJS.Timeout | undefined;
    const posted = request(url, {
      method: 'POST',
      agent,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        'Content-Type': 'text/xml; charset=utf-8',
        'Content-Length': body.length,
        SOAPAction: '""',
      },
    });
    const settle = (result: Exchange) => {
      clearTimeout(timer);
      resolve(result);
    };
    const limit = (milliseconds: number, what: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => posted.destroy(new Error(`${what} within ${milliseconds} ms`)), milliseconds);
    };
    limit(bounds.connectMs, 'no connection');
    onceConnected(posted, () => {
      connected = true;
      limit(bounds.answerMs, 'no answer');
    });
    posted.on('error', (error) => {
      settle({ kind: connected ? 'unknown' : 'not_sent', reason: reasonOf(error) });
    });
    posted.on('response', (response) => {
      recordAgencyTime(response.headers.date, asked, clock.now());
      const whole =
        read === undefined
          ? readBody(response, bounds.answerBytes)
          : handOn(response, read, () => limit(bounds.answerMs, 'nothing more of the answer'));
      whole.then(
        (text) => settle({ kind: 'answer', status: response.statusCode ?? 0, text }),
        (error: Error) => {
          posted.destroy();
          settle({ kind: 'unknown', reason: reasonOf(error) });
        },
      );
    });
    posted.end(body);
  });
}

function onceConnected(posted: ClientRequest, connected: () => void): void {
  posted.once('socket', (socket) => {
    if (posted.reusedSocket) connected();
    else socket.once('secureConnect', connected);
  });
}

/** Bytes that are not UTF-8 come out as replacement characters: what they spoil is for the reader of the XML to say. */
async function readBody(response: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new Error(`the answer exceeds ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Hands the answer on, chunk by chunk, with others served in between; each chunk is told as `progress`. */
async function handOn(
  response: IncomingMessage,
  read: (chunk: Uint8Array) => boolean,
  progress: () => void,
): Promise<string> {
  for await (const chunk of response as AsyncIterable<Buffer>) {
    progress();
    if (!read(chunk)) break;
    await othersFirst();
  }
  return '';
}

function reasonOf(error: NodeJS.ErrnoException): string {
  // Every address of a host that was tried in vain: Node puts the reasons one level down.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  const { code, message } = error;
  return code === undefined || message.includes(code) ? message : `${code}: ${message}`;
}
