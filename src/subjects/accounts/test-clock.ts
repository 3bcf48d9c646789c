import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Acting, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { addDuration, dayIn, endOfDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { enqueue } from '../../ground/queue/enqueue.ts';
import type { Scope } from './entry/caller.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { type ClockFacts, lockClock, moveClock, setClock } from './store/clocks.ts';
import { readTime } from './store/read-clocks.ts';
import type { ClockRequest, ClockStatus } from './test-clock-request.ts';

/** The time of a test environment, as callers see it. */
export type TestClock = {
  readonly now: Date;
  readonly status: ClockStatus;
  /** The instant that it is advancing to; null when it is not advancing. */
  readonly target: Date | null;
};

type Environment = Pick<Scope, 'environmentId' | 'environment'>;

/** 403 `test_clock_not_available` for a live environment, which always has the real time. */
function liveRefusal({ environment }: Environment): Refusal | null {
  if (environment === 'test') return null;
  return new Refusal('test_clock_not_available', 'A live environment has no other time than the real one.');
}

function shownOf({ ahead, target }: ClockFacts): TestClock {
  const at = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
  const status = ahead < target ? 'advancing' : ahead === 0 ? 'real_time' : 'ready';
  return { now: at(ahead), status, target: status === 'advancing' ? at(target) : null };
}

/** The current time of a test environment. */
export async function findClock(db: Pick<Db, 'pool'>, environment: Environment): Promise<Outcome<TestClock>> {
  return liveRefusal(environment) ?? shownOf(await readTime(db.pool, environment.environmentId));
}

/**
 * Starts advancing a test environment's time. A job moves it day by day and does everything that is due on each;
 * afterwards the clock runs on from there. `invalid_request` for a target that is not after its time, or is too far
 * ahead. Who does it (`by`) is recorded.
 */
export async function advanceClock(
  db: Pick<Db, 'pool'>,
  environment: Environment,
  request: ClockRequest,
  by: Acting,
): Promise<Outcome<TestClock>> {
  const refusal = liveRefusal(environment);
  if (refusal !== null) return refusal;
  const { environmentId } = environment;
  return inTransaction<Outcome<TestClock>>(db.pool, async (client) => {
    const before = await lockClock(client, environmentId);
    const target = targetOf(request, before);
    if (isRefusal(target)) return target;
    await setClock(client, environmentId, { ...before, target });
    await enqueue(client, [{ task: 'advance_test_clock', payload: { environmentId } }]);
    const shown = shownOf({ ...before, target });
    await note(client, environmentId, by, 'advance_test_clock', { target: shown.target });
    return shown;
  });
}

function targetOf({ now, advance }: ClockRequest, { target: before }: ClockFacts): Outcome<number> {
  const real = clock.now().getTime();
  const instant = now === undefined ? addDuration(new Date(real + before), advance!) : new Date(now);
  const target = instant === null ? Number.POSITIVE_INFINITY : instant.getTime() - real;
  const field = now === undefined ? 'advance' : 'now';
  if (target <= before) return invalidField(field, 'too_small', 'must be after the time of the environment');
  if (target <= ACCOUNT_LIMITS.testClockAhead.value * 1_000) return target;
  return invalidField(field, 'too_big', 'must not be more than ten years ahead of the real time');
}

/** Returns a test environment to the real time. What was sealed with its own time stays unchanged. */
export async function removeClock(
  db: Pick<Db, 'pool'>,
  environment: Environment,
  by: Acting,
): Promise<Outcome<TestClock>> {
  const refusal = liveRefusal(environment);
  if (refusal !== null) return refusal;
  return inTransaction(db.pool, async (client) => {
    await lockClock(client, environment.environmentId);
    await setClock(client, environment.environmentId, { ahead: 0, target: 0 });
    await note(client, environment.environmentId, by, 'remove_test_clock');
    return shownOf({ ahead: 0, target: 0 });
  });
}

function note(
  client: Queryable,
  environmentId: number,
  by: Acting,
  action: string,
  details: object = {},
): Promise<void> {
  return addAuditEntry(client, { ...by, action, subject: String(environmentId), environmentId, details });
}

/**
 * Moves an advancing clock to the beginning of its next day, or to its target if that comes first. False when the
 * target is reached or the clock was removed.
 */
export async function stepClock(db: Pick<Db, 'pool'>, environmentId: number): Promise<boolean> {
  const { ahead, target, timeZone } = await readTime(db.pool, environmentId);
  if (ahead >= target) return false;
  const real = clock.now().getTime();
  const today = dayIn(timeZone, new Date(real + ahead));
  const midnight = endOfDay(timeZone, today).getTime() - real;
  return moveClock(db.pool, environmentId, { from: ahead, to: Math.min(target, midnight) });
}
