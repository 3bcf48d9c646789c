import pg from 'pg';
import type { TestService } from '../http/http-service.ts';
import { eventually } from '../processes/running-program.ts';

/** The places where a test can block a request by database locks, without the service's cooperation. */
export type Place = 'the chain' | `${'insert' | 'commit'} on ${string}`;

export type Hold = {
  /** Resolves once a request waits at the place. */
  reached(): Promise<void>;
  /** Resolves once a statement with this text waits for a lock. */
  waiters(text: string, least?: number): Promise<void>;
  /** Ends the sessions that wait at the place, as if their connections had broken there. */
  end(): Promise<void>;
  /** Lets everybody pass from now on. */
  release(): Promise<void>;
};

const GATE = 'hold_up';
/** Two advisory locks of each environment: one that the test holds while the way is closed, one that tells who came. */
const CLOSED = 0;
const ARRIVED = 1;

/** How many sessions of the database wait for a lock with a statement of this text. */
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

/** The sessions that wait for the test's lock of an environment. */
async function atTheGate(client: pg.Client, environmentId: number): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_locks
      where locktype = 'advisory' and classid = $1 and objid = ${ARRIVED} and granted
        and database = (select oid from pg_database where datname = current_database())`,
    [environmentId],
  );
  return rows.map(({ pid }) => pid);
}

async function some(count: () => Promise<number>, least = 1): Promise<void> {
  await eventually(count, (found) => found >= least);
}

/**
 * Holds up the requests of an environment at a place: before they get the chain, at the first row into a table, or at
 * the commit of one. Of several places each must be held before the first request comes to any.
 */
export async function holdRequest(service: TestService, place: Place, environmentId: number): Promise<Hold> {
  const client = new pg.Client(service.ownerUrl);
  await client.connect();
  // A test that has failed drops the database under it.
  client.on('error', () => {});
  await close(client, place, environmentId);
  const waiters = (text: string, least?: number) => some(() => waiting(client, text), least);
  return {
    reached: () =>
      place === 'the chain'
        ? waiters('lock_chains')
        : some(async () => (await atTheGate(client, environmentId)).length),
    waiters,
    async end() {
      for (const pid of await atTheGate(client, environmentId)) {
        await client.query('select pg_terminate_backend($1)', [pid]);
      }
    },
    async release() {
      await client.query('rollback');
      await client.query('select pg_advisory_unlock_all()');
      await client.end();
    },
  };
}

/** Closes the way. */
async function close(client: pg.Client, place: Place, environmentId: number): Promise<void> {
  if (place === 'the chain') {
    await client.query('begin');
    await client.query(`select 1 from chain where environment_id = ${environmentId} for update`);
    return;
  }
  const [, when, table = ''] = /^(insert|commit) on (\w+)$/.exec(place) ?? [];
  await client.query(`select pg_advisory_lock(${environmentId}, ${CLOSED})`);
  const name = `${GATE}_${table}_${environmentId}`;
  const timing =
    when === 'commit'
      ? `create constraint trigger ${name} after insert on ${table} deferrable initially deferred`
      : `create trigger ${name} before insert on ${table}`;
  await client.query(`
    create or replace function ${GATE}() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(new.environment_id, ${ARRIVED});
        -- Not waiting for the lock itself: that would end with the service's own patience for locks.
        while not pg_try_advisory_xact_lock_shared(new.environment_id, ${CLOSED}) loop
          perform pg_sleep(0.02);
        end loop;
        return new;
      end $$;
    ${timing} for each row when (new.environment_id = ${environmentId}) execute function ${GATE}()`);
}
