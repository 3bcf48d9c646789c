/** Why an e-mail was sent: on request, or because the invoice is overdue. */
export const EMAIL_KINDS = ['invoice', 'reminder'] as const;

/** The status of an e-mail; also of each recipient, except partial refusal. */
export const EMAIL_STATUSES = ['queued', 'sent', 'failed'] as const;
export const DELIVERY_STATUSES = ['queued', 'sent', 'refused', 'bounced'] as const;

/** Why an e-mail has failed. */
export const EMAIL_FAULTS = [
  'refused',
  'bounced',
  'gave_up',
  'too_large',
  'format_not_applicable',
  'no_longer_due',
] as const;

/** The result of a bounce message. */
export const BOUNCE_OUTCOMES = [
  'bounced',
  'delayed',
  'already_known',
  'no_failure',
  'unknown_email',
  'not_a_report',
  'unreadable',
] as const;

export type BounceOutcome = (typeof BOUNCE_OUTCOMES)[number];
