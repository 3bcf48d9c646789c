import { z } from 'zod';

/**
 * What jobs there are and what each is told. A job is only a wake-up: what is to be done stands in our tables, so one
 * that runs twice, or late, does no harm. `key`: of the jobs with one key at most one waits; adding another replaces it.
 */
export const tasks = {
  /** Sends a chain's waiting records to the agency. */
  register: {
    payload: z.strictObject({ environmentId: z.int(), chainId: z.int() }),
    key: (payload: { chainId: number }): string => `register:${payload.chainId}`,
  },
  /** Adds the job of chains that have records waiting and lost theirs. */
  wake_forgotten_chains: {
    payload: z.object({}),
    key: (): string => 'wake_forgotten_chains',
  },
  /** Compares a chain that is held after a restore with what the agency holds of it. */
  compare_with_agency: {
    payload: z.strictObject({ environmentId: z.int(), chainId: z.int() }),
    key: (payload: { chainId: number }): string => `compare:${payload.chainId}`,
  },
  /** Verifies the chains whose last verification is older than a day. */
  verify_chains: {
    payload: z.object({}),
    key: (): string => 'verify_chains',
  },
  /** Takes checkpoints of the journals that have grown much since their last ones. */
  take_checkpoints: {
    payload: z.object({}),
    key: (): string => 'take_checkpoints',
  },
  /** Writes into the journals what was there before them. */
  adopt_journals: {
    payload: z.object({}),
    key: (): string => 'adopt_journals',
  },
  /** Renders an invoice's PDF. */
  render_pdf: {
    payload: z.strictObject({ environmentId: z.int(), invoiceId: z.string() }),
    key: (payload: { invoiceId: string }): string => `pdf:${payload.invoiceId}`,
  },
  /** Hands an e-mail over to the mail server. */
  send_email: {
    payload: z.strictObject({ environmentId: z.int(), emailId: z.string() }),
    key: (payload: { emailId: string }): string => `email:${payload.emailId}`,
  },
  /** Removes idempotency keys whose window is over. */
  reap_idempotency_keys: {
    payload: z.object({}),
    key: (): string => 'reap_idempotency_keys',
  },
  /** Removes customers' sessions that are long over. */
  reap_portal_sessions: {
    payload: z.object({}),
    key: (): string => 'reap_portal_sessions',
  },
  /** Delivers events to the webhook endpoints of an environment that answer quickly. */
  deliver_webhooks: {
    payload: z.object({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `deliver_webhooks:${environmentId}`,
  },
  /** The same for all others, so that those that are quick need not wait for their workers. */
  retry_webhooks: {
    payload: z.object({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `retry_webhooks:${environmentId}`,
  },
  /** Removes old deliveries of webhooks. */
  reap_webhook_deliveries: {
    payload: z.object({}),
    key: (): string => 'reap_webhook_deliveries',
  },
  /** Notes how much was done, for what the console draws. */
  sample_operations: {
    payload: z.object({}),
    key: (): string => 'sample_operations',
  },
  /** Issues what waits in the batches of an environment. */
  work_invoice_batches: {
    payload: z.strictObject({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `work_invoice_batches:${environmentId}`,
  },
  /** Wakes batches that lost their job, and removes old ones. */
  look_after_batches: {
    payload: z.object({}),
    key: (): string => 'look_after_batches',
  },
  /** Adds the jobs of schedules that are due. */
  wake_schedules: {
    payload: z.object({}),
    key: (): string => 'wake_schedules',
  },
  /** Issues what the schedules of an environment have due. */
  issue_scheduled: {
    payload: z.strictObject({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `issue_scheduled:${environmentId}`,
  },
  /** Moves a test clock to where it is to be. */
  advance_test_clock: {
    payload: z.strictObject({ environmentId: z.int() }),
    key: ({ environmentId }: { environmentId: number }): string => `advance_test_clock:${environmentId}`,
  },
  /** Tells of invoices that were not paid by their day. */
  tell_overdue: {
    payload: z.object({}),
    key: (): string => 'tell_overdue',
  },
  /** Writes down the reminders of overdue invoices that are due. */
  send_reminders: {
    payload: z.object({}),
    key: (): string => 'send_reminders',
  },
  /** Exchanges invoices and statuses with the public solution's simulator. */
  exchange: {
    payload: z.object({}),
    key: (): string => 'exchange',
  },
  /** Warns of client certificates that run out soon. */
  watch_certificates: {
    payload: z.object({}),
    key: (): string => 'watch_certificates',
  },
} as const;

export type TaskName = keyof typeof tasks;
export type TaskPayload<Name extends TaskName> = z.output<(typeof tasks)[Name]['payload']>;
