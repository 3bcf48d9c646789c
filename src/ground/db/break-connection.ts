import type { Socket } from 'node:net';
import { setImmediate as afterwards } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Closes a connection immediately: its server may be gone and not answer to an orderly termination. Queries that wait on it
 * fail. Resolves when it is closed, and a pool no longer hands it out.
 */
export async function breakConnection(client: pg.ClientBase): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  await new Promise<void>((closed) => {
    if (stream.closed) closed();
    stream.once('close', () => closed()).destroy();
  });
  // The pool learns of it in a later turn than the connection itself.
  await afterwards();
}
