import type { Task } from 'graphile-worker';
import {
  DEAD_WORKERS_LOOK_MS,
  freeJobsOfDeadWorkers,
  freeJobsOfNewlyDead,
} from '../src/ground/queue/dead-workers.ts';
import type { Services } from '../src/services.ts';
import { wakeForgottenChains } from '../src/subjects/registration/wake.ts';

/** Looks for chains whose wake-up was lost, and for jobs whose worker died. */
export function wakeTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const dead = await freeJobsOfDeadWorkers(db.pool);
    if (dead > 0) log.warn({ dead }, 'workers had died with jobs; others do them');
    const woken = await wakeForgottenChains(db.pool);
    if (woken > 0) log.warn({ woken }, 'chains had lost their wake-up');
  };
}

/** Looks every few seconds whether a process with workers has died, so that its jobs do not wait for the minute to end. */
export function watchForDeadWorkers({ db, log }: Pick<Services, 'db' | 'log'>): { stop(): void } {
  const look = async () => {
    const dead = await freeJobsOfNewlyDead(db.pool);
    if (dead > 0) log.warn({ dead }, 'workers had died with jobs; others do them');
  };
  const timer = setInterval(() => {
    // A database that is away is told of elsewhere; the next look is soon.
    look().catch((err: unknown) => log.debug({ err }, 'dead workers could not be looked for'));
  }, DEAD_WORKERS_LOOK_MS);
  return { stop: () => clearInterval(timer) };
}
