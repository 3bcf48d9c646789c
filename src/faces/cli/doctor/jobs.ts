import type { Db } from '../../../ground/db/client.ts';
import { secondsSinceSchedule } from '../../../ground/queue/schedule.ts';
import { liveWorkers } from '../../../subjects/operations/store/read-jobs.ts';
import { type QueueHealth, queueHealth } from '../../../subjects/operations/store/read-views.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

/** The schedule starts a job every minute; after this time without one, no worker is running. */
const SILENT_SECONDS = 180;
/** A worker that runs takes a due job at once, and one that is busy within seconds. */
const UNTOUCHED_SECONDS = 15;
/** Longer than any job runs for which others wait. */
const BEHIND_SECONDS = 300;

const START = 'start the service with JOBS=inside, or a worker (npm run worker)';

/** Whether somebody runs the jobs, and whether any has been given up. */
export async function jobs({ pool }: Db): Promise<Finding[]> {
  const seconds = await secondsSinceSchedule(pool);
  const queue = await queueHealth(pool);
  const workers = await liveWorkers(pool);
  return [running(seconds, queue, workers), ...givenUp(queue)];
}

function running(seconds: number | null, queue: readonly QueueHealth[], workers: number): Finding {
  const due = queue.reduce((sum, kind) => sum + kind.due, 0);
  const oldest = Math.max(0, ...queue.map((kind) => kind.oldestDueSeconds));
  const waiting = due === 0 ? '' : `; ${due} jobs are due, the oldest for ${Math.round(oldest)} s`;
  if (seconds === null) return failure('jobs', `none has ever run${waiting}`, START);
  if (seconds > SILENT_SECONDS)
    return failure('jobs', `none has run for ${Math.round(seconds / 60)} minutes${waiting}`, START);
  if (oldest > UNTOUCHED_SECONDS && workers === 0)
    return failure('jobs', `no worker is running${waiting}`, START);
  const last = `the last scheduled one ${Math.round(seconds)} s ago`;
  if (oldest > BEHIND_SECONDS)
    return warning(
      'jobs',
      `${workers} workers are behind${waiting}`,
      'see "lacre jobs list"; start another worker',
    );
  return ok('jobs', `running; ${last}`);
}

function givenUp(queue: readonly QueueHealth[]): Finding[] {
  const kinds = queue.filter((kind) => kind.givenUp > 0).map((kind) => `${kind.givenUp} of ${kind.task}`);
  if (kinds.length === 0) return [];
  return [
    warning(
      'jobs',
      `${kinds.join(', ')} have finally failed`,
      'see last_error in "lacre jobs list --failing", remove the cause, then "lacre jobs retry-failed"',
    ),
  ];
}
