import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of the customer portal. */
export const CUSTOMER_LIMITS = {
  portalVisits: {
    group: 'Requests',
    value: 100,
    unit: 'items',
    bounds: 'Open sessions of one link to the customer portal.',
    reason: 'A customer has a few devices; opening the link in a loop must not fill a table.',
    beyond: 'the oldest session ends',
  },
} as const satisfies Record<string, Limit>;
