import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { OF_ALL, readOneRow, readRows } from '../../../ground/db/rows.ts';

/** Without a heartbeat for so long a process is dead, and for a while afterwards that is news. */
const DEAD = "interval '15 seconds'";
const NEWS = "interval '5 minutes'";

/**
 * Whether a process has lately ended without saying so. Its last heartbeat is compared with those of the others: after an outage of
 * the database the first of them to be back has not outlived the rest.
 */
export async function hasProcessDied(client: Queryable): Promise<boolean> {
  const { died } = await readOneRow(
    client,
    z.object({ died: z.boolean() }),
    `select exists (select 1 from service_process where beat_at > now() - ${NEWS}
        and beat_at < (select max(beat_at) from service_process) - ${DEAD}) as died`,
  );
  return died;
}

const failed = z.object({ outcome: z.string().nullable(), message: z.string().nullable() });

/** How the last message failed of a chain that fails; an outcome of null: there is no answer yet, for longer than one takes. */
export type FailedSending = z.output<typeof failed>;

/** As many as are looked at: what all chains have in common these have, too. */
const LOOKED_AT = 50;
/** An answer takes a second or two. */
const SLOW = "interval '30 seconds'";

/** The last messages of chains to which the agency gives no answer that can be used. */
export async function failedSendings(client: Queryable): Promise<FailedSending[]> {
  return readRows(
    client,
    failed,
    `${OF_ALL} select last.outcome, last.message
       from chain_dispatch dispatch cross join lateral (
         select outcome, message, started_at from submission
          where submission.environment_id = dispatch.environment_id and submission.chain_id = dispatch.chain_id
          order by started_at desc limit 1) last
      where (dispatch.consecutive_failures > 0 or dispatch.lease_until is not null) and dispatch.stopped_at is null
        and (last.outcome in ('not_sent', 'unknown', 'unreadable', 'technical_fault')
             or last.outcome is null and last.started_at < now() - ${SLOW})
      limit ${LOOKED_AT}`,
  );
}
