/** Values of fields of drafts and schedules. */

export const DRAFT_STATUSES = ['open', 'issued'] as const;
export type DraftStatus = (typeof DRAFT_STATUSES)[number];

export const FREQUENCIES = ['monthly', 'quarterly', 'yearly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const SCHEDULE_STATUSES = ['active', 'paused', 'ended'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];
