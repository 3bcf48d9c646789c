import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { sampleOperations } from '../src/subjects/operations/history.ts';

/** Samples the figures that the console plots for the last day and month. */
export function sampleOperationsTask({ db }: Pick<Services, 'db'>): Task {
  return () => sampleOperations(db.pool);
}
