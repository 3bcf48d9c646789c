import type { Db } from '../../ground/db/client.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Logger } from '../../ground/lib/logger.ts';
import { type Verification, type VerifyOptions, verifyEnvironment } from '../chain/verify.ts';

/** A verification counts for a day; somewhat less, so that the next night's is not put off by the length of this one. */
const DUE_AFTER_HOURS = 20;

/** Verifies an environment and keeps what came of it, unless it was not looked at whole. Null when there is none. */
export async function verifyAndKeep(
  { db, log }: { readonly db: Db; readonly log: Logger },
  environmentId: number,
  options: VerifyOptions = {},
): Promise<Verification | null> {
  const found = await verifyEnvironment(db.pool, environmentId, options);
  if (found === null) return null;
  const { records, findingCount, findings, complete, milliseconds } = found;
  // The first finding says where to look; what stands there may be a customer's and stays out of the log.
  const first = findings[0] && { what: findings[0].what, position: findings[0].position };
  const facts = { environmentId, records, findingCount, complete, milliseconds, first };
  if (findingCount > 0) log.error(facts, 'A CHAIN IS NOT SOUND: what is stored contradicts itself');
  else log.info(facts, 'chains verified');
  // A verification that was cut short and found nothing says nothing.
  if (complete || findingCount > 0) await keep(db, found);
  return found;
}

async function keep(db: Db, found: Verification): Promise<void> {
  const { environmentId, startedAt, records, findingCount, findings } = found;
  await db.pool.query(
    `insert into chain_verification as last
       (environment_id, started_at, finished_at, records, finding_count, findings, last_sound_at)
     values ($1, $2, $3, $4, $5, $6, case when $5 = 0 then $3::timestamptz end)
     on conflict (environment_id) do update
        set started_at = excluded.started_at, finished_at = excluded.finished_at, records = excluded.records,
            finding_count = excluded.finding_count, findings = excluded.findings,
            last_sound_at = coalesce(excluded.last_sound_at, last.last_sound_at)`,
    [environmentId, startedAt, clock.now(), records, findingCount, JSON.stringify(findings)],
  );
}

/**
 * Verifies every environment whose last verification is older than a day, one after the other, those that waited
 * longest first. Broken off, it goes on where it was when it is called again. Answers how many were not sound.
 */
export async function verifyDue(
  services: { readonly db: Db; readonly log: Logger },
  signal?: AbortSignal,
): Promise<number> {
  const { rows } = await services.db.pool.query<{ id: number }>(
    `select environment_id as id from ops.verification
      where verified_at is null or verified_at < $1::timestamptz - make_interval(hours => $2)
      order by verified_at nulls first, environment_id`,
    [clock.now(), DUE_AFTER_HOURS],
  );
  let unsound = 0;
  for (const { id } of rows) {
    const found = await verifyAndKeep(services, id, { signal });
    if (signal?.aborted) throw new Error('the verification was broken off');
    if (found !== null && found.findingCount > 0) unsound += 1;
  }
  return unsound;
}
