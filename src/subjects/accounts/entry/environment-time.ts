import type { Queryable } from '../../../ground/db/queryable.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { readClockAhead } from '../store/read-clocks.ts';
import type { Scope } from './caller.ts';

/**
 * The time of an environment: the machine's time, and in a test environment with a test clock that time plus the
 * clock's offset. Issue days, due days, schedules and reminders use it; expiries and signatures use the machine's
 * time.
 */
export function environmentNow({ clockAheadMs }: Pick<Scope, 'clockAheadMs'>): Date {
  return new Date(clock.now().getTime() + clockAheadMs);
}

/** The same for a job, which has no caller. */
export async function readEnvironmentNow(db: Queryable, environmentId: number): Promise<Date> {
  return environmentNow({ clockAheadMs: await readClockAhead(db, environmentId) });
}

/** Runs `work`, which must be synchronous, with the clock of the environment: for rules of a request about days. */
export function atEnvironmentTime<T>({ clockAheadMs }: Pick<Scope, 'clockAheadMs'>, work: () => T): T {
  return clockAheadMs === 0 ? work() : clock.ahead(clockAheadMs, work);
}
