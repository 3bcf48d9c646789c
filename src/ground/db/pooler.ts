import type pg from 'pg';
import { z } from 'zod';
import { singleClient } from './reachable-client.ts';
import { column, readOneRow } from './rows.ts';

const session = z.object({ pid: column.whole });
const place = z.object({ identity: z.string() });

/** The number of attempts: with a pooler under load two clients share a session only occasionally. */
const ATTEMPTS = 10;

/**
 * Describes what is wrong with the database URLs, null if nothing is: with a pooler that gives every transaction another
 * session, work that needs a session requires a URL without it, and both must reach the same database. Throws if one of
 * them does not answer.
 */
export async function poolingFault(url: string, directUrl: string | null): Promise<string | null> {
  if (directUrl === null) {
    return (await changesSessions(url))
      ? 'DATABASE_URL is a pooler in transaction mode: set DATABASE_DIRECT_URL to the same database without it'
      : null;
  }
  if (await changesSessions(directUrl)) {
    return 'DATABASE_DIRECT_URL is a pooler in transaction mode: it must be Postgres itself';
  }
  const [pooled, direct] = await Promise.all([url, directUrl].map(identityOf));
  return pooled === direct ? null : 'DATABASE_URL and DATABASE_DIRECT_URL are different databases';
}

/**
 * Whether transactions of one connection run in different sessions. A pooler reports its own process numbers to clients;
 * two clients in the same server process, or one client in two, reveal shared sessions.
 */
async function changesSessions(url: string): Promise<boolean> {
  const clients = [singleClient(url), singleClient(url)] as const;
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const [first, second] = clients;
    const session = await sessionOf(first);
    if (session === (first as unknown as { processID: number }).processID) return false;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if ((await sessionOf(second)) === session || (await sessionOf(first)) !== session) return true;
    }
    return false;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function sessionOf(client: pg.Client): Promise<number> {
  return (await readOneRow(client, session, 'select pg_backend_pid() as pid')).pid;
}

/** The server and the database on it. */
async function identityOf(url: string): Promise<string> {
  const client = singleClient(url);
  try {
    await client.connect();
    const found = await readOneRow(
      client,
      place,
      `select (pg_control_system()).system_identifier || '/' || oid as identity
         from pg_database where datname = current_database()`,
    );
    return found.identity;
  } finally {
    await client.end().catch(() => {});
  }
}
