import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A host that accepts connections and never answers. */
export type SilentServer = {
  /** The URL of a database on it. */
  readonly url: string;
  /** How many connections it has accepted. */
  accepted(): number;
  close(): Promise<void>;
};

/** Starts one on a free port of this machine. */
export async function silentServer(): Promise<SilentServer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}).resume());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `postgres://nobody:nothing@127.0.0.1:${port}/none`,
    accepted: () => sockets.length,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
