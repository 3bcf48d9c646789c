import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

/** A receiver that records requests and answers as configured. */
export class Receiver {
  readonly received: Received[] = [];
  answer: (response: ServerResponse, received: Received) => void = (response) =>
    response.writeHead(204).end();
  readonly #server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const received = { headers: request.headers, body };
      this.received.push(received);
      this.answer(response, received);
    });
  });

  async open(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get types(): string[] {
    return this.received.map(({ body }) => JSON.parse(body).type);
  }
}
