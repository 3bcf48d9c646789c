import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { sampleOperations } from '../src/subjects/operations/history.ts';

/** Notes what the console draws of the last day and month. */
export function sampleOperationsTask({ db }: Pick<Services, 'db'>): Task {
  return () => sampleOperations(db.pool);
}
