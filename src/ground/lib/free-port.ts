import { createServer } from 'node:net';

/**
 * A port of the host that is free now: the preferred one if possible, else any. Another program can still take it before
 * the caller does.
 */
export async function freePort(host: string, preferred = 0): Promise<number> {
  return (await probe(host, preferred)) ?? (await probe(host, 0)) ?? 0;
}

function probe(host: string, port: number): Promise<number | null> {
  return new Promise((found) => {
    const server = createServer().once('error', () => found(null));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}
