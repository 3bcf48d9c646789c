import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Db } from '../../src/ground/db/client.ts';
import type { AgencyClient } from '../../src/subjects/registration/aeat/transport.ts';

/** The database and the agency as a worker sees them that may die at any moment. */
export type CrashingWorker = {
  readonly db: Db;
  readonly agency: AgencyClient;
  /** Resolves when it has died. What it was doing then never ends. */
  readonly death: Promise<void>;
};

/** Nobody hears of what a dead worker was doing. */
const never = <T>() => new Promise<T>(() => {});

/**
 * A worker that dies at its `dies`-th moment, as by SIGKILL: there is one before and one after each statement, and
 * one before, in and after each exchange. Its connections break, so that the database rolls back what is open.
 */
export function crashingWorker(db: Db, agency: AgencyClient, dies: number | null): CrashingWorker {
  const connections = new Set<pg.PoolClient>();
  let left = dies ?? Number.POSITIVE_INFINITY;
  let notify = () => {};
  const death = new Promise<void>((resolve) => {
    notify = resolve;
  });
  /** Whether it dies here. */
  const moment = (): boolean => {
    left -= 1;
    if (left > 0) return false;
    for (const connection of connections) connection.release(new Error('killed'));
    connections.clear();
    notify();
    return true;
  };
  async function step<T>(act: () => Promise<T>): Promise<T> {
    if (moment()) return never();
    const done = await act();
    return moment() ? never() : done;
  }
  const connect = async (): Promise<pg.PoolClient> => {
    if (moment()) return never();
    const connection = await db.pool.connect();
    connections.add(connection);
    if (moment()) return never();
    const mine = {
      query: (...given: unknown[]) => step(() => query(connection, given)),
      on: connection.on.bind(connection),
      off: connection.off.bind(connection),
      release(error?: Error) {
        if (connections.delete(connection)) connection.release(error);
      },
    };
    return mine as unknown as pg.PoolClient;
  };
  const pool = { connect, query: (...given: unknown[]) => step(() => query(db.pool, given)) };
  const post: AgencyClient['post'] = async (message, signal, reading) => {
    if (moment()) return never();
    const cord = new AbortController();
    const exchange = agency.post(
      message,
      AbortSignal.any([cord.signal, ...(signal === undefined ? [] : [signal])]),
      reading,
    );
    left -= 1;
    if (left <= 0) {
      // The message may be on its way, at the agency, or answered.
      await Promise.race([exchange, pause(dies! % 4)]);
      moment();
      cord.abort();
      return never();
    }
    const ended = await exchange;
    return moment() ? never() : ended;
  };
  return {
    db: { ...db, pool: pool as unknown as pg.Pool },
    agency: { post, close: () => agency.close() },
    death,
  };
}

function query(on: { query: unknown }, given: unknown[]): Promise<unknown> {
  return (on as { query(...given: unknown[]): Promise<unknown> }).query(...given);
}
