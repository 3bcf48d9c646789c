import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRow, readRows } from '../../../ground/db/rows.ts';
import type { Day } from '../../../ground/lib/calendar.ts';
import { type Draft, type Schedule, schedule } from '../shapes.ts';

/** Statements on `invoice_schedule`, and on the drafts that schedules create. */

const SCHEDULE_COLUMNS = `id, content, frequency, starts_on::text as "startsOn", ends_on::text as "endsOn", count,
  due_in_days as "dueInDays", status, made, next_period as "nextPeriod", next_on::text as "nextOn",
  created_at as "createdAt", updated_at as "updatedAt"`;

const idRow = z.object({ id: z.string() });

/**
 * Inserts a schedule, unless the environment has `max` that have not ended. Two concurrent inserts may exceed the
 * limit by one. Returns whether it was inserted.
 */
export async function insertSchedule(
  db: Queryable,
  environmentId: number,
  made: Schedule,
  max: number,
): Promise<boolean> {
  const { id, content, frequency, startsOn, endsOn, count, dueInDays, nextOn, createdAt } = made;
  const rows = await readRows(
    db,
    idRow,
    `with inserted as (
       insert into invoice_schedule (environment_id, id, content, frequency, starts_on, ends_on, count, due_in_days, status,
         next_on, created_at, updated_at)
       select $1, $2, $3, $4, $5, $6, $7, $8, 'active', $9, $10, $10
        where (select count(*) from invoice_schedule where environment_id = $1 and status <> 'ended') < $11
       returning id
     )
     select id from inserted`,
    [
      ...[environmentId, id, JSON.stringify(content), frequency, startsOn, endsOn, count, dueInDays, nextOn],
      ...[createdAt, max],
    ],
  );
  return rows.length > 0;
}

/** The schedule, locked until the end of the transaction. */
export function lockSchedule(client: Queryable, environmentId: number, id: string): Promise<Schedule | null> {
  return readRow(
    client,
    schedule,
    `select ${SCHEDULE_COLUMNS} from invoice_schedule where environment_id = $1 and id = $2 for update`,
    [environmentId, id],
  );
}

/**
 * One schedule that is due on that day and not locked by others, locked until the end of the transaction; null
 * without any.
 */
export function lockDueSchedule(
  client: Queryable,
  environmentId: number,
  today: Day,
): Promise<Schedule | null> {
  return readRow(
    client,
    schedule,
    `select ${SCHEDULE_COLUMNS} from invoice_schedule
      where environment_id = $1 and status = 'active' and next_on <= $2
      order by next_on, id limit 1 for update skip locked`,
    [environmentId, today],
  );
}

/** Stores the changed columns of a schedule. Its row must be locked. */
export async function updateSchedule(
  client: Queryable,
  environmentId: number,
  changed: Schedule,
): Promise<void> {
  const { id, content, endsOn, count, dueInDays, status, made, nextPeriod, nextOn, updatedAt } = changed;
  await execute(
    client,
    `update invoice_schedule set content = $3, ends_on = $4, count = $5, due_in_days = $6, status = $7, made = $8,
       next_period = $9, next_on = $10, updated_at = $11
      where environment_id = $1 and id = $2`,
    [
      ...[environmentId, id, JSON.stringify(content), endsOn, count, dueInDays],
      ...[status, made, nextPeriod, nextOn, updatedAt],
    ],
  );
}

/**
 * Inserts the draft of a period, which then waits to be issued. The row of its schedule must be locked; a unique
 * index also ensures one draft for each period.
 */
export async function insertPeriod(client: Queryable, environmentId: number, made: Draft): Promise<void> {
  const { id, content, dueInDays, scheduleId, periodOn, createdAt } = made;
  await execute(
    client,
    `insert into invoice_draft (environment_id, id, content, due_in_days, errors, schedule_id, period_on, waits,
       created_at, updated_at)
     values ($1, $2, $3, $4, '[]', $5, $6, true, $7, $7)`,
    [environmentId, id, JSON.stringify(content), dueInDays, scheduleId, periodOn, createdAt],
  );
}

/** Records why a waiting draft was refused, which ends its waiting. Returns whether it still waited. */
export async function markFailed(
  client: Queryable,
  environmentId: number,
  { id, errors, failure }: Pick<Draft, 'id' | 'errors' | 'failure'>,
  at: Date,
): Promise<boolean> {
  const rows = await readRows(
    client,
    idRow,
    `update invoice_draft set waits = false, failure = $3, errors = $4, updated_at = $5
      where environment_id = $1 and id = $2 and waits returning id`,
    [environmentId, id, JSON.stringify(failure), JSON.stringify(errors), at],
  );
  return rows.length > 0;
}
