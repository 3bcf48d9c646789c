import { z } from 'zod';
import { type Listed, listed } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, type RowKey, readRow, readRowOfEach, readRows } from '../../../ground/db/rows.ts';
import { type Schedule, schedule } from '../shapes.ts';
import type { ScheduleStatus } from '../types.ts';

export const SCHEDULE_COLUMNS = `id, content, frequency, starts_on::text as "startsOn", ends_on::text as "endsOn", count,
  due_in_days as "dueInDays", status, made, next_period as "nextPeriod", next_on::text as "nextOn",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** One schedule, or null. Takes no lock. */
export function readSchedule(db: Queryable, environmentId: number, id: string): Promise<Schedule | null> {
  const text = `select ${SCHEDULE_COLUMNS} from invoice_schedule where environment_id = $1 and id = $2`;
  return readRow(db, schedule, text, [environmentId, id]);
}

/** Schedules by their environments and ids. */
export function readSchedulesById(db: Queryable, keys: readonly RowKey[]): Promise<Map<string, Schedule>> {
  const text = `select ${SCHEDULE_COLUMNS} from invoice_schedule where environment_id = wanted.environment_id and id = wanted.id`;
  return readRowOfEach(db, schedule, text, keys);
}

/** The schedules of an environment, newest first. */
export function listSchedules(
  db: Queryable,
  environmentId: number,
  status: ScheduleStatus | null,
): Listed<Schedule> {
  return listed(db, {
    ...{ shape: schedule, columns: SCHEDULE_COLUMNS, from: 'invoice_schedule', id: 'id' },
    where: 'environment_id = $1 and ($2::text is null or status = $2)',
    values: [environmentId, status],
    ...{ order: ['created_at', 'id'], direction: 'desc' },
  });
}

const environmentRow = z.object({ environmentId: column.whole });

/**
 * The environments in which something is due by their own time, or waits to be issued; all use Madrid's time zone.
 * Takes no lock.
 */
export async function readDueEnvironments(db: Queryable, now: Date): Promise<number[]> {
  const rows = await readRows(
    db,
    environmentRow,
    `select distinct schedule.environment_id as "environmentId"
       from invoice_schedule schedule join environment on environment.id = schedule.environment_id
      where schedule.status = 'active' and schedule.next_on <=
            (($1::timestamptz + environment.clock_ahead_ms * interval '1 millisecond') at time zone 'Europe/Madrid')::date
     union select distinct environment_id from invoice_draft where waits`,
    [now],
  );
  return rows.map(({ environmentId }) => environmentId);
}

const idRow = z.object({ id: z.string() });

/**
 * Drafts that schedules have created and that wait to be issued, those of the earliest days first. Takes no lock.
 */
export async function readWaitingDrafts(
  db: Queryable,
  environmentId: number,
  max: number,
): Promise<string[]> {
  const rows = await readRows(
    db,
    idRow,
    `select id from invoice_draft where environment_id = $1 and waits order by period_on, id limit $2`,
    [environmentId, max],
  );
  return rows.map(({ id }) => id);
}
