import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { FairSemaphore } from '../lib/fair-semaphore.ts';
import { breakConnection } from './break-connection.ts';
import type { Db } from './client.ts';
import { Lineage } from './lineage.ts';
import { execute } from './rows.ts';

/** What begins and ends a transaction, inside one that is open already. */
const WITHIN: Readonly<Record<string, string>> = {
  begin: 'savepoint rehearsed',
  commit: 'release savepoint rehearsed',
  rollback: 'rollback to savepoint rehearsed',
};
const BOUNDARY = /^\s*(begin|commit|rollback)\s*(?=;|$)/i;
const OTHER_BOUNDARY =
  /(^|;)\s*(begin|start|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b/i;

/** The text of a statement as the transaction of a rehearsal allows it. Throws for one that would end the transaction. */
export function rehearsedText(text: string): string {
  const boundary = BOUNDARY.exec(text);
  const rest = boundary === null ? text : text.slice(boundary[0].length).replace(/^\s*;/, '');
  if (OTHER_BOUNDARY.test(rest))
    throw new Error('a rehearsal runs in one transaction, which it does not end');
  return boundary === null ? text : `${WITHIN[boundary[1]!.toLowerCase()]};${rest}`;
}

/**
 * A database for rehearsals. Whatever is done with `db` during `run` happens in one transaction of the given connection, which
 * is then rolled back and which Postgres refuses to commit.
 */
export type Rehearsal = {
  readonly db: Db;
  /** Runs `work` in a transaction. Rejects if `signal` aborts, and then the connection is closed. */
  run(client: pg.PoolClient, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** Must be called before each invoice: what the server counts of it is not shown. */
  markInvoice(): Promise<void>;
};

/** Opens a rehearsal for the database of a process; what it knows of the database is not changed by it. */
export function openRehearsal(db: Db): Rehearsal {
  const pool = new RehearsalPool();
  const lineage = new Lineage();
  lineage.known = db.lineage.known;
  const markInvoice = async () => {
    await execute(pool, 'insert into rehearsal (id) values ($1)', [randomUUID()]);
  };
  return {
    db: { ...db, pool, sessions: pool, lineage },
    markInvoice,
    async run(client, signal, work) {
      let broken = false;
      const cut = () => {
        broken = true;
        void breakConnection(client);
      };
      signal.addEventListener('abort', cut, { once: true });
      try {
        signal.throwIfAborted();
        await client.query('begin');
        await pool.within(client, work);
      } finally {
        signal.removeEventListener('abort', cut);
        if (!broken) await client.query('rollback');
      }
    },
  };
}

/** A pool of the one connection whose transaction is open. */
class RehearsalPool extends pg.Pool {
  readonly #transactions = new FairSemaphore({ capacity: 1, maxWaiting: Number.POSITIVE_INFINITY });
  #client: pg.PoolClient | null = null;

  async within(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
    this.#client = client;
    try {
      await work();
    } finally {
      this.#client = null;
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own
  override query(...sent: any[]): any {
    if (this.#client === null) return Promise.reject(new Error('no rehearsal is going on'));
    return send(this.#client, sent);
  }

  /** Transactions take turns: they are parts of the same one. */
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own
  override async connect(): Promise<any> {
    const client = this.#client;
    if (client === null) throw new Error('no rehearsal is going on');
    const release = await this.#transactions.acquire('rehearsal');
    return Object.create(client, {
      query: { value: (...sent: unknown[]) => send(client, sent) },
      release: { value: release },
    });
  }
}

function send(client: pg.PoolClient, [statement, ...rest]: unknown[]): unknown {
  const within =
    typeof statement === 'string'
      ? rehearsedText(statement)
      : { ...(statement as pg.QueryConfig), text: rehearsedText((statement as pg.QueryConfig).text) };
  return (client.query as (...sent: unknown[]) => unknown).call(client, within, ...rest);
}
