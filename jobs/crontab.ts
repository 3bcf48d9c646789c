import type { CronItem } from 'graphile-worker';
import type { TaskName } from '../src/ground/queue/tasks.ts';

type Regular = CronItem & { readonly task: TaskName; readonly identifier: string };

/** Scheduled work. Of several processes one adds each job. */
export const crontab: Regular[] = [
  {
    task: 'reap_idempotency_keys',
    identifier: 'reap-idempotency-keys',
    // A key that is kept some minutes too long does no harm: its expiry is checked when it is used.
    match: '*/10 * * * *',
    options: { jobKey: 'reap_idempotency_keys' },
  },
  {
    task: 'reap_portal_sessions',
    identifier: 'reap-portal-sessions',
    // Expiry is checked when a session is used; expired sessions are only kept to report that they have expired.
    match: '7 * * * *',
    options: { jobKey: 'reap_portal_sessions' },
  },
  {
    task: 'requeue_chains',
    identifier: 'requeue-chains',
    // A chain loses its job only when a worker dies; the agency's own wait is a minute anyway.
    match: '* * * * *',
    options: { jobKey: 'requeue_chains' },
  },
  {
    task: 'verify_chains',
    identifier: 'verify-chains',
    // When the fewest invoices are issued in Spain (times here are UTC).
    match: '15 2 * * *',
    // A service that was not running at night verifies when it starts.
    options: { jobKey: 'verify_chains', backfillPeriod: 12 * 60 * 60 * 1_000 },
  },
  {
    task: 'take_checkpoints',
    identifier: 'take-checkpoints',
    // Usually it only reads the journals' heads: the nightly verification takes the other checkpoints.
    match: '* * * * *',
    options: { jobKey: 'take_checkpoints' },
  },
  {
    task: 'wake_schedules',
    identifier: 'wake-schedules',
    // A day begins at midnight in Madrid; usually it is one index lookup.
    match: '* * * * *',
    options: { jobKey: 'wake_schedules' },
  },
  {
    task: 'record_overdue',
    identifier: 'record-overdue',
    // Midnight in Madrid is 22:00 or 23:00 UTC. At any other hour it is one index lookup, unless no worker ran at midnight.
    match: '0 * * * *',
    options: { jobKey: 'record_overdue', backfillPeriod: 60 * 60 * 1_000 },
  },
  {
    task: 'send_reminders',
    identifier: 'send-reminders',
    // At each hour of the working day; after the first it is an index lookup, unless no worker ran before.
    match: '10 * * * *',
    options: { jobKey: 'send_reminders', backfillPeriod: 60 * 60 * 1_000 },
  },
  {
    task: 'watch_certificates',
    identifier: 'watch-certificates',
    // After a working day has begun in Madrid, so that a person sees it.
    match: '30 7 * * *',
    options: { jobKey: 'watch_certificates', backfillPeriod: 12 * 60 * 60 * 1_000 },
  },
  {
    task: 'send_audit_log',
    identifier: 'send-audit-log',
    // Without AUDIT_WEBHOOK_URL it does nothing.
    match: '* * * * *',
    options: { jobKey: 'send_audit_log' },
  },
  {
    task: 'maintain_batches',
    identifier: 'maintain-batches',
    // A batch loses its job only if that failed repeatedly; otherwise it is two index lookups.
    match: '*/5 * * * *',
    options: { jobKey: 'maintain_batches' },
  },
  {
    task: 'compute_day_totals',
    identifier: 'compute-day-totals',
    // Totals read the invoices of a day that has changed until it is added up again. Without changes it reads the chains, and no invoices.
    match: '* * * * *',
    options: { jobKey: 'compute_day_totals' },
  },
  {
    task: 'sample_operations',
    identifier: 'sample-operations',
    match: '*/5 * * * *',
    options: { jobKey: 'sample_operations' },
  },
  {
    task: 'reap_webhook_deliveries',
    identifier: 'reap-webhook-deliveries',
    match: '37 3 * * *',
    options: { jobKey: 'reap_webhook_deliveries', backfillPeriod: 12 * 60 * 60 * 1_000 },
  },
];
