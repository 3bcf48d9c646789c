import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** What one path does with one request. A rejection is a bug and is answered with 500. */
export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

/** An envelope of 1,000 records is 2 MiB; the generous rest is room for long texts. */
export const SOAP_BODY_LIMIT = 32 * 1024 * 1024;

/** Settings are a handful of fields. */
export const JSON_BODY_LIMIT = 16 * 1024;

/** Bounds on what one client can hold of the process. */
export function limit(server: Server): void {
  server.maxHeadersCount = 100;
  server.maxConnections = 2_000;
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  // Longer than a client's usual pause between envelopes: closing first would race with its next request.
  server.keepAliveTimeout = 75_000;
}

/** Reads bodies, with a bound for the bytes of all unfinished ones together. */
export class Intake {
  readonly #room: number;
  #arriving = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** Reads a request's body; why not, when it is longer than `max` or breaks off, or others take all the room. */
  async read(request: IncomingMessage, max: number): Promise<Buffer | 'too_large' | 'busy'> {
    if (Number(request.headers['content-length'] ?? 0) > max) return 'too_large';
    const chunks: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        length += chunk.length;
        this.#arriving += chunk.length;
        if (length > max) return 'too_large';
        if (this.#arriving > this.#room) return 'busy';
        chunks.push(chunk);
      }
    } catch {
      return 'too_large';
    } finally {
      this.#arriving -= length;
    }
    return Buffer.concat(chunks);
  }
}

/** Two of the largest bodies may arrive together. */
const intake = new Intake(2 * SOAP_BODY_LIMIT);

/** Reads a request's body into the room that all share. */
export function readBody(request: IncomingMessage, max: number): Promise<Buffer | 'too_large' | 'busy'> {
  return intake.read(request, max);
}

/** Sends a whole answer. */
export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(bytes);
}

export const XML = 'text/xml; charset=utf-8';

export function sendXml(response: ServerResponse, status: number, body: string): void {
  send(response, status, XML, body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json; charset=utf-8', `${JSON.stringify(value, null, 2)}\n`);
}

/** Answers a body that was not read to its end, and stops reading it. */
export function refuseBody(response: ServerResponse, reason: 'too_large' | 'busy'): void {
  const text = 'text/plain; charset=utf-8';
  if (reason === 'too_large') send(response, 413, text, 'The body is too large.\n', { connection: 'close' });
  else send(response, 503, text, 'Too much is arriving.\n', { connection: 'close', 'retry-after': '1' });
}

export function sendMethodNotAllowed(response: ServerResponse, allow: string): void {
  send(response, 405, 'text/plain; charset=utf-8', `Allowed: ${allow}\n`, { allow });
}
