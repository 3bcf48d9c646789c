import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DONE, drive, type Pace } from '../drive.ts';

/** What to send where: whole requests as text, taken in turn by all connections together. */
export type HttpLoad = Pace & {
  readonly port: number;
  readonly requests: readonly string[];
  readonly expectedStatus: number;
};

type Connection = { send(request: Buffer): Promise<number>; close(): void };

const HEAD_END = Buffer.from('\r\n\r\n');

async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let answered: (status: number) => void = () => {};
  let failed: (error: Error) => void = () => {};
  let status = 0;
  let missing = 0;
  socket.on('data', (chunk: Buffer) => {
    if (missing === 0) ({ status, missing } = readHead(chunk));
    else missing -= chunk.length;
    if (missing === 0) answered(status);
  });
  socket.on('error', (error) => failed(error));
  socket.on('close', () => failed(new Error('the server closed a connection')));
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        socket.write(request);
      }),
    close() {
      failed = () => {};
      socket.destroy();
    },
  };
}

/** The status, and how many bytes of the body are still to come. The head always comes in one piece on a local connection. */
function readHead(chunk: Buffer): { status: number; missing: number } {
  const end = chunk.indexOf(HEAD_END);
  const head = chunk.toString('latin1', 0, end);
  const length = /\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (end < 0 || length === undefined) throw new Error(`an answer without its length:\n${head}`);
  return {
    status: Number(head.slice(9, 12)),
    missing: Number(length) - (chunk.length - end - HEAD_END.length),
  };
}

/**
 * Loads over HTTP with kept connections, one request at a time on each. Answers are only measured: their status and
 * length. A client library would take a share of the two cores that are to be measured.
 */
await drive<HttpLoad>(async ({ port, connections, requests, expectedStatus }) => {
  const bytes = requests.map((request) => Buffer.from(request));
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  let next = 0;
  return {
    async step(connection) {
      const request = bytes[next++ % bytes.length]!;
      const status = await opened[connection]!.send(request);
      return status === expectedStatus ? DONE : `status ${status}`;
    },
    end() {
      for (const connection of opened) connection.close();
    },
  };
});
