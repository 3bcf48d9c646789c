import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Closes a connection immediately: its server may be gone and not answer to an orderly termination. Queries that wait on it
 * fail.
 */
export function breakConnection(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
