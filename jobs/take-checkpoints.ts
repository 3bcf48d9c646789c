import type { Task } from 'graphile-worker';
import { LIMITS } from '../src/ground/lib/limits.ts';
import type { Services } from '../src/services.ts';
import { takeCheckpoints } from '../src/subjects/journal/keep-checkpoints.ts';

/** Takes a checkpoint of each journal with so many entries since its last one that it cannot wait until night. */
export function takeCheckpointsTask(services: Pick<Services, 'db' | 'log' | 'checkpoints'>): Task {
  return async (_payload, { abortSignal }) => {
    await takeCheckpoints(services, LIMITS.uncoveredEntries.value, abortSignal);
  };
}
