import { z } from 'zod';
import type { InvoiceSchedule } from '../../../../generated/prisma/client.ts';
import type { Db } from '../../../ground/db/client.ts';
import { given } from '../../../ground/db/filter.ts';
import { firstOf, type Page, pageOf } from '../../../ground/db/listed.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readRows } from '../../../ground/db/rows.ts';
import { dayOfColumn } from '../../../ground/lib/calendar.ts';
import { type Schedule, schedule } from '../shapes.ts';
import type { ScheduleStatus } from '../types.ts';

/** A row of Prisma's as the rules of schedules use it: days as texts, and JSON that was checked. */
export function scheduleOf(row: InvoiceSchedule): Schedule {
  const { startsOn, endsOn, nextOn } = row;
  const days = { endsOn: endsOn && dayOfColumn(endsOn), nextOn: nextOn && dayOfColumn(nextOn) };
  return schedule.parse({ ...row, ...days, startsOn: dayOfColumn(startsOn) });
}

/** One schedule, or null. Takes no lock. */
export async function readSchedule(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
  id: string,
): Promise<Schedule | null> {
  const where = { id_environmentId: { environmentId, id } };
  const row = await prisma.invoiceSchedule.findUnique({ where });
  return row && scheduleOf(row);
}

/** The newest schedules of an environment, of one status or of all. */
export async function listSchedules(
  { prisma }: Pick<Db, 'prisma'>,
  environmentId: number,
  { status, size }: { readonly status: ScheduleStatus | undefined; readonly size: number },
): Promise<Page<Schedule>> {
  const rows = await prisma.invoiceSchedule.findMany({
    where: { environmentId, ...given({ status }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: size + 1,
  });
  return pageOf(rows.map(scheduleOf), firstOf(size, null));
}

const environmentRow = z.object({ environmentId: column.whole });

/**
 * The environments in which something is due by their own time, or waits to be issued. Takes no lock.
 */
export async function readDueEnvironments(db: Queryable, now: Date): Promise<number[]> {
  const rows = await readRows(
    db,
    environmentRow,
    `${OF_ALL} select distinct schedule.environment_id as "environmentId"
       from invoice_schedule schedule join environment on environment.id = schedule.environment_id
      where schedule.status = 'active' and schedule.next_on <=
            (($1::timestamptz + environment.clock_ahead_ms * interval '1 millisecond') at time zone environment.time_zone)::date
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
