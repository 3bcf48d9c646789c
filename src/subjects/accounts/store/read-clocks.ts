import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';
import { TIME_ZONES } from '../../../ground/lib/calendar.ts';

const timeRow = z.object({ ahead: column.whole, target: column.whole, timeZone: z.enum(TIME_ZONES) });

/**
 * How many milliseconds the time of an environment, which must exist, is ahead, the offset that it is advancing to,
 * and its time zone. Takes no lock.
 */
export function readTime(db: Queryable, environmentId: number): Promise<z.output<typeof timeRow>> {
  const text = `select clock_ahead_ms as ahead, clock_target_ms as target, time_zone as "timeZone"
    from environment where id = $1`;
  return readOneRow(db, timeRow, { name: 'environment-time', text }, [environmentId]);
}
