import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../src/ground/db/client.ts';

/** How many connections to the database were in each state at an instant, on average. */
export type BackendStates = {
  /** With the processor, or waiting for it. */
  readonly running: number;
  /** For a row or an advisory lock that another transaction holds. */
  readonly lock: number;
  /** For the write-ahead log to be written. */
  readonly wal: number;
  /** For something else within Postgres. */
  readonly other: number;
  /** In a transaction, and the service had not sent its next statement. */
  readonly service: number;
};

const INTERVAL_MS = 20;

const STATES = `
  select case when state = 'idle in transaction' then 'service'
              when wait_event_type is null then 'running'
              when wait_event_type = 'Lock' then 'lock'
              when wait_event ilike 'wal%' then 'wal'
              when wait_event_type = 'Client' then 'service' else 'other' end as what, count(*)::int as n
    from pg_stat_activity
   where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' group by 1`;

/** What the connections do while `work` runs, from samples. */
export async function statesDuring<T>(
  { pool }: Pick<Db, 'pool'>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly states: BackendStates }> {
  const sums = { running: 0, lock: 0, wal: 0, other: 0, service: 0 };
  let samples = 0;
  let ended = false;
  const sampling = (async () => {
    for (; !ended; samples++) {
      const { rows } = await pool.query<{ what: keyof BackendStates; n: number }>(STATES);
      for (const { what, n } of rows) sums[what] += n;
      await pause(INTERVAL_MS);
    }
  })();
  const result = await work().finally(() => {
    ended = true;
  });
  await sampling;
  const mean = (sum: number) => sum / Math.max(1, samples);
  const [running, lock, wal] = [mean(sums.running), mean(sums.lock), mean(sums.wal)];
  return { result, states: { running, lock, wal, other: mean(sums.other), service: mean(sums.service) } };
}
