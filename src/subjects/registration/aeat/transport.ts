import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { clock } from '../../../ground/lib/clock.ts';
import { refuseInterimAnswers } from '../../../ground/lib/interim-answers.ts';
import { isCertificateAlert, isCertificateStatus } from '../../../ground/lib/refused-certificate.ts';
import { callUpstream, type UpstreamOutcome } from '../../../ground/lib/upstream.ts';
import { AGENCY_LIMITS } from '../limits.ts';
import { recordAgencyTime } from '../metrics.ts';
import type { MessageResult } from './message-result.ts';

/** A certificate with its key: one PKCS#12, or both in PEM. */
export type ClientIdentity =
  | { readonly pfx: Buffer; readonly passphrase: string }
  | { readonly cert: string; readonly key: string };

/** The service's address and the client certificate that it requires. */
export type AgencyAccess = ClientIdentity & {
  readonly endpointUrl: string;
  /** The authority of the agency's own certificate; null for those that Node trusts. */
  readonly ca: Buffer | null;
};

/** How an answer is read while it arrives. */
export type AnswerReading = {
  /** Takes the next chunk. False: the answer is rejected already. */
  readonly write: (chunk: Uint8Array) => boolean;
  /**
   * Whether its text is kept and its size and duration are limited. A rejected answer is then read no further than what is
   * stored of it (`AGENCY_LIMITS.uselessAnswer`), otherwise not at all, and `text` is empty.
   */
  readonly keepsText: boolean;
};

/** A client of the agency with persistent connections. */
export type AgencyClient = {
  /** Posts a SOAP message. Never throws: failures are part of the result. `signal` stops waiting. */
  post(message: string, signal?: AbortSignal, reading?: AnswerReading): Promise<MessageResult>;
  /** Closes the connections. */
  close(): void;
};

export type ClientLimits = {
  readonly connectMs: number;
  readonly answerMs: number;
  readonly answerBytes: number;
};

const BOUNDS: ClientLimits = {
  connectMs: AGENCY_LIMITS.agencyConnection.value,
  // Shorter than the lease of submit.ts.
  answerMs: AGENCY_LIMITS.agencyAnswer.value,
  answerBytes: AGENCY_LIMITS.agencyAnswerSize.value,
};

/**
 * Opens a client of the agency; nothing is connected yet. Throws when the certificate or its passphrase is
 * unusable. `isTrial`: a refusal of the certificate is what is asked for, and alarms nobody.
 */
export function openAgencyClient(
  access: AgencyAccess,
  limits: Partial<ClientLimits> = {},
  isTrial = false,
): AgencyClient {
  const { endpointUrl, ca, ...identity } = access;
  const url = new URL(endpointUrl);
  const agent = new Agent({
    keepAlive: true,
    secureContext: createSecureContext({ ...identity, ...(ca === null ? {} : { ca }) }),
  });
  const bounds = { ...BOUNDS, ...limits };
  return {
    post: (message, signal, reading) =>
      callUpstream(
        'registration',
        url.hostname,
        () => send({ url, agent, message, bounds, signal, reading }),
        (result) => ({
          ...outcomeOf(result),
          certificateRefused: !isTrial && refusesCertificate(result),
        }),
      ),
    close: () => agent.destroy(),
  };
}

function outcomeOf(result: MessageResult): { outcome: UpstreamOutcome; status?: number } {
  if (result.kind === 'answer') return { outcome: 'answered', status: result.status };
  return { outcome: result.kind === 'not_sent' ? 'unreachable' : 'unanswered' };
}

const refusesCertificate = (result: MessageResult): boolean =>
  result.kind === 'answer' ? isCertificateStatus(result.status) : isCertificateAlert(result.reason);

type Posting = {
  readonly url: URL;
  readonly agent: Agent;
  readonly message: string;
  readonly bounds: ClientLimits;
  readonly signal: AbortSignal | undefined;
  readonly reading: AnswerReading | undefined;
};

function send({ url, agent, message, bounds, signal, reading }: Posting): Promise<MessageResult> {
  const body = Buffer.from(message, 'utf8');
  const sentAt = clock.now();
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
    const finish = (result: MessageResult) => {
      clearTimeout(timer);
      resolve(result);
    };
    const limit = (milliseconds: number, problem: string) => {
      clearTimeout(timer);
      timer = setTimeout(
        () => posted.destroy(new Error(`${problem} within ${milliseconds} ms`)),
        milliseconds,
      );
    };
    limit(bounds.connectMs, 'no connection');
    onceConnected(posted, () => {
      connected = true;
      limit(bounds.answerMs, 'no answer');
    });
    refuseInterimAnswers(posted);
    posted.on('error', (error) => {
      finish({ kind: connected ? 'unknown' : 'not_sent', reason: reasonOf(error) });
    });
    posted.on('response', (response) => {
      recordAgencyTime(response.headers.date, sentAt, clock.now());
      const whole =
        reading === undefined || reading.keepsText
          ? readBody(response, bounds.answerBytes, reading?.write)
          : handOn(response, reading.write, () => limit(bounds.answerMs, 'nothing more of the answer'));
      whole.then(
        (text) => finish({ kind: 'answer', status: response.statusCode ?? 0, text }),
        (error: Error) => {
          posted.destroy();
          finish({ kind: 'unknown', reason: reasonOf(error) });
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

/**
 * Keeps the answer, and passes it on while it arrives, yielding in between: of an answer that is rejected, megabytes would
 * be kept for nothing. Invalid UTF-8 becomes replacement characters: the XML parser decides whether they matter.
 */
async function readBody(
  response: IncomingMessage,
  limit: number,
  write: AnswerReading['write'] = () => true,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isRejected = false;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new Error(`the answer exceeds ${limit} bytes`);
    chunks.push(chunk);
    isRejected ||= !write(chunk);
    if (isRejected && size >= AGENCY_LIMITS.uselessAnswer.value) break;
    await nextTurn();
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Passes the answer on, chunk by chunk, yielding in between; each chunk counts as `progress`. */
async function handOn(
  response: IncomingMessage,
  read: (chunk: Uint8Array) => boolean,
  progress: () => void,
): Promise<string> {
  for await (const chunk of response as AsyncIterable<Buffer>) {
    progress();
    if (!read(chunk)) break;
    await nextTurn();
  }
  return '';
}

function reasonOf(error: NodeJS.ErrnoException): string {
  // Node nests the reasons for each of a host's addresses one level down.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  const { code, message } = error;
  return code === undefined || message.includes(code) ? message : `${code}: ${message}`;
}
