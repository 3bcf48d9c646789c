import type { CronItem } from 'graphile-worker';
import type { TaskName } from '../src/ground/queue/tasks.ts';

type Regular = CronItem & { readonly task: TaskName; readonly identifier: string };

/** What is done besides where the exchange with the public solution's simulator is turned on. */
export const exchangeCrontab: Regular[] = [
  {
    task: 'exchange',
    identifier: 'exchange',
    match: '* * * * *',
    // One after the other, however long a round takes.
    options: { jobKey: 'exchange', queueName: 'exchange' },
  },
];

/** What is done again and again, whoever asks. Of several processes one adds each job. */
export const crontab: Regular[] = [
  {
    task: 'reap_idempotency_keys',
    identifier: 'reap-idempotency-keys',
    // A key that stays some minutes beyond its window harms nobody: its expiry is looked at when it is used.
    match: '*/10 * * * *',
    options: { jobKey: 'reap_idempotency_keys' },
  },
  {
    task: 'reap_portal_sessions',
    identifier: 'reap-portal-sessions',
    // Whether a session is over is looked at when it is used; what is kept longer is only told that it came late.
    match: '7 * * * *',
    options: { jobKey: 'reap_portal_sessions' },
  },
  {
    task: 'wake_forgotten_chains',
    identifier: 'wake-forgotten-chains',
    // A chain is forgotten only when a worker dies; the agency's own wait is a minute anyway.
    match: '* * * * *',
    options: { jobKey: 'wake_forgotten_chains' },
  },
  {
    task: 'adopt_journals',
    identifier: 'adopt-journals',
    // After the first start of a version with journals there is something to do, once; else it is one look at an index.
    match: '* * * * *',
    options: { jobKey: 'adopt_journals' },
  },
  {
    task: 'verify_chains',
    identifier: 'verify-chains',
    // When the fewest invoices are issued in Spain (the times here are UTC).
    match: '15 2 * * *',
    // A service that slept through the night verifies when it wakes.
    options: { jobKey: 'verify_chains', backfillPeriod: 12 * 60 * 60 * 1_000 },
  },
  {
    task: 'take_checkpoints',
    identifier: 'take-checkpoints',
    // Nearly always it is one look at the journals' heads: the nightly verification takes the others.
    match: '* * * * *',
    options: { jobKey: 'take_checkpoints' },
  },
  {
    task: 'wake_schedules',
    identifier: 'wake-schedules',
    // A day begins at Madrid's midnight; nearly always it is one look at an index.
    match: '* * * * *',
    options: { jobKey: 'wake_schedules' },
  },
  {
    task: 'tell_overdue',
    identifier: 'tell-overdue',
    // Midnight in Madrid is 22:00 or 23:00 UTC. At any other hour it is one look at an index, unless nobody ran at midnight.
    match: '0 * * * *',
    options: { jobKey: 'tell_overdue', backfillPeriod: 60 * 60 * 1_000 },
  },
  {
    task: 'send_reminders',
    identifier: 'send-reminders',
    // At each hour of the working day; but for the first it is a look at an index, unless nobody ran before.
    match: '10 * * * *',
    options: { jobKey: 'send_reminders', backfillPeriod: 60 * 60 * 1_000 },
  },
  {
    task: 'watch_certificates',
    identifier: 'watch-certificates',
    // Once a working day has begun in Madrid, so that a person sees it.
    match: '30 7 * * *',
    options: { jobKey: 'watch_certificates', backfillPeriod: 12 * 60 * 60 * 1_000 },
  },
  {
    task: 'look_after_batches',
    identifier: 'look-after-batches',
    // A batch loses its job only when that failed again and again; else it is a look at two indexes.
    match: '*/5 * * * *',
    options: { jobKey: 'look_after_batches' },
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
