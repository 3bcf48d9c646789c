import type { Task } from 'graphile-worker';
import { wakeForgottenChains } from '../src/registration/wake.ts';
import type { Services } from '../src/services.ts';

/** Looks for chains whose wake-up was lost. */
export function wakeTask({ db, log }: Pick<Services, 'db' | 'log'>): Task {
  return async () => {
    const woken = await wakeForgottenChains(db.pool);
    if (woken > 0) log.warn({ woken }, 'chains had lost their wake-up');
  };
}
