/** The result of an invoice of a batch. */
export const BATCH_RESULTS = ['pending', 'issued', 'failed'] as const;

/** The status of a batch. */
export const BATCH_STATUSES = ['pending', 'running', 'completed'] as const;

export type BatchStatus = (typeof BATCH_STATUSES)[number];
