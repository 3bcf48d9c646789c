import type { Entry } from './entry.ts';

/** The codes of drafts, schedules and the test clock; part of `catalogue`. */
export const DRAFT_CATALOGUE = {
  invoice_draft_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No invoice draft with that id exists in the environment of the key.',
    remediation: 'List the drafts with GET /v1/invoice_drafts and take the id from there.',
  },
  invoice_draft_already_issued: {
    status: 409,
    key: 'unused',
    meaning: 'The draft was issued and can no longer be changed or deleted.',
    remediation:
      'Read the draft’s `invoice_id` and correct that invoice. Issuing the draft again returns it.',
  },
  invoice_draft_changed: {
    status: 409,
    key: 'unused',
    meaning: 'The draft was changed concurrently; nothing was done.',
    remediation: 'Read the draft again, and repeat the request if it still applies.',
  },
  conflict: {
    status: 409,
    key: 'unused',
    meaning:
      'The draft was changed since the state that the request names (`If-Match`, `expectedUpdatedAt`).',
    remediation: 'Read the draft again, repeat your change on what it is now, and name that state.',
  },
  invoice_draft_limit_reached: {
    status: 409,
    key: 'unused',
    meaning: 'The environment has the maximum number of open drafts.',
    remediation: 'Issue or delete some of those that GET /v1/invoice_drafts?status=open lists.',
  },
  invoice_schedule_not_found: {
    status: 404,
    key: 'unused',
    meaning: 'No invoice schedule with that id exists in the environment of the key.',
    remediation: 'List the schedules with GET /v1/invoice_schedules and take the id from there.',
  },
  invoice_schedule_ended: {
    status: 409,
    key: 'unused',
    meaning:
      'The schedule has ended: its last day has passed, all its invoices have been created, or it was ended by a request.',
    remediation: 'Create another schedule.',
  },
  invoice_schedule_limit_reached: {
    status: 409,
    key: 'unused',
    meaning: 'The environment has the maximum number of schedules that have not ended.',
    remediation: 'End unused schedules with POST /v1/invoice_schedules/{id}/end.',
  },
  test_clock_not_available: {
    status: 403,
    key: 'unused',
    meaning: 'The environment is live: its time is the real one.',
    remediation: 'Use a key of the test environment, `sk_test_…`.',
  },
} as const satisfies Record<string, Entry>;
