import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRows } from '../../../ground/db/rows.ts';

/** Statements on the clock of an environment. */

export const clockRow = z.object({ ahead: column.whole, target: column.whole });

/** How many milliseconds an environment's time is ahead, and the offset that it is advancing to. */
export type ClockFacts = Readonly<z.output<typeof clockRow>>;

/** Reads the clock and locks it until the end of the transaction. */
export function lockClock(client: Queryable, environmentId: number): Promise<ClockFacts> {
  const text = `select clock_ahead_ms as ahead, clock_target_ms as target from environment
    where id = $1 for no key update`;
  return readOneRow(client, clockRow, text, [environmentId]);
}

/** Sets a clock that is locked. */
export async function setClock(
  client: Queryable,
  environmentId: number,
  { ahead, target }: ClockFacts,
): Promise<void> {
  await execute(client, 'update environment set clock_ahead_ms = $2, clock_target_ms = $3 where id = $1', [
    environmentId,
    ahead,
    target,
  ]);
}

const idRow = z.object({ id: column.whole });

/**
 * Moves a clock forward and returns true, unless it was moved or removed concurrently. The lock lasts for this
 * statement only.
 */
export async function moveClock(
  db: Queryable,
  environmentId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const rows = await readRows(
    db,
    idRow,
    `update environment set clock_ahead_ms = $3
      where id = $1 and clock_ahead_ms = $2 and clock_target_ms >= $3 returning id`,
    [environmentId, from, to],
  );
  return rows.length > 0;
}
