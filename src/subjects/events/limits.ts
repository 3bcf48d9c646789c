import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of pages of events and invoices. */
export const EVENT_LIMITS = {
  linesOfPage: {
    group: 'Requests',
    value: 2_500,
    unit: 'items',
    bounds:
      'Lines of the invoices on one page of `GET /v1/invoices`, or that the events of one page of `GET /v1/events` contain. Events for webhooks and subscriptions are built for as many at a time.',
    reason:
      'A hundred invoices of 25 lines: about 1.2 MB of answer, which takes a tenth of a second to build and is built in steps.',
    beyond: 'the page has fewer items than `limit`, and `next_url` continues',
  },
} as const satisfies Record<string, Limit>;
