import type pg from 'pg';
import { FairSemaphore } from '../lib/fair-semaphore.ts';

/** The name of the statement by which a worker looks for a job and takes it (graphile-worker 0.18.0, `batchGetJobs`). */
const LOOKUP = /^get_job\//;
/** Those by which it ends a job of a named queue (`batchCompleteJobs`, `batchFailJobs`). */
const FREES_QUEUE = /^(complete|fail)_job_q\//;

/**
 * Lookups of one process that run at once, whatever runner they are of. They take connections from the pool that requests use,
 * and whenever jobs are added all runners look at the same moment.
 */
const LOOKUPS_AT_ONCE = 2;

type Lookup = {
  readonly answer: (found: pg.QueryResult) => void;
  readonly fail: (error: unknown) => void;
};

/**
 * Looks for the workers of one runner, one lookup at a time. A lookup that finds nothing, or fails, answers all that were
 * requested before it was sent: whenever jobs are added, a dozen idle workers look for them, and most find nothing.
 */
export class SharedLookups {
  readonly #waiting: Lookup[] = [];
  #underWay = false;

  /** Runs `look` for each lookup; the callback that it gets is to be called when the statement is sent. */
  request(lookUp: (sent: () => void) => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ answer, fail });
      if (!this.#underWay) void this.#run(lookUp);
    });
  }

  async #run(lookUp: (sent: () => void) => Promise<pg.QueryResult>): Promise<void> {
    this.#underWay = true;
    while (this.#waiting.length > 0) {
      let before = 1;
      try {
        const found = await lookUp(() => {
          before = this.#waiting.length;
        });
        const answered = this.#waiting.splice(0, found.rows.length === 0 ? before : 1);
        for (const { answer } of answered) answer(found);
      } catch (error) {
        for (const { fail } of this.#waiting.splice(0, before)) fail(error);
      }
    }
    this.#underWay = false;
  }
}

/** The turns of the runners of one process. */
export const lookupTurns = () =>
  new FairSemaphore({ capacity: LOOKUPS_AT_ONCE, ofOne: 1, maxWaiting: Number.POSITIVE_INFINITY });

/**
 * The same pool for the runner of that name, which shares its lookups; everything else gets a connection as usual.
 * `onQueueFree` is called when a named queue can have its next job: its worker looks for one before the end of the last is
 * recorded, finds none, and would only look again after the poll interval.
 */
export function shareLookups(
  pool: pg.Pool,
  turns: FairSemaphore,
  runner: string,
  onQueueFree: () => void,
): pg.Pool {
  const lookups = new SharedLookups();
  const lookUp = (statement: pg.QueryConfig) =>
    lookups.request(async (sent) => {
      const found = await turns.within(runner, () => {
        sent();
        return pool.query(statement);
      });
      return found!;
    });
  // Its listener connects with a callback, everything else with a promise.
  const connect = (connected?: Parameters<pg.Pool['connect']>[0]) =>
    connected === undefined
      ? Promise.resolve(connectionOnDemand(pool, lookUp, onQueueFree))
      : pool.connect(connected);
  return new Proxy(pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  });
}

/** What a runner uses of a connection: taken from the pool with the first statement that is not a lookup. */
function connectionOnDemand(
  pool: pg.Pool,
  lookUp: (statement: pg.QueryConfig) => Promise<pg.QueryResult>,
  onQueueFree: () => void,
) {
  let connection: Promise<pg.PoolClient> | null = null;
  return {
    async query(statement: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
      const name = typeof statement === 'object' ? (statement.name ?? '') : '';
      if (LOOKUP.test(name)) return lookUp(statement as pg.QueryConfig);
      connection ??= pool.connect();
      const result = await (await connection).query(statement as string, values as unknown[]);
      if (FREES_QUEUE.test(name)) onQueueFree();
      return result;
    },
    async release(): Promise<void> {
      if (connection !== null) (await connection).release();
    },
  };
}
