import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import { type Deliverable, deliverable } from '../shapes.ts';
import { ENDPOINT } from './endpoints.ts';

/** Statements that read what is to be done for the endpoints of an environment, and by which process. */

/** The active endpoints of an environment, or the `only` one, with what waits for each by the database's clock. */
export async function readDeliverable(
  client: Queryable,
  environmentId: number,
  only: string | null = null,
): Promise<Deliverable[]> {
  return readRows(
    client,
    deliverable,
    {
      name: 'webhook-deliverable',
      text: `select ${ENDPOINT}, coalesce(held_until > now(), false) as held, now() as "readAt",
                    again.at as "nextAt", coalesce(again.at <= now(), false) as due,
                    reached_sequence < (select position from journal_head h where h.environment_id = $1)
                      or coalesce(again.at <= now(), false) as waits
               from webhook_endpoint e
               left join lateral (select min(next_at) as at from webhook_delivery d
                                   where d.environment_id = $1 and d.endpoint_id = e.id and d.status = 'pending') again on true
              where e.environment_id = $1 and e.status = 'active' and ($2::text is null or e.id = $2)`,
    },
    [environmentId, only],
  );
}

/** Whoever died with a lane is followed by another after so long; a turn takes a few seconds. */
const LEASE_SECONDS = 30;

/** A lane that was taken, or that another has. */
export type Lease = { readonly isOwn: boolean; readonly until: Date };

/**
 * Takes a lane of an environment, unless another has it. Nobody waits for a disk: a lease that a crash takes is missed by
 * nobody.
 */
export async function takeLane(client: Queryable, environmentId: number, quick: boolean): Promise<Lease> {
  const shape = z.object({ until: column.instant });
  const claimed = await readRow(
    client,
    shape,
    {
      name: 'webhook-take-lane',
      text: `with unhurried as materialized (select set_config('synchronous_commit', 'off', true) as set)
             insert into webhook_lane as lane (environment_id, quick, taken_until)
             select $1, $2, now() + make_interval(secs => ${LEASE_SECONDS}) from unhurried where set = 'off'
             on conflict (environment_id, quick) do update set taken_until = excluded.taken_until
              where lane.taken_until is null or lane.taken_until <= seconds_after(excluded.taken_until, -${LEASE_SECONDS})
             returning taken_until as until`,
    },
    [environmentId, quick],
  );
  if (claimed !== null) return { isOwn: true, until: claimed.until };
  const { until } = await readOneRow(
    client,
    shape,
    'select coalesce(taken_until, now()) as until from webhook_lane where environment_id = $1 and quick = $2',
    [environmentId, quick],
  );
  return { isOwn: false, until };
}

/** Leaves a lane that was taken, unless another has it since. What is committed from then on wakes the lane by itself. */
export async function releaseLane(
  client: Queryable,
  environmentId: number,
  quick: boolean,
  { until }: Lease,
): Promise<void> {
  await execute(
    client,
    {
      name: 'webhook-leave-lane',
      text: `with unhurried as materialized (select set_config('synchronous_commit', 'off', true) as set)
             update webhook_lane set taken_until = null from unhurried
              where set = 'off' and environment_id = $1 and quick = $2 and taken_until = $3`,
    },
    [environmentId, quick, until],
  );
}

/** Adds the job of a lane, unless somebody has taken it, who will look again. */
export async function wakeLane(client: Queryable, environmentId: number, quick: boolean): Promise<void> {
  await execute(client, { name: 'wake-webhook-lane', text: 'select wake_webhook_lane($1, $2)' }, [
    environmentId,
    quick,
  ]);
}

/** Has nobody else begin attempts at endpoints until a time, and takes them out of the lane of the quick ones. */
export async function hold(
  client: Queryable,
  environmentId: number,
  endpointIds: readonly string[],
  until: Date,
): Promise<void> {
  await execute(
    client,
    {
      name: 'webhook-hold',
      text: 'update webhook_endpoint set held_until = $3, quick = false where environment_id = $1 and id = any($2)',
    },
    [environmentId, endpointIds, until],
  );
}

const waiting = z.object({ waits: z.boolean(), at: column.instant.nullable() });

/**
 * Whether there is something to do in a lane now, and when the next delivery there is due, or the hold of an endpoint ends; null
 * when nothing waits for a time. `except` those endpoints.
 */
export async function waitingInLane(
  client: Queryable,
  environmentId: number,
  { quick, except }: { readonly quick: boolean; readonly except: readonly string[] },
): Promise<z.output<typeof waiting>> {
  return readOneRow(
    client,
    waiting,
    {
      name: 'webhook-lane-waits',
      text: `select coalesce(bool_or(coalesce(held_until <= now(), true)
                                     and (reached_sequence < head.position or due.at <= now())), false) as waits,
                    min(case when held_until > now() then held_until else due.at end) as at
               from webhook_endpoint e
               join journal_head head on head.environment_id = e.environment_id
               left join lateral (select min(next_at) as at from webhook_delivery d
                                   where d.environment_id = $1 and d.endpoint_id = e.id and d.status = 'pending') due on true
              where e.environment_id = $1 and e.status = 'active' and e.quick = $2 and e.id <> all($3)`,
    },
    [environmentId, quick, except],
  );
}
