import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { takeCheckpoints } from '../src/subjects/journal/keep-checkpoints.ts';

/**
 * Journal entries not covered by a checkpoint; checked every minute. A busy merchant’s day. A checkpoint costs about 20
 * ms and one file; a journal that grows more slowly gets one each night.
 */
export const UNCOVERED_ENTRIES = 10_000;

/** Takes a checkpoint of each journal with so many entries since its last one that it cannot wait until night. */
export function takeCheckpointsTask(services: Pick<Services, 'db' | 'log' | 'checkpoints'>): Task {
  return async (_payload, { abortSignal }) => {
    await takeCheckpoints(services, UNCOVERED_ENTRIES, abortSignal);
  };
}
