import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Breaks a connection at once: its server may be gone and never answer to a farewell. Whoever waits for an answer on it
 * learns that none will come.
 */
export function breakConnection(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
