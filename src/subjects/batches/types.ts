/** What became of an invoice of a batch. */
export const BATCH_RESULTS = ['pending', 'issued', 'failed'] as const;

/** How far a batch is. */
export const BATCH_STATUSES = ['pending', 'running', 'completed'] as const;

export type BatchStatus = (typeof BATCH_STATUSES)[number];
