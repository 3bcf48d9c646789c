import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readRows } from '../../../ground/db/rows.ts';
import type { Verification } from '../../chain/verify.ts';

/**
 * Stores the result of a verification in place of the previous one, and remembers the last one without findings.
 */
export async function saveVerification(
  client: Queryable,
  { environmentId, startedAt, records, findingCount, findings }: Verification,
  finishedAt: Date,
): Promise<void> {
  await execute(
    client,
    `insert into chain_verification as last
       (environment_id, started_at, finished_at, records, finding_count, findings, last_sound_at)
     values ($1, $2, $3, $4, $5, $6, case when $5 = 0 then $3::timestamptz end)
     on conflict (environment_id) do update
        set started_at = excluded.started_at, finished_at = excluded.finished_at, records = excluded.records,
            finding_count = excluded.finding_count, findings = excluded.findings,
            last_sound_at = coalesce(excluded.last_sound_at, last.last_sound_at)`,
    [environmentId, startedAt, finishedAt, records, findingCount, JSON.stringify(findings)],
  );
}

const dueRow = z.object({ id: column.whole });

/** The environments whose last verification is older than the given hours, those that have waited longest first. */
export async function environmentsDue(client: Queryable, now: Date, hours: number): Promise<number[]> {
  const rows = await readRows(
    client,
    dueRow,
    `${OF_ALL} select environment_id as id from ops.verification
      where verified_at is null or verified_at < $1::timestamptz - make_interval(hours => $2)
      order by verified_at nulls first, environment_id`,
    [now, hours],
  );
  return rows.map(({ id }) => id);
}
