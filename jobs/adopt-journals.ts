import type { Task } from 'graphile-worker';
import type { Services } from '../src/services.ts';
import { adoptAll } from '../src/subjects/journal/adopt.ts';

/** Writes into the journals what was there before them, and verifies that. */
export function adoptJournalsTask(services: Pick<Services, 'db' | 'log'>): Task {
  return async (_payload, { abortSignal }) => {
    await adoptAll(services, abortSignal);
  };
}
