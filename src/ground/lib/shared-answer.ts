import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { codingFor, compress, matchesEtag } from './content-coding.ts';

/** Bytes that answers share: an answer that is not read holds a reference and no memory. */
const shared = new WeakSet<Buffer>();

/** Bytes that never change and are sent to all callers. */
export function share(bytes: string | Buffer): Buffer {
  const whole = Buffer.from(bytes as string);
  shared.add(whole);
  return whole;
}

/** The memory that an answer alone occupies while it waits. Streams are produced only as fast as they are sent. */
export function waitingBytesOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length;
  return Buffer.isBuffer(payload) && !shared.has(payload) ? payload.length : 0;
}

/** The parts of a reply used here; Fastify's type fits. */
type Reply<R> = {
  header(name: string, value: string): R;
  getHeader(name: string): unknown;
  code(status: number): R;
  send(body?: Buffer): R;
};

/** An answer that is the same for everybody: built and compressed once, and identified by its content. */
export class SharedAnswer {
  /** Its size in memory. */
  readonly size: number;
  readonly #plain: Buffer;
  readonly #compressed: Readonly<Record<'br' | 'gzip', Buffer>>;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tag: string;

  private constructor(
    plain: Buffer,
    [br, gzip]: readonly [Buffer, Buffer],
    headers: Readonly<Record<string, string>>,
  ) {
    this.#plain = plain;
    this.#compressed = { br, gzip };
    this.#headers = headers;
    this.#tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    this.size = plain.length + br.length + gzip.length;
  }

  /** Compresses in another thread. */
  static async of(text: string | Buffer, headers: Readonly<Record<string, string>>): Promise<SharedAnswer> {
    const plain = share(text);
    const [br, gzip] = await Promise.all([compress(plain, 'br'), compress(plain, 'gzip')]);
    return new SharedAnswer(plain, [share(br), share(gzip)], headers);
  }

  /** Sends it, compressed if the client accepts that; 304 if the client has it already. */
  send<R extends Reply<R>>(request: { readonly headers: IncomingHttpHeaders }, reply: R): R {
    const coding = codingFor(request.headers);
    // RFC 9110 section 8.8.3.3: another coding is another representation, and has its own tag.
    const tag = `"${this.#tag}${coding === null ? '' : `-${coding}`}"`;
    for (const [name, value] of Object.entries(this.#headers)) reply.header(name, value);
    const varies = reply.getHeader('vary');
    reply.header('vary', varies === undefined ? 'accept-encoding' : `${varies}, accept-encoding`);
    reply.header('etag', tag);
    if (matchesEtag(request.headers['if-none-match'], tag)) return reply.code(304).send();
    if (coding === null) return reply.send(this.#plain);
    return reply.header('content-encoding', coding).send(this.#compressed[coding]);
  }
}
