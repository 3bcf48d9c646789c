import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../../generated/prisma/client.ts';
import { FairSemaphore, type Release } from '../lib/fair-semaphore.ts';
import type { Logger } from '../lib/logger.ts';
import { breakConnection } from './break-connection.ts';
import { WriteState } from './condition/write-state.ts';
import { DATABASE_LIMITS } from './limits.ts';
import { Lineage } from './lineage.ts';
import { ReachableClient } from './reachable-client.ts';
import { currentKind } from './statement-time.ts';
import { acknowledgedOf } from './transaction.ts';

export type { PrismaClient };

/** One pool of connections, used directly where SQL is clearest and through Prisma where its types are. */
export type Db = {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  /**
   * Connections that keep one session each while they are held, which LISTEN and session locks need.
   * The same pool, unless there is a pooler in transaction mode in front of the other.
   */
  readonly sessions: pg.Pool;
  /** What this process knows about the server of its database. */
  readonly lineage: Lineage;
  /**
   * Closes every connection, also those that are being opened: a server that was replaced or hangs may never answer. Resolves
   * when they are closed.
   */
  cut(): Promise<void>;
  /** Whether the database accepts writes. */
  readonly writes: WriteState;
};

type Options = {
  readonly max: number;
  readonly log: Logger;
  /** The URL without the pooler in transaction mode; null if there is none. */
  readonly directUrl?: string | null;
  /** What is already known about whether the database accepts writes. */
  readonly writes?: WriteState;
  /** Whether the server is known not to answer: connections are then refused at once. */
  readonly isAway?: () => boolean;
};

/**
 * With a pooler: a connection for each of the two job runners, on which it listens, and two for taking and completing jobs, one
 * statement each. The jobs themselves use the pooler.
 */
const SESSIONS = 4;

/** Amounts and counters are returned as numbers: everything that is stored is below 2^53 (see LARGEST_AMOUNT). */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint out of the safe range: ${text}`);
  return value;
});

/** Opens the pools. No connection is made before the first query. */
export function openDb(url: string, options: Options): Db {
  const { max, log, directUrl = null, writes = new WriteState(log), isAway = () => false } = options;
  const pooled = directUrl !== null;
  const lineage = new Lineage();
  const shared = { log, writes, isAway, lineage };
  const pool = openPool(url, { ...shared, max, Client: pooled ? UnnamedStatements : ReachableClient });
  const sessions = pooled ? openPool(directUrl, { ...shared, max: SESSIONS, Client: ReachableClient }) : pool;
  const adapter = new PrismaPg(pool, pooled ? {} : { statementNameGenerator: statementNames() });
  const cut = async () => {
    await Promise.all([...new Set([pool, sessions])].map(breakConnections));
  };
  return { pool, prisma: new PrismaClient({ adapter }), sessions, writes, lineage, cut };
}

type PoolOptions = Required<Pick<Options, 'max' | 'log' | 'writes' | 'isAway'>> & {
  readonly Client: typeof ReachableClient;
  readonly lineage: Lineage;
};

function openPool(url: string, { max, log, writes, isAway, Client, lineage }: PoolOptions): pg.Pool {
  const open = new Set<pg.Client>();
  const pool = new SharedPool({
    connectionString: url,
    ...{ max, types, application_name: 'lacre', Client: clientOf(Client, open, isAway) },
    connectionTimeoutMillis: DATABASE_LIMITS.connectionWait.value,
    verify: (client, done) => void lineage.checkConnection(client).then(() => done(), done),
  });
  // Without these handlers a connection closed by the server would end the process. Only the message of the error is
  // logged, because the error contains the whole connection. While the pool ends, the server may close first.
  const note = (error: Error) => {
    // An outage of the database is logged once for all connections (startup/lineage.ts).
    if (!pool.ending) log.debug({ reason: error.message }, 'a database connection failed');
  };
  pool.on('error', note);
  pool.on('connect', (client) => {
    client.on('error', note);
    writes.listenTo(client);
  });
  connectionsOf.set(pool, open);
  acknowledgedOf.set(pool, lineage.acknowledged);
  return pool;
}

/** The connections of one pool, in `open` from the moment that they are being opened. */
function clientOf(
  Client: typeof ReachableClient,
  open: Set<pg.Client>,
  isAway: () => boolean,
): typeof pg.Client {
  return class extends Client {
    // biome-ignore lint/suspicious/noExplicitAny: with a callback, or answering a promise
    override connect(connected?: any): any {
      if (isAway()) {
        const refused = Promise.reject(new Error('Connection terminated: the server is known not to answer'));
        return connected === undefined ? refused : refused.catch(connected);
      }
      open.add(this);
      this.once('end', () => open.delete(this));
      return super.connect(connected);
    }
  };
}

/**
 * A pool of whose connections jobs hold half at most, and wait for each other beyond that: dozens of them may run at once, and a
 * request would wait behind all of them.
 */
class SharedPool extends pg.Pool {
  readonly #jobs: FairSemaphore;
  /** Of connections that jobs hold. */
  readonly #places = new WeakMap<pg.PoolClient, Release>();

  constructor(config: pg.PoolConfig & { readonly max: number }) {
    super(config);
    this.#jobs = new FairSemaphore({
      capacity: Math.ceil(config.max / 2),
      maxWaiting: Number.POSITIVE_INFINITY,
    });
    this.on('release', (_error, client) => this.#places.get(client)?.());
  }

  /**
   * With a callback it is the queue that connects, to listen. It gives a connection back twice that is lost while it stops, which
   * pg answers with an error that nobody awaits: the process would end.
   */
  // biome-ignore lint/suspicious/noExplicitAny: with a callback, or answering a promise
  override connect(connected?: any): any {
    if (connected === undefined) return currentKind() === 'job' ? this.#connectJob() : super.connect();
    return super.connect((error, client, release) => {
      let held = true;
      connected(error, client, (failure?: Error | boolean) => {
        if (held) release(failure);
        held = false;
      });
    });
  }

  async #connectJob(): Promise<pg.PoolClient> {
    const place = await this.#jobs.acquire('jobs');
    try {
      const client = await super.connect();
      this.#places.set(client, place!);
      return client;
    } catch (error) {
      place!();
      throw error;
    }
  }

  /** pg's own sends it in the context of whoever released the connection, so with the time limit of that work. */
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own without a callback, which nobody uses
  override async query(...statement: any[]): Promise<any> {
    const client = await this.connect();
    let failure: Error | undefined;
    try {
      return await client.query(...statement);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}

/** The connections of each pool that are open or being opened. */
const connectionsOf = new WeakMap<pg.Pool, ReadonlySet<pg.Client>>();

async function breakConnections(pool: pg.Pool): Promise<void> {
  await Promise.all([...(connectionsOf.get(pool) ?? [])].map(breakConnection));
}

/**
 * A connection to a pooler that gives every transaction another session: a statement prepared there under a name may be
 * missing the next time, or may exist already, from another client. All statements are therefore unnamed.
 */
class UnnamedStatements extends ReachableClient {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own, which all come down to this
  override query(statement: any, ...rest: any[]): any {
    const isNamed = typeof statement === 'object' && statement !== null && 'name' in statement;
    const query = isNamed ? { ...statement, name: undefined } : statement;
    return (super.query as (...given: unknown[]) => unknown).call(this, query, ...rest);
  }
}

/** Statements that a process keeps prepared on each connection. Our own are a few dozen; those of GraphQL are unlimited. */
const MAX_STATEMENTS = 200;

/**
 * Names the statements that Prisma writes, so that Postgres parses and plans each text once per connection, which is more
 * than half the work of a read with all its relations. Texts beyond the limit use the unnamed statement.
 */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    let name = names.get(sql);
    if (name === undefined) {
      name = names.size < MAX_STATEMENTS ? `prisma-${names.size}` : '';
      if (name !== '') names.set(sql, name);
    }
    return name;
  };
}

/** Closes everything; running queries finish first. */
export async function closeDb(db: Db): Promise<void> {
  await db.prisma.$disconnect();
  await db.pool.end();
  if (db.sessions !== db.pool) await db.sessions.end();
}
