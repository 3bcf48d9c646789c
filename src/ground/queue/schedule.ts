import { z } from 'zod';
import type { Queryable } from '../db/queryable.ts';
import { readOneRow } from '../db/rows.ts';

const lastRun = z.object({ seconds: z.number().nullable() });

/** How long ago a worker last ran a scheduled job; null if none ever has. */
export async function secondsSinceSchedule(db: Queryable): Promise<number | null> {
  const { seconds } = await readOneRow(
    db,
    lastRun,
    `select extract(epoch from now() - max(coalesce(last_execution, known_since)))::float8 as seconds
       from graphile_worker._private_known_crontabs`,
  );
  return seconds;
}
