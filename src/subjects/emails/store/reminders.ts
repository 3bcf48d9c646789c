import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRows } from '../../../ground/db/rows.ts';

const dueRow = z.object({
  environmentId: column.whole,
  environment: z.enum(['test', 'live']),
  rootId: z.string(),
  invoiceId: z.string(),
  /** How many days after the due day. */
  days: column.whole,
});

export type DueReminder = Readonly<z.output<typeof dueRow>>;

/** The environments to process, and which reminders are due. */
export type DueBounds = {
  readonly now: Date;
  /** One environment at any time of day; null: all, between the hours `from` and `to` of their time. */
  readonly environmentId: number | null;
  readonly hours: readonly [from: number, to: number];
  /** For how many days after its day a missing reminder is still sent. */
  readonly lateDays: number;
  /** Environments whose reminders have to wait. */
  readonly except: readonly number[];
  readonly max: number;
};

/**
 * Reminders that are due by the environment's day and not sent yet, of unpaid invoices with an e-mail address: only
 * the latest of each invoice, the longest overdue first. None for a day before the schedule was set, and none once
 * a later one was sent. Takes no lock.
 */
export function readDueReminders(client: Queryable, bounds: DueBounds): Promise<DueReminder[]> {
  const { now, environmentId, hours, lateDays, except, max } = bounds;
  return readRows(
    client,
    dueRow,
    `${OF_ALL} select account.environment_id as "environmentId", environment.kind as environment, account.root_id as "rootId", account.holder_id as "invoiceId",
            max(step.days) as days
       from email_settings settings
       join environment on environment.id = settings.environment_id
      cross join lateral (
        select ($1::timestamptz + environment.clock_ahead_ms * interval '1 millisecond') at time zone environment.time_zone as at) as here
      cross join unnest(settings.reminder_days) as step (days)
       join payment_account account on account.environment_id = settings.environment_id and account.holder_id is not null
        and account.settlement in ('unpaid', 'partially_paid') and account.payable > 0
        and account.due_on between greatest(settings.reminders_since, here.at::date - $5::int) - step.days and here.at::date - step.days
       join invoice on invoice.environment_id = account.environment_id and invoice.id = account.holder_id
        and invoice.recipient_email is not null and not invoice.imported
       left join invoice_email made on made.environment_id = account.environment_id and made.invoice_id = account.holder_id
      where not settings.environment_id = any($7::bigint[]) and (settings.environment_id = $2 or $2 is null and extract(hour from here.at) >= $3 and extract(hour from here.at) < $4)
      group by account.environment_id, environment.kind, account.root_id, account.holder_id, account.due_on
     having max(made.reminder) is null or max(made.reminder) < max(step.days)
      order by account.due_on, account.environment_id, account.root_id limit $6`,
    [now.toISOString(), environmentId, ...hours, lateDays, max, except],
  );
}
