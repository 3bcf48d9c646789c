import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { codingFor, compress, holdsTag } from './content-coding.ts';

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

  /** Answers with it, compressed where that is understood; 304 to whoever has it already. */
  send<R extends Reply<R>>(request: { readonly headers: IncomingHttpHeaders }, reply: R): R {
    const coding = codingFor(request.headers);
    // RFC 9110 section 8.8.3.3: another coding is another representation, and has a tag of its own.
    const tag = `"${this.#tag}${coding === null ? '' : `-${coding}`}"`;
    for (const [name, value] of Object.entries(this.#headers)) reply.header(name, value);
    const varies = reply.getHeader('vary');
    reply.header('vary', varies === undefined ? 'accept-encoding' : `${varies}, accept-encoding`);
    reply.header('etag', tag);
    if (holdsTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
    if (coding === null) return reply.send(this.#plain);
    return reply.header('content-encoding', coding).send(this.#compressed[coding]);
  }
}
