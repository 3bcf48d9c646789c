import type { Task } from 'graphile-worker';
import {
  DEAD_WORKERS_CHECK_MS,
  freeJobsOfDeadWorkers,
  freeJobsOfNewlyDead,
} from '../src/ground/queue/dead-workers.ts';
import type { Services } from '../src/services.ts';
import { enqueueDueChains } from '../src/subjects/registration/wake.ts';

/** Looks for chains that have lost their job, and for jobs whose worker died. */
export function wakeTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const dead = await freeJobsOfDeadWorkers(db.pool);
    if (dead > 0) log.warn({ dead }, 'workers died while they held jobs; other workers run these');
    const woken = await enqueueDueChains(db.pool);
    if (woken > 0) log.warn({ woken }, 'chains had lost their job');
  };
}

/** Checks every few seconds whether a process with workers has died, so that its jobs need not wait for the next minute. */
export function watchForDeadWorkers({ db, log }: Pick<Services, 'db' | 'log'>): { stop(): void } {
  const check = async () => {
    const dead = await freeJobsOfNewlyDead(db.pool);
    if (dead > 0) log.warn({ dead }, 'workers died while they held jobs; other workers run these');
  };
  const timer = setInterval(() => {
    // An outage of the database is logged elsewhere; the next check follows soon.
    check().catch((err: unknown) => log.debug({ err }, 'looking for dead workers failed'));
  }, DEAD_WORKERS_CHECK_MS);
  return { stop: () => clearInterval(timer) };
}
