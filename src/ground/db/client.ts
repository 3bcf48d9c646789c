import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Logger } from '../lib/logger.ts';
import { breakConnection } from './break-connection.ts';
import { WriteState } from './condition/write-state.ts';
import { Lineage } from './lineage.ts';
import { timed } from './statement-time.ts';

export type { PrismaClient };

/** One pool of connections, used raw where SQL is the clearest and through Prisma where its types are. */
export type Db = {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /**
   * Connections that lead to one session each for as long as they are held, which LISTEN and locks of a session need.
   * The same pool, unless a pooler that changes sessions between transactions stands before the other.
   */
  readonly sessions: pg.Pool;
  /** What this process knows of the server that its database is on. */
  readonly lineage: Lineage;
  /** Breaks every connection: those to a server that was replaced may never answer. */
  cut(): void;
  /** Whether the database takes writes. */
  readonly writes: WriteState;
};

type Options = {
  readonly max: number;
  readonly log: Logger;
  /** The way past a pooler in transaction mode; null when there is none. */
  readonly directUrl?: string | null;
  /** What is known already of whether the database takes writes. */
  readonly writes?: WriteState;
};

/**
 * Beside a pooler: one connection for each of the four runners of jobs to listen on, and some on which jobs are taken
 * and concluded, a statement each. What the jobs themselves do goes through the pooler.
 */
const SESSIONS = 8;

/** Amounts and counters come back as numbers: everything that we store is below 2^53 (see LARGEST_AMOUNT). */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint out of the safe range: ${text}`);
  return value;
});

/** Opens the pools. Nothing is connected before the first query. */
export function openDb(url: string, options: Options): Db {
  const { max, log, directUrl = null, writes = new WriteState(log) } = options;
  const pooled = directUrl !== null;
  const pool = openPool(url, { max, log, writes, Client: pooled ? UnnamedStatements : ReachableClient });
  const sessions = pooled
    ? openPool(directUrl, { max: SESSIONS, log, writes, Client: ReachableClient })
    : pool;
  const adapter = new PrismaPg(pool, pooled ? {} : { statementNameGenerator: statementNames() });
  const cut = () => {
    for (const each of new Set([pool, sessions])) breakConnections(each);
  };
  return { pool, prisma: new PrismaClient({ adapter }), sessions, writes, lineage: new Lineage(), cut };
}

function openPool(
  url: string,
  { max, log, writes, Client }: { max: number; log: Logger; writes: WriteState; Client: typeof pg.Client },
): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, types, application_name: 'lacre', Client });
  // Without these handlers a connection that the server closes would end the process. Of the error only the words are
  // logged: it carries the whole connection along. While the pool ends, the server may well be faster.
  const note = (error: Error) => {
    // That the database is away is said once, for all of them (startup/lineage.ts).
    if (!pool.ending) log.debug({ reason: error.message }, 'a database connection failed');
  };
  pool.on('error', note);
  pool.on('connect', (client) => {
    client.on('error', note);
    writes.listenTo(client);
  });
  connectionsOf.set(pool, new Set());
  pool.on('connect', (client) => connectionsOf.get(pool)?.add(client));
  pool.on('remove', (client) => connectionsOf.get(pool)?.delete(client));
  return pool;
}

/** The connections that each pool has open. */
const connectionsOf = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

function breakConnections(pool: pg.Pool): void {
  for (const client of connectionsOf.get(pool) ?? []) breakConnection(client);
}

/** A host that was lost answers nothing at all, not even that it is gone; a reachable one takes milliseconds. */
const CONNECT_MS = 5_000;

/**
 * A connection that does not wait for a machine that is gone, neither to open nor, for ever, to be answered, and whose
 * statements end when their time is up.
 */
class ReachableClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    const given = typeof config === 'string' ? { connectionString: config } : config;
    super({ ...given, connectionTimeoutMillis: CONNECT_MS, keepAlive: true });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own, which all come down to this
  override query(statement: any, ...rest: any[]): any {
    const text = typeof statement === 'string' ? statement : (statement as { text?: unknown } | null)?.text;
    const send = (given: unknown[]) => (super.query as (...given: unknown[]) => unknown).apply(this, given);
    return timed(this, text, [statement, ...rest], send);
  }
}

/**
 * A connection to a pooler that gives every transaction another session: what was prepared there under a name is not
 * there the next time, or is there already, by another client. Everything is prepared without a name, for once.
 */
class UnnamedStatements extends ReachableClient {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own, which all come down to this
  override query(statement: any, ...rest: any[]): any {
    const named = typeof statement === 'object' && statement !== null && 'name' in statement;
    const query = named ? { ...statement, name: undefined } : statement;
    return (super.query as (...given: unknown[]) => unknown).call(this, query, ...rest);
  }
}

/** Statements that a process keeps prepared on each connection. Our own texts are some dozens; GraphQL's are not bounded. */
const MOST_STATEMENTS = 200;

/**
 * Names the statements that Prisma writes, so that Postgres parses and plans each text once a connection: of a read with
 * all its relations that is the larger half. Texts beyond the limit share the unnamed statement, as without names.
 */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    let name = names.get(sql);
    if (name === undefined) {
      name = names.size < MOST_STATEMENTS ? `prisma-${names.size}` : '';
      if (name !== '') names.set(sql, name);
    }
    return name;
  };
}

/** Closes everything; queries under way finish first. */
export async function closeDb(db: Db): Promise<void> {
  await db.prisma.$disconnect();
  await db.pool.end();
  if (db.sessions !== db.pool) await db.sessions.end();
}
