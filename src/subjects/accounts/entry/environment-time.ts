import type { Queryable } from '../../../ground/db/queryable.ts';
import { type Day, dayIn, withDaysOf } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { readTime } from '../store/read-clocks.ts';
import type { Scope } from './caller.ts';

/** What the time of an environment depends on: its test clock, and where its days begin. */
export type EnvironmentTime = Pick<Scope, 'clockAheadMs' | 'timeZone'>;

/** That of operators, who are in no environment. */
export const MADRID_TIME: EnvironmentTime = { clockAheadMs: 0, timeZone: 'Europe/Madrid' };

/**
 * The time of an environment: the machine's time, and in a test environment with a test clock that time plus the
 * clock's offset. Issue days, due days, schedules and reminders use it; expiries and signatures use the machine's
 * time.
 */
export function environmentNow({ clockAheadMs }: Pick<Scope, 'clockAheadMs'>): Date {
  return new Date(clock.now().getTime() + clockAheadMs);
}

/** The current day of an environment, by its own time and in its company's time zone. */
export function environmentToday(time: EnvironmentTime): Day {
  return dayIn(time.timeZone, environmentNow(time));
}

/** The same facts for a job or an operator, who have no caller. */
export async function readEnvironmentTime(db: Queryable, environmentId: number): Promise<EnvironmentTime> {
  const { ahead: clockAheadMs, timeZone } = await readTime(db, environmentId);
  return { clockAheadMs, timeZone };
}

/** The time of an environment, for a job. */
export async function readEnvironmentNow(db: Queryable, environmentId: number): Promise<Date> {
  return environmentNow(await readEnvironmentTime(db, environmentId));
}

/** The current day of an environment, for a job or an operator. */
export async function readEnvironmentToday(db: Queryable, environmentId: number): Promise<Day> {
  return environmentToday(await readEnvironmentTime(db, environmentId));
}

/** Runs `work`, which must be synchronous, with clock and calendar of the environment: for rules of a request about days. */
export function atEnvironmentTime<T>({ clockAheadMs, timeZone }: EnvironmentTime, work: () => T): T {
  if (clockAheadMs === 0) return withDaysOf(timeZone, work);
  return clock.ahead(clockAheadMs, () => withDaysOf(timeZone, work));
}
