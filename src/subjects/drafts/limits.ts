import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of drafts and schedules. */
export const DRAFT_LIMITS = {
  openDrafts: {
    group: 'Database',
    value: 2_000,
    unit: 'items',
    bounds: 'Drafts of an environment that have not been issued, except those created by schedules.',
    reason: 'More than a person can review; with 500 lines each they are 200 MB.',
    beyond: '409 `invoice_draft_limit_reached`',
  },
  schedules: {
    group: 'Database',
    value: 2_000,
    unit: 'items',
    bounds: 'Schedules of an environment that have not ended.',
    reason:
      'Subscriptions of a small business; if all are due on one day, they are issued within a few minutes.',
    beyond: '409 `invoice_schedule_limit_reached`',
  },
} as const satisfies Record<string, Limit>;
