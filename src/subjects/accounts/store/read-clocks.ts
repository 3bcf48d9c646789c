import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow } from '../../../ground/db/rows.ts';

const clockRow = z.object({ ahead: column.whole, target: column.whole });

/** How many milliseconds an environment's time is ahead, and the offset that it is advancing to. Takes no lock. */
export function readClock(db: Queryable, environmentId: number): Promise<z.output<typeof clockRow>> {
  const text = 'select clock_ahead_ms as ahead, clock_target_ms as target from environment where id = $1';
  return readOneRow(db, clockRow, { name: 'environment-clock', text }, [environmentId]);
}

const aheadRow = z.object({ ahead: column.whole });

const READ_CLOCK = {
  name: 'clock-ahead',
  text: 'select clock_ahead_ms as ahead from environment where id = $1',
};

/** How many milliseconds the environment's time is ahead of the machine's; it must exist. */
export async function readClockAhead(db: Queryable, environmentId: number): Promise<number> {
  return (await readOneRow(db, aheadRow, READ_CLOCK, [environmentId])).ahead;
}
