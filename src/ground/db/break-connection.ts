import type { Socket } from 'node:net';
import { setImmediate as afterwards } from 'node:timers/promises';
import type pg from 'pg';

/** The socket of a connection, which pg's types do not show. */
export function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * Closes a connection immediately: its server may be gone and not answer to an orderly termination. Queries that wait on it
 * fail. Resolves when it is closed, and a pool no longer hands it out.
 */
export async function breakConnection(client: pg.ClientBase): Promise<void> {
  const socket = socketOf(client);
  await new Promise<void>((closed) => {
    if (socket.closed) closed();
    socket.once('close', () => closed()).destroy();
  });
  // The pool learns of it in a later turn than the connection itself.
  await afterwards();
}
