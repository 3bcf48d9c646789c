import pg from 'pg';
import type { TestService } from './http-service.ts';
import { eventually } from './running-program.ts';

/** Where a request can be held up, by locks of the database alone: the service knows nothing of it. */
export type Place =
  | 'the chain'
  | 'insert on invoice'
  | 'the commit'
  | `insert on ${string}`
  | `key ${string}`;

export type Hold = {
  /** Resolves once a request waits at the place. */
  reached(): Promise<void>;
  /** Resolves once a statement with this text waits for a lock. */
  waiters(text: string): Promise<void>;
  /** Lets everybody pass from now on. */
  release(): Promise<void>;
};

/** Statements of the database that wait for a lock. */
async function waiting(client: pg.Client, text: string): Promise<number> {
  // Within a transaction Postgres would show what it showed before.
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
    [text],
  );
  return rows[0]!.count;
}

const GATE = 'hold_up';

/**
 * Holds up the requests of an environment at a place: before they get the chain, at the first row into a table, at
 * the commit, or where the row of an idempotency key is written again. Release it, or close the service's database.
 */
export async function heldUp(service: TestService, place: Place, environmentId: number): Promise<Hold> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  // A service that is killed may take this connection's database with it.
  client.on('error', () => {});
  const statement = await close(client, place, environmentId);
  const waiters = async (text: string) => {
    await eventually(
      () => waiting(client, text),
      (count) => count > 0,
    );
  };
  return {
    reached: () => waiters(statement),
    waiters,
    async release() {
      await client.query('rollback');
      await client.query('select pg_advisory_unlock_all()');
      await client.end();
    },
  };
}

/** Closes the way and tells the statement that will stop there. */
async function close(client: pg.Client, place: Place, environmentId: number): Promise<string> {
  const row = /^key (.+)$/.exec(place)?.[1];
  if (place === 'the chain' || row !== undefined) {
    await client.query('begin');
    const table = row === undefined ? 'chain' : 'idempotency_key';
    const which = row === undefined ? '' : ` and key = ${pg.escapeLiteral(row)}`;
    await client.query(`select 1 from ${table} where environment_id = ${environmentId}${which} for update`);
    return row === undefined ? 'from chain' : 'idempotency_key';
  }
  const atCommit = place === 'the commit';
  const table = atCommit ? 'invoice' : place.replace('insert on ', '');
  await client.query(`select pg_advisory_lock(${environmentId})`);
  const name = `${GATE}_${table}_${environmentId}`;
  const timing = atCommit
    ? `create constraint trigger ${name} after insert on ${table} deferrable initially deferred`
    : `create trigger ${name} before insert on ${table}`;
  await client.query(`
    create or replace function ${GATE}() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(new.environment_id); return new; end $$;
    ${timing} for each row when (new.environment_id = ${environmentId}) execute function ${GATE}()`);
  return atCommit ? 'commit' : table;
}
