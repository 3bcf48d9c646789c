import { createServer } from 'node:net';

/**
 * A port that is free at this moment on the host: the preferred one if it is, else any. Another program can still take
 * it before the caller does.
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
