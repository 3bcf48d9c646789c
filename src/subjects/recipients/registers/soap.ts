import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createSecureContext } from 'node:tls';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import { refuseInterimAnswers } from '../../../ground/lib/interim-answers.ts';
import { isCertificateAlert, isCertificateStatus } from '../../../ground/lib/refused-certificate.ts';
import { callUpstream, type Upstream, type UpstreamOutcome } from '../../../ground/lib/upstream.ts';
import { child, text, type XmlElement, XmlFault, XmlReader } from '../../../ground/lib/xml.ts';
import { RECIPIENT_LIMITS } from '../limits.ts';

/** A register's answer. `silent`: there was none that could be read; `late` when the wait timed out. */
export type SoapAnswer =
  | { readonly kind: 'message'; readonly message: XmlElement }
  | { readonly kind: 'fault'; readonly text: string }
  | {
      readonly kind: 'silent';
      readonly reason: string;
      readonly late: boolean;
      readonly certificateRefused?: boolean;
    };

/** The client certificate that a register requires, and the authority of the register's own. */
export type ClientTls = (
  | { readonly pfx: Buffer; readonly passphrase: string }
  | { readonly cert: string; readonly key: string }
) & {
  readonly ca?: string | Buffer | undefined;
};

/** A client of a SOAP 1.1 service with persistent connections. */
export type SoapClient = {
  /** Posts `message` as the body of an envelope and parses the element `answer` of the response. Never throws. */
  request(message: string, answer: string): Promise<SoapAnswer>;
  close(): void;
};

export type SoapLimits = { readonly answerWithinMs: number; readonly probeAfterMs: number };

const BOUNDS: SoapLimits = {
  answerWithinMs: RECIPIENT_LIMITS.registerAnswer.value,
  /** How often one query checks whether a register that timed out is available again. */
  probeAfterMs: 5_000,
};
/** This many consecutive timeouts indicate an outage: from then on callers are refused at once. */
const WAITS_BEFORE_BREAK = 5;
/** Enough for some hundred queries a second without overloading a public service. */
const MAX_CONNECTIONS = 16;

/**
 * Opens a client of a register; nothing is connected yet. Throws when the certificate or its passphrase is
 * unusable.
 */
export function openSoapClient(
  service: Upstream,
  address: string,
  tls: ClientTls | null,
  limits: Partial<SoapLimits> = {},
): SoapClient {
  const url = new URL(address);
  const agent = agentFor(url, tls);
  const { answerWithinMs, probeAfterMs } = { ...BOUNDS, ...limits };
  // The circuit breaker spares callers the wait. A fault or a refused connection is returned at once and does not
  // count.
  const breaker = circuitBreaker(
    handleWhenResult((answer) => {
      const outcome = answer as SoapAnswer;
      return outcome.kind === 'silent' && outcome.late;
    }),
    { halfOpenAfter: probeAfterMs, breaker: new ConsecutiveBreaker(WAITS_BEFORE_BREAK) },
  );
  const connection = { url, agent, answerWithinMs };
  return {
    request: (message, answer) =>
      guarded(breaker, () =>
        callUpstream(service, url.hostname, () => query(connection, envelope(message), answer), outcomeOf),
      ),
    close: () => agent.destroy(),
  };
}

function outcomeOf(answer: SoapAnswer): { outcome: UpstreamOutcome; certificateRefused?: boolean } {
  if (answer.kind !== 'silent') return { outcome: 'answered' };
  const { late, certificateRefused = false } = answer;
  return { outcome: late ? 'unanswered' : 'unreachable', certificateRefused };
}

function agentFor(url: URL, tls: ClientTls | null): HttpAgent {
  const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  if (url.protocol === 'http:') return new HttpAgent(options);
  if (tls === null) return new HttpsAgent(options);
  const { ca, ...identity } = tls;
  const secureContext = createSecureContext({ ...identity, ...(ca === undefined ? {} : { ca }) });
  return new HttpsAgent({ ...options, secureContext });
}

async function guarded(breaker: CircuitBreakerPolicy, query: () => Promise<SoapAnswer>): Promise<SoapAnswer> {
  try {
    return await breaker.execute(query);
  } catch (error) {
    if (error instanceof BrokenCircuitError) return silent('it has been silent for a while');
    throw error;
  }
}

function silent(reason: string, late = false): Extract<SoapAnswer, { kind: 'silent' }> {
  return { kind: 'silent', reason, late };
}

function envelope(message: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">' +
    `<soapenv:Header/><soapenv:Body>${message}</soapenv:Body></soapenv:Envelope>`
  );
}

type Connection = { readonly url: URL; readonly agent: HttpAgent; readonly answerWithinMs: number };

/**
 * One query and its answer, within the time limit. If the register has closed a persistent connection, the query is
 * retried once.
 */
async function query(connection: Connection, body: string, answer: string): Promise<SoapAnswer> {
  const signal = AbortSignal.timeout(connection.answerWithinMs);
  let sent = await post(connection, body, signal);
  if (sent.kind === 'closed') sent = await post(connection, body, signal);
  if (sent.kind === 'answer') {
    const read = readAnswer(sent.text, answer);
    if (read.kind !== 'silent' || sent.status === 200) return read;
    return { ...silent(`HTTP ${sent.status}`), certificateRefused: isCertificateStatus(sent.status) };
  }
  if (signal.aborted) return silent(`no answer within ${connection.answerWithinMs} ms`, true);
  if (sent.kind !== 'failed') return silent('it closes its connections');
  return { ...silent(sent.reason), certificateRefused: isCertificateAlert(sent.reason) };
}

type Posted =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly reason: string };

function post({ url, agent }: Connection, body: string, signal: AbortSignal): Promise<Posted> {
  return new Promise((resolve) => {
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
    const headers = {
      'content-type': 'text/xml; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      soapaction: '""',
    };
    const failed = (error: Error): void => resolve({ kind: 'failed', reason: error.message });
    const request = send(url, { method: 'POST', agent, headers, signal }, (response) => {
      collect(response).then((text) => {
        resolve({ kind: 'answer', status: response.statusCode ?? 0, text });
      }, failed);
    });
    refuseInterimAnswers(request);
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve({ kind: 'closed' });
      else failed(error);
    });
    request.end(body);
  });
}

async function collect(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > RECIPIENT_LIMITS.registerAnswerSize.value) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The element `name` in the body of a SOAP text, the fault in its place, or why there is neither. */
export function readAnswer(answer: string, name: string): SoapAnswer {
  const reader = new XmlReader();
  let root: XmlElement;
  try {
    reader.write(answer);
    root = reader.close();
  } catch (error) {
    if (error instanceof XmlFault) return silent(`the answer is unreadable: ${error.message}`);
    throw error;
  }
  const body = child(child(root, 'Envelope'), 'Body');
  const fault = child(body, 'Fault');
  if (fault !== null) return { kind: 'fault', text: text(fault, 'faultstring') ?? '' };
  const message = child(body, name);
  return message === null ? silent(`the answer holds no ${name}`) : { kind: 'message', message };
}
