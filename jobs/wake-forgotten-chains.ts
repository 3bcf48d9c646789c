import type { Task } from 'graphile-worker';
import { freeJobsOfDeadWorkers } from '../src/ground/queue/dead-workers.ts';
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
