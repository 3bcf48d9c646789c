import type { Limit } from '../ground/lib/limit.ts';

/** The limits of a process that starts, and of what it listens to. */
export const PROCESS_LIMITS = {
  awaitedDatabase: {
    group: 'Database',
    value: 600_000,
    unit: 'ms',
    bounds:
      'How long a process that starts waits for a database that answers and accepts writes. A command does not wait.',
    reason:
      'A promotion, recovery or restart of a primary is over by then; after that an operator has to look.',
    beyond: 'the start fails with a message',
  },
} as const satisfies Record<string, Limit>;
