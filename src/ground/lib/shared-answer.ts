import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** The bytes that any number of answers share: whoever does not read them holds a reference, and no memory. */
const shared = new WeakSet<Buffer>();

/** Bytes that are sent to whoever asks and never change. */
export function share(bytes: string | Buffer): Buffer {
  const whole = Buffer.from(bytes as string);
  shared.add(whole);
  return whole;
}

/** Whether an answer's bytes are shared with others. */
export function isShared(bytes: Buffer): boolean {
  return shared.has(bytes);
}

/** What of a reply is used here; Fastify's fits. */
type Reply<R> = {
  header(name: string, value: string): R;
  getHeader(name: string): unknown;
  code(status: number): R;
  send(body?: Buffer): R;
};

/** An answer that is the same for everybody: made and compressed once, and named by its content. */
export class SharedAnswer {
  /** How much memory it takes. */
  readonly size: number;
  readonly #plain: Buffer;
  readonly #compressed: Buffer;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tag: string;

  private constructor(plain: Buffer, compressed: Buffer, headers: Readonly<Record<string, string>>) {
    this.#plain = plain;
    this.#compressed = compressed;
    this.#headers = headers;
    this.#tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    this.size = plain.length + compressed.length;
  }

  /** Compresses in another thread. */
  static async of(text: string | Buffer, headers: Readonly<Record<string, string>>): Promise<SharedAnswer> {
    const plain = share(text);
    return new SharedAnswer(plain, share(await compress(plain)), headers);
  }

  /** Answers with it, compressed where that is understood; 304 to whoever has it already. */
  send<R extends Reply<R>>(request: { readonly headers: IncomingHttpHeaders }, reply: R): R {
    const zipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(
      String(request.headers['accept-encoding'] ?? ''),
    );
    // RFC 9110 section 8.8.3.3: another coding is another representation, and has a tag of its own.
    const tag = `"${this.#tag}${zipped ? '-gzip' : ''}"`;
    for (const [name, value] of Object.entries(this.#headers)) reply.header(name, value);
    const varies = reply.getHeader('vary');
    reply.header('vary', varies === undefined ? 'accept-encoding' : `${varies}, accept-encoding`);
    reply.header('etag', tag);
    const held = (request.headers['if-none-match'] ?? '')
      .split(',')
      .map((one) => one.trim().replace(/^W\//, ''));
    if (held.includes(tag)) return reply.code(304).send();
    if (zipped) reply.header('content-encoding', 'gzip');
    return reply.send(zipped ? this.#compressed : this.#plain);
  }
}
