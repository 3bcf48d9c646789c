import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of issuing in groups. */
export const ISSUING_LIMITS = {
  issuingQueue: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'items',
    bounds: 'Invoices of one environment that wait to be committed in a process.',
    reason:
      'Several hundred are committed in a second; a caller that would wait for several seconds should rather retry later.',
    beyond: '503 `service_unavailable`',
  },
} as const satisfies Record<string, Limit>;
