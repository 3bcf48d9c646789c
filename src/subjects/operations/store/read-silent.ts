import { z } from 'zod';
import { readArchiving } from '../../../ground/db/archiving.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readOneRow } from '../../../ground/db/rows.ts';
import { secondsSinceSchedule } from '../../../ground/queue/schedule.ts';

const silentRow = z.object({
  endpointFailingSeconds: z.number(),
  endpointsDisabled: column.whole,
  auditWebhookFailingSeconds: z.number(),
  emailWaitingSeconds: z.number(),
  slotRetainedBytes: z.number(),
  slotsInactive: column.whole,
});

/** What can fail without anybody being answered with an error. */
export type SilentFigures = z.output<typeof silentRow> & {
  readonly archiveFailing: boolean;
  readonly sinceScheduleSeconds: number;
};

export async function silentFigures(client: Queryable): Promise<SilentFigures> {
  const found = await readOneRow(
    client,
    silentRow,
    `${OF_ALL} select
       coalesce((select extract(epoch from now() - min(failing_since)) from webhook_endpoint where status = 'active'), 0)::float8
         as "endpointFailingSeconds",
       (select count(*)::int from webhook_endpoint where status = 'disabled' and disabled_reason <> 'it was disabled by hand')
         as "endpointsDisabled",
       coalesce((select extract(epoch from now() - failing_since) from audit_webhook), 0)::float8 as "auditWebhookFailingSeconds",
       coalesce((select extract(epoch from now() - min(email.requested_at)) from invoice_email_state state
           join invoice_email email on email.environment_id = state.environment_id and email.id = state.email_id
          where state.status = 'queued'), 0)::float8 as "emailWaitingSeconds",
       case when pg_is_in_recovery() then 0 else coalesce((select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))
         from pg_replication_slots), 0) end::float8 as "slotRetainedBytes",
       (select count(*)::int from pg_replication_slots where not active) as "slotsInactive"`,
  );
  const archiving = await readArchiving(client);
  const sinceScheduleSeconds = (await secondsSinceSchedule(client)) ?? 0;
  return { ...found, archiveFailing: archiving.mode !== 'off' && archiving.failing, sinceScheduleSeconds };
}
