import type { Limit } from '../ground/lib/limit.ts';

/** The limits of a process that starts, and of what it listens to. */
export const PROCESS_LIMITS = {
  connectionQueue: {
    group: 'Requests',
    value: 4_096,
    unit: 'items',
    bounds:
      'Connections that callers have opened and the process has not yet accepted (Linux: at most `net.core.somaxconn`).',
    reason:
      'Twice the number of open connections; accepting one takes a tenth of a millisecond. A caller that finds the queue full waits a whole second.',
    beyond: 'the caller’s operating system tries again after a second',
  },
  metricsConnections: {
    group: 'Requests',
    value: 50,
    unit: 'items',
    bounds: 'Open connections of the port that `METRICS_PORT` names.',
    reason: 'A handful of monitoring systems, each with one.',
    beyond: 'closed without an answer',
  },
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
