import type { Db } from '../../../src/ground/db/client.ts';
import type { Services } from '../../../src/services.ts';

/** Locks that hold a request at a certain point until the test releases it, so that no race depends on timing. */

/** Locks the environment's chain as another issuing would. Requests that need it wait until `release`. */
export async function holdChain(db: Db, environmentId: number): Promise<{ release(): Promise<void> }> {
  const client = await db.pool.connect();
  await client.query('begin');
  await client.query('select from chain where environment_id = $1 for update', [environmentId]);
  return {
    async release() {
      await client.query('commit');
      client.release();
    },
  };
}

/** Resolves when so many connections to the database wait for a lock. */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const { rows } = await db.pool.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows[0]!.waiting === count) return;
    if (performance.now() > deadline) throw new Error(`${rows[0]!.waiting} wait for a lock, not ${count}`);
  }
}

/** Services whose registers answer correctly, but only when the test lets them. */
export function withSlowRegisters(services: Services, kind: 'test' | 'live') {
  const reached = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const real = services.registers[kind];
  const slow: Services['registers'][typeof kind] = {
    ...real,
    async identify(...question) {
      reached.resolve();
      const identified = await real.identify(...question);
      await answer.promise;
      return identified;
    },
  };
  return {
    services: { ...services, registers: { ...services.registers, [kind]: slow } },
    /** Somebody has asked. */
    reached: reached.promise,
    /** Lets them have the answer. */
    answer: () => answer.resolve(),
  };
}
