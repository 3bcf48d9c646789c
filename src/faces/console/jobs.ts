import type { Html } from '../web/html.ts';
import { badge } from './components.ts';
import { number } from './format.ts';
import { say } from './words.ts';

/** A job of the queue as GraphQL gives it. */
export type Job = {
  readonly id: string;
  readonly task: string;
  readonly key: string | null;
  readonly state: 'due' | 'scheduled' | 'running' | 'given_up';
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: string;
  readonly lastError: string | null;
};

export const JOB_FIELDS = 'id task key state attempts maxAttempts runAt lastError';

export function jobBadge({ state }: Pick<Job, 'state'>): Html {
  if (state === 'given_up') return badge('rejected', 'Failed');
  return badge('pending', STATES[state]);
}

const STATES = { due: 'Due', scheduled: 'Scheduled', running: 'Running' } as const;

/** How often it was tried, of how often it may be. */
export function attemptsOf({ attempts, maxAttempts }: Pick<Job, 'attempts' | 'maxAttempts'>): string {
  return say('{made} of {count}', { made: number(attempts), count: number(maxAttempts) });
}
