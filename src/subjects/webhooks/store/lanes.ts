import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readOneRow, readRows } from '../../../ground/db/rows.ts';
import { type Deliverable, deliverable } from '../shapes.ts';
import { ENDPOINT } from './endpoints.ts';

/** Statements that tell what is to be done for the endpoints of an environment, and by whom. */

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
      text: `select ${ENDPOINT}, quick, coalesce(held_until > now(), false) as held, now() as "lookedAt",
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

/** Has nobody else begin attempts at an endpoint until a time, and takes it out of the lane of the quick ones. */
export async function hold(
  client: Queryable,
  environmentId: number,
  endpointId: string,
  until: Date,
): Promise<void> {
  await execute(
    client,
    {
      name: 'webhook-hold',
      text: 'update webhook_endpoint set held_until = $3, quick = false where environment_id = $1 and id = $2',
    },
    [environmentId, endpointId, until],
  );
}

/**
 * When the next delivery in a lane is due, or the hold of an endpoint there ends; null when nothing waits for a time.
 */
export async function nextDue(
  client: Queryable,
  environmentId: number,
  { quick }: { readonly quick: boolean },
): Promise<Date | null> {
  const { at } = await readOneRow(
    client,
    z.object({ at: column.instant.nullable() }),
    {
      name: 'webhook-next-due',
      text: `select min(case when held_until > now() then held_until else due.at end) as at
               from webhook_endpoint e
               left join lateral (select min(next_at) as at from webhook_delivery d
                                   where d.environment_id = $1 and d.endpoint_id = e.id and d.status = 'pending') due on true
              where e.environment_id = $1 and e.status = 'active' and e.quick = $2`,
    },
    [environmentId, quick],
  );
  return at;
}
