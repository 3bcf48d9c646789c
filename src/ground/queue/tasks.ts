import { z } from 'zod';

export type Task = {
  readonly payload: z.ZodType<object>;
  readonly about?: 'chainId' | 'environmentId' | 'invoiceId';
  readonly prefix?: string;
};

/**
 * The tasks and their payloads. A job is only a wake-up: the work to do is in our tables, so a job that runs twice, or
 * late, does no harm. Of the jobs about one thing (`about`, a field of the payload) at most one waits, and so it is with the jobs
 * of a task about nothing in particular; adding another replaces it. `prefix`: of their keys, if it is not the name of the task.
 */
export const tasks = {
  /** Sends a chain's pending records to the agency. */
  register: {
    payload: z.strictObject({ environmentId: z.int(), chainId: z.int() }),
    about: 'chainId',
  },
  /** Adds the jobs of chains that have pending records and lost theirs. */
  requeue_chains: {
    payload: z.object({}),
  },
  /** Compares a chain that is on hold after a restore with what the agency holds of it. */
  compare_with_agency: {
    payload: z.strictObject({ environmentId: z.int(), chainId: z.int() }),
    ...{ prefix: 'compare', about: 'chainId' },
  },
  /** Verifies the chains whose last verification is older than a day. */
  verify_chains: {
    payload: z.object({}),
  },
  /** Takes checkpoints of the journals that have grown considerably since their last ones. */
  take_checkpoints: {
    payload: z.object({}),
  },
  /** Renders the PDFs that wait in an environment. */
  render_documents: {
    payload: z.object({ environmentId: z.int() }),
    about: 'environmentId',
  },
  /** Renders one PDF whose rendering has failed, so that it neither delays nor hides others. */
  render_pdf: {
    payload: z.strictObject({ environmentId: z.int(), invoiceId: z.string() }),
    ...{ prefix: 'pdf', about: 'invoiceId' },
  },
  /** Delivers the e-mails of an environment that are due to the mail server. */
  send_email: {
    payload: z.object({ environmentId: z.int() }),
    about: 'environmentId',
  },
  /** Deletes idempotency keys that are no longer kept. */
  reap_idempotency_keys: {
    payload: z.object({}),
  },
  /** Deletes expired sessions of customers. */
  reap_portal_sessions: {
    payload: z.object({}),
  },
  /** Delivers events to the webhook endpoints of an environment that answer quickly. */
  deliver_webhooks: {
    payload: z.object({ environmentId: z.int() }),
    about: 'environmentId',
  },
  /** The same for all other endpoints, so that fast ones need not wait for their workers. */
  retry_webhooks: {
    payload: z.object({ environmentId: z.int() }),
    about: 'environmentId',
  },
  /** Deletes old webhook deliveries. */
  reap_webhook_deliveries: {
    payload: z.object({}),
  },
  /** Adds up the days of environments with many invoices. */
  compute_day_totals: {
    payload: z.object({}),
  },
  /** Samples counts of completed work for the plots of the console. */
  sample_operations: {
    payload: z.object({}),
  },
  /** Issues the pending invoices in the batches of an environment. */
  work_invoice_batches: {
    payload: z.strictObject({ environmentId: z.int() }),
    about: 'environmentId',
  },
  /** Adds the jobs of batches that have lost theirs, and deletes old batches. */
  maintain_batches: {
    payload: z.object({}),
  },
  /** Adds the jobs of schedules that are due. */
  wake_schedules: {
    payload: z.object({}),
  },
  /** Issues what is due by the schedules of an environment. */
  issue_scheduled: {
    payload: z.strictObject({ environmentId: z.int() }),
    about: 'environmentId',
  },
  /** Advances a test clock to its target. */
  advance_test_clock: {
    payload: z.strictObject({ environmentId: z.int() }),
    about: 'environmentId',
  },
  /** Reports invoices that were not paid by their due date. */
  record_overdue: {
    payload: z.object({}),
  },
  /** Queues the reminders of overdue invoices that are due. */
  send_reminders: {
    payload: z.object({}),
  },
  /** Posts what operators did to the installation's webhook. */
  send_audit_log: {
    payload: z.object({}),
  },
  /** Warns of client certificates that expire soon. */
  watch_certificates: {
    payload: z.object({}),
  },
} as const satisfies Readonly<Record<string, Task>>;

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
