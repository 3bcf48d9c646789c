import type { Task } from 'graphile-worker';
import { clock } from '../src/ground/lib/clock.ts';
import { enqueue, enqueueNoLaterThan } from '../src/ground/queue/enqueue.ts';
import { tasks } from '../src/ground/queue/tasks.ts';
import type { Services } from '../src/services.ts';
import { stepClock } from '../src/subjects/accounts/test-clock.ts';
import { type DueState, issueDue } from '../src/subjects/drafts/issue-due.ts';
import { readDueEnvironments } from '../src/subjects/drafts/store/read-schedules.ts';
import { remindOverdue } from '../src/subjects/emails/remind.ts';
import type { IssuingServices } from '../src/subjects/issuing/issue-invoice.ts';
import { recordOverdue } from '../src/subjects/payments/overdue.ts';

/** The delay after a refusal because something is temporarily unavailable. */
const LATER_MS = 5 * 60_000;

/** Adds a job for each environment in which a schedule is due, or a draft of one waits. */
export function wakeSchedulesTask({ db }: Pick<Services, 'db'>): Task {
  return async () => {
    const now = clock.now();
    for (const environmentId of await readDueEnvironments(db.pool, now)) {
      const job = { task: 'issue_scheduled', payload: { environmentId } } as const;
      await enqueueNoLaterThan(db.pool, { ...job, runAt: now });
    }
  };
}

/** Issues what is due by the schedules of an environment. */
export function issueScheduledTask(services: IssuingServices): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.issue_scheduled.payload.parse(payload);
    const state = await issueDue(services, environmentId, abortSignal);
    if (state === 'done') return;
    const runAt = new Date(clock.now().getTime() + (state === 'later' ? LATER_MS : 0));
    await enqueue(services.db.pool, [
      { task: 'issue_scheduled', payload: { environmentId }, runAt, trace: null },
    ]);
  };
}

/** What happens on a day of a test clock: issuing, and what is due for payment. */
type TestClockServices = IssuingServices & Pick<Services, 'db' | 'mailer' | 'rateLimits' | 'eventLoop'>;

/**
 * Advances a test clock day by day to its target, and processes on each day what is due, each in its turn on
 * the event loop.
 */
export function advanceTestClockTask(services: TestClockServices): Task {
  return async (payload, { abortSignal }) => {
    const { environmentId } = tasks.advance_test_clock.payload.parse(payload);
    // A worker that died may have left the previous day incomplete.
    await doDaily(services, environmentId, abortSignal);
    while (await stepClock(services.db, environmentId)) {
      await services.eventLoop.waitTurn(environmentId);
      await doDaily(services, environmentId, abortSignal);
      if (abortSignal?.aborted) {
        await enqueue(services.db.pool, [
          { task: 'advance_test_clock', payload: { environmentId }, trace: null },
        ]);
        return;
      }
    }
  };
}

/** Processes one day of an environment. */
async function doDaily(
  services: TestClockServices,
  environmentId: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let state: DueState = 'more';
  while (state === 'more' && !signal?.aborted) state = await issueDue(services, environmentId, signal);
  await recordOverdue(services.db, signal);
  await remindOverdue(services, environmentId, signal);
}
