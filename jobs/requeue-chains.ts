import type { Task } from 'graphile-worker';
import {
  DEAD_WORKERS_CHECK_MS,
  freeJobsOfDeadWorkers,
  hasProcessDied,
} from '../src/ground/queue/dead-workers.ts';
import type { Services } from '../src/services.ts';
import { enqueueDueChains } from '../src/subjects/registration/due-chains.ts';

/** Adds the jobs of chains that have lost theirs, and takes over what dead processes were doing. */
export function requeueChainsTask(services: Pick<Services, 'db' | 'log'>): Task {
  return () => takeOver(services);
}

/** Whatever worker died at whatever moment: others do now what it would have done next. */
async function takeOver({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  // First, or the jobs of the dead would find their chains taken.
  const requeued = await enqueueDueChains(db.pool);
  if (requeued > 0) log.warn({ requeued }, 'chains had lost their job');
  const dead = await freeJobsOfDeadWorkers(db.pool);
  if (dead > 0) log.warn({ dead }, 'workers died while they held jobs; other workers run these');
}

/**
 * Checks every few seconds whether a process with workers has died, so that its work need not wait for the next minute;
 * before it has workers of its own it takes over from whoever died before.
 */
export async function watchForDeadWorkers(services: Pick<Services, 'db' | 'log'>): Promise<{ stop(): void }> {
  const { db, log } = services;
  const check = async (isStart: boolean) => {
    if (isStart || (await hasProcessDied(db.pool))) await takeOver(services);
  };
  // An outage of the database is logged elsewhere; the next check follows soon.
  const report = (err: unknown) => log.debug({ err }, 'looking for dead workers failed');
  await check(true).catch(report);
  const timer = setInterval(() => void check(false).catch(report), DEAD_WORKERS_CHECK_MS);
  return { stop: () => clearInterval(timer) };
}
