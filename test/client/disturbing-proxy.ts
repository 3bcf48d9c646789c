import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Without what is true of the answer before it was read. */
const plain = (headers: Headers) =>
  Object.fromEntries(
    [...headers].filter(([name]) => !/^(content-(encoding|length)|transfer-encoding|connection)$/.test(name)),
  );

/** A way to the service on which answers get lost: of every three POSTs with an idempotency key it answers one in the service's place, and lets
 * the answer to another get lost. */
export class DisturbingProxy {
  /** How many requests had an idempotency key. */
  keyed = 0;
  readonly #server: Server;
  readonly #service: string;

  constructor(service: string) {
    this.#service = service;
    this.#server = createServer((request, reply) => void this.#forward(request, reply));
  }

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }

  async #forward(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const sent = await text(request);
    const { authorization = '', 'idempotency-key': key } = request.headers;
    if (key !== undefined) this.keyed += 1;
    const turn = key === undefined ? 0 : this.keyed % 3;
    if (turn === 1) {
      reply.writeHead(503, { 'retry-after': '0' }).end('busy');
      return;
    }
    const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': String(key) }) };
    const answer = await fetch(`${this.#service}${request.url}`, {
      method: request.method!,
      headers: { ...headers, ...(sent === '' ? {} : { 'content-type': 'application/json' }) },
      ...(sent === '' ? {} : { body: sent }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (turn === 2) reply.destroy();
    else reply.writeHead(answer.status, plain(answer.headers)).end(body);
  }
}
