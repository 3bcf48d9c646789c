import pg from 'pg';
import { z } from 'zod';
import { column, readOneRow } from './rows.ts';

const session = z.object({ pid: column.whole });
const place = z.object({ identity: z.string() });

/** Looks so often: of a pooler under load two clients meet the same session only now and then. */
const LOOKS = 10;

/**
 * Says in words what is wrong with the ways to the database, null when nothing is: a pooler that gives every transaction
 * another session needs a way past it for what holds on to one, and both must lead to the same database. Throws when one
 * of them does not answer.
 */
export async function poolingFault(url: string, directUrl: string | null): Promise<string | null> {
  if (directUrl === null) {
    return (await changesSessions(url))
      ? 'DATABASE_URL leads to a pooler in transaction mode: set DATABASE_DIRECT_URL to the same database without it'
      : null;
  }
  if (await changesSessions(directUrl)) {
    return 'DATABASE_DIRECT_URL leads to a pooler in transaction mode: it must lead past it, to Postgres itself';
  }
  const [pooled, direct] = await Promise.all([url, directUrl].map(identityOf));
  return pooled === direct ? null : 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases';
}

/**
 * Whether transactions of one connection run in different sessions. A pooler tells its clients numbers of its own in
 * place of the server processes'; two clients that meet in the same process, or one that meets two, share sessions.
 */
async function changesSessions(url: string): Promise<boolean> {
  const clients = [quietClient(url), quietClient(url)] as const;
  try {
    await Promise.all(clients.map((client) => client.connect()));
    const [first, second] = clients;
    const session = await sessionOf(first);
    if (session === (first as unknown as { processID: number }).processID) return false;
    for (let look = 0; look < LOOKS; look += 1) {
      if ((await sessionOf(second)) === session || (await sessionOf(first)) !== session) return true;
    }
    return false;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** A connection that is lost between two statements fails the next one, and does not end the process. */
function quietClient(url: string): pg.Client {
  return new pg.Client(url).on('error', () => {});
}

async function sessionOf(client: pg.Client): Promise<number> {
  return (await readOneRow(client, session, 'select pg_backend_pid() as pid')).pid;
}

/** The server and the database on it. */
async function identityOf(url: string): Promise<string> {
  const client = quietClient(url);
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
