import type { Task } from 'graphile-worker';
import {
  DEAD_WORKERS_CHECK_MS,
  freeJobsOfDeadWorkers,
  freeJobsOfNewlyDead,
} from '../src/ground/queue/dead-workers.ts';
import type { Services } from '../src/services.ts';
import { enqueueDueChains } from '../src/subjects/registration/due-chains.ts';

/** Adds the jobs of chains that have lost theirs, and releases jobs whose worker died. */
export function requeueChainsTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const dead = await freeJobsOfDeadWorkers(db.pool);
    if (dead > 0) log.warn({ dead }, 'workers died while they held jobs; other workers run these');
    const requeued = await enqueueDueChains(db.pool);
    if (requeued > 0) log.warn({ requeued }, 'chains had lost their job');
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
