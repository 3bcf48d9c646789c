import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of issuing in groups. */
export const ISSUING_LIMITS = {
  issuingGroup: {
    group: 'Shares of an environment',
    value: 64,
    unit: 'items',
    bounds: 'Invoices that are committed in one transaction. Environments take turns.',
    reason: 'Larger groups gain little and hold the locks of chains for longer.',
    beyond: 'the invoice waits for the next group',
  },
  issuingGroupLines: {
    group: 'Shares of an environment',
    value: 1_000,
    unit: 'items',
    bounds: 'Lines of those invoices together.',
    reason:
      'They are sealed and written in about 50 ms, which is how long another environment waits behind them. A full group of 15 lines each fits.',
    beyond: 'the invoice waits for the next group',
  },
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
