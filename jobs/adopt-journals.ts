import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { adoptAll } from '../src/subjects/journal/adopt.ts';

/** Writes journal entries for data that existed before the journal, and verifies them. */
export function adoptJournalsTask(services: Pick<Services, 'db' | 'log'>): Task {
  return async (_payload, { abortSignal }) => {
    await adoptAll(services, abortSignal);
  };
}
