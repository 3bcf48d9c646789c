import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow } from '../../../ground/db/rows.ts';

const stepRow = z.object({ seconds: z.number().nullable() });

/**
 * Whole seconds until the last of the environment's chains sends: 0 when it may send, or somebody is sending; null when none of them will by itself.
 */
export async function secondsToNextSend(client: Queryable, environmentId: number): Promise<number | null> {
  const found = await readRow(
    client,
    stepRow,
    `select ceil(max(case when lease_until > now() then 0
                          else greatest(0, extract(epoch from next_send_at - now())) end))::float as seconds
       from chain_dispatch
      where environment_id = $1 and stopped_at is null and paused_at is null`,
    [environmentId],
  );
  return found?.seconds ?? null;
}
