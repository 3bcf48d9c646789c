import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** What the owner of a webhook endpoint may put behind its address. */

type Receiver = { readonly url: string; close(): void };

/** So much is written at a time by who never ends. */
const FLOOD = Buffer.alloc(64 * 1024, 'x');
const GIGABYTE = 1024 ** 3;

/** A head of which every line is another header, so that it never ends either. */
const ENDLESS_HEAD = `x-${'a'.repeat(500)}: ${'b'.repeat(500)}\r\n`;

async function listening(server: Server, scheme: 'http' | 'https' = 'http'): Promise<Receiver> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Does with a connection what it likes once something has come on it. */
function raw(onData: (socket: Socket) => void, scheme: 'http' | 'https' = 'http'): Promise<Receiver> {
  const server = createServer((socket) => socket.once('data', () => onData(socket)));
  return listening(server, scheme);
}

function answering(answer: (response: ServerResponse) => void): Promise<Receiver> {
  const server = createHttpServer((request, response) => {
    response.on('error', () => {});
    request.resume().once('end', () => answer(response));
  });
  return listening(server);
}

/** Writes until the other side has left, as fast as it reads. */
function flood(socket: Socket, bytes: Buffer | string): void {
  let written = 0;
  const go = () => {
    while (socket.writable && written < GIGABYTE) {
      written += bytes.length;
      if (!socket.write(bytes)) {
        socket.once('drain', go);
        return;
      }
    }
  };
  go();
}

function dripping(socket: Socket, bytes: string): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(bytes[at % bytes.length]!);
    at += 1;
  }, 1_000);
  socket.once('close', () => clearInterval(timer));
}

/** One of each kind that does harm, and those that are merely unwilling. */
export async function failingReceivers(): Promise<readonly Receiver[]> {
  return Promise.all([
    raw(() => {}),
    raw((socket) => dripping(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n')),
    answering((response) => {
      response.writeHead(200);
      flood(response.socket!, FLOOD);
    }),
    raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, ENDLESS_HEAD);
    }),
    raw((socket) => flood(socket, FLOOD), 'https'),
    raw((socket) => socket.end('HTTP/9.9 nonsense\r\n\r\n')),
    answering((response) => response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end()),
    answering((response) => response.writeHead(410).end()),
    answering((response) => response.writeHead(500).end('x'.repeat(100_000))),
  ]);
}

/** One that takes whatever comes. */
export function acceptingReceiver(): Promise<Receiver> {
  return answering((response) => response.writeHead(204).end());
}
