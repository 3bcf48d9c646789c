import { z } from 'zod';

/**
 * The tasks and their payloads. A job is only a wake-up: the work to do is in our tables, so a job that runs twice, or
 * late, does no harm. `key`: of the jobs with one key at most one waits; adding another replaces it.
 */
export const tasks = {
  /** Sends a chain's pending records to the agency. */
  register: {
    payload: z.strictObject({ environmentId: z.int(), chainId: z.int() }),
    key: (payload: { chainId: number }): string => `register:${payload.chainId}`,
  },
  /** Adds the jobs of chains that have pending records and lost theirs. */
  requeue_chains: {
    payload: z.object({}),
    key: (): string => 'requeue_chains',
  },
  /** Compares a chain that is on hold after a restore with what the agency holds of it. */
  compare_with_agency: {
    payload: z.strictObject({ environmentId: z.int(), chainId: z.int() }),
    key: (payload: { chainId: number }): string => `compare:${payload.chainId}`,
  },
  /** Verifies the chains whose last verification is older than a day. */
  verify_chains: {
    payload: z.object({}),
    key: (): string => 'verify_chains',
  },
  /** Takes checkpoints of the journals that have grown considerably since their last ones. */
  take_checkpoints: {
    payload: z.object({}),
    key: (): string => 'take_checkpoints',
  },
  /** Renders the PDFs that wait in an environment. */
  render_documents: {
    payload: z.object({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `render_documents:${environmentId}`,
  },
  /** Renders one PDF whose rendering has failed, so that it neither delays nor hides others. */
  render_pdf: {
    payload: z.strictObject({ environmentId: z.int(), invoiceId: z.string() }),
    key: (payload: { invoiceId: string }): string => `pdf:${payload.invoiceId}`,
  },
  /** Delivers the e-mails of an environment that are due to the mail server. */
  send_email: {
    payload: z.object({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `send_email:${environmentId}`,
  },
  /** Deletes idempotency keys that are no longer kept. */
  reap_idempotency_keys: {
    payload: z.object({}),
    key: (): string => 'reap_idempotency_keys',
  },
  /** Deletes expired sessions of customers. */
  reap_portal_sessions: {
    payload: z.object({}),
    key: (): string => 'reap_portal_sessions',
  },
  /** Delivers events to the webhook endpoints of an environment that answer quickly. */
  deliver_webhooks: {
    payload: z.object({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `deliver_webhooks:${environmentId}`,
  },
  /** The same for all other endpoints, so that fast ones need not wait for their workers. */
  retry_webhooks: {
    payload: z.object({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `retry_webhooks:${environmentId}`,
  },
  /** Deletes old webhook deliveries. */
  reap_webhook_deliveries: {
    payload: z.object({}),
    key: (): string => 'reap_webhook_deliveries',
  },
  /** Adds up the days of environments with many invoices. */
  compute_day_totals: {
    payload: z.object({}),
    key: (): string => 'compute_day_totals',
  },
  /** Samples counts of completed work for the plots of the console. */
  sample_operations: {
    payload: z.object({}),
    key: (): string => 'sample_operations',
  },
  /** Issues the pending invoices in the batches of an environment. */
  work_invoice_batches: {
    payload: z.strictObject({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `work_invoice_batches:${environmentId}`,
  },
  /** Adds the jobs of batches that have lost theirs, and deletes old batches. */
  maintain_batches: {
    payload: z.object({}),
    key: (): string => 'maintain_batches',
  },
  /** Adds the jobs of schedules that are due. */
  wake_schedules: {
    payload: z.object({}),
    key: (): string => 'wake_schedules',
  },
  /** Issues what is due by the schedules of an environment. */
  issue_scheduled: {
    payload: z.strictObject({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `issue_scheduled:${environmentId}`,
  },
  /** Advances a test clock to its target. */
  advance_test_clock: {
    payload: z.strictObject({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `advance_test_clock:${environmentId}`,
  },
  /** Reports invoices that were not paid by their due date. */
  record_overdue: {
    payload: z.object({}),
    key: (): string => 'record_overdue',
  },
  /** Queues the reminders of overdue invoices that are due. */
  send_reminders: {
    payload: z.object({}),
    key: (): string => 'send_reminders',
  },
  /** Posts what operators did to the installation's webhook. */
  send_audit_log: {
    payload: z.object({}),
    key: (): string => 'send_audit_log',
  },
  /** Warns of client certificates that expire soon. */
  watch_certificates: {
    payload: z.object({}),
    key: (): string => 'watch_certificates',
  },
} as const;

export type TaskName = keyof typeof tasks;

type TaskPayload<Name extends TaskName> = z.output<(typeof tasks)[Name]['payload']>;

/** A task with its payload. */
export type Job = {
  [Name in TaskName]: { readonly task: Name; readonly payload: TaskPayload<Name> };
}[TaskName];

/** The only field of a payload that no task reads: the runner removes it before the task sees the payload. */
export const TRACE_FIELD = 'traceparent';

/** A job as the queue stores it; null for one of a task, or with a payload, that this version does not know. */
export function readJob(identifier: string, stored: unknown): Job | null {
  if (!isTask(identifier) || typeof stored !== 'object' || stored === null) return null;
  const { [TRACE_FIELD]: _, ...payload } = stored as Record<string, unknown>;
  const read = tasks[identifier].payload.safeParse(payload);
  return read.success ? ({ task: identifier, payload: read.data } as Job) : null;
}

function isTask(name: string): name is TaskName {
  return Object.hasOwn(tasks, name);
}
