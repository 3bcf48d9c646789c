import { z } from 'zod';
import type { Matching } from '../../../ground/db/many-at-once.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readRow, readRows } from '../../../ground/db/rows.ts';
import { ATTEMPTS_KEPT, delivery, type StoredAttempt, type StoredDelivery } from '../shapes.ts';

/** Statements on `webhook_delivery`, and what they move of an endpoint. */

const DELIVERY = `id, environment_id as "environmentId", endpoint_id as "endpointId", sequence, event_id as "eventId",
  event_type as "eventType", status::text, attempts, attempt_log as "attemptLog", next_at as "nextAt", created_at as "createdAt"`;

export async function readDelivery(
  client: Queryable,
  environmentId: number,
  id: string,
): Promise<StoredDelivery | null> {
  return readRow(
    client,
    delivery,
    `select ${DELIVERY} from webhook_delivery where environment_id = $1 and id = $2`,
    [environmentId, id],
  );
}

/** The deliveries of endpoints that are due by the database's clock, of each the oldest first and so many `max`. */
export async function readDue(
  client: Queryable,
  environmentId: number,
  endpoints: readonly { readonly id: string; readonly max: number }[],
): Promise<StoredDelivery[]> {
  return readRows(
    client,
    delivery,
    {
      name: 'webhook-due',
      text: `select due.* from unnest($2::text[], $3::int[]) as wanted (id, most), lateral (
               select ${DELIVERY} from webhook_delivery d
                where d.environment_id = $1 and d.endpoint_id = wanted.id and d.status = 'pending' and d.next_at <= now()
                order by d.next_at limit wanted.most) as due`,
    },
    [environmentId, endpoints.map(({ id }) => id), endpoints.map(({ max }) => max)],
  );
}

/** Has a delivery tried at once, whatever became of it; answers the time by the database's clock, or null if it is gone. */
export async function makeDue(client: Queryable, environmentId: number, id: string): Promise<Date | null> {
  const due = await readRow(
    client,
    z.object({ at: column.instant }),
    `update webhook_delivery set status = 'pending', next_at = date_trunc('milliseconds', now())
      where environment_id = $1 and id = $2 returning next_at as at`,
    [environmentId, id],
  );
  return due?.at ?? null;
}

/** Failed deliveries of active endpoints, of one or of all, as many as `limit`, the oldest events first. */
export async function failedDeliveries(
  client: Queryable,
  environmentId: number,
  endpointId: string | null,
  limit: number,
): Promise<Matching<string>> {
  const rows = await readRows(
    client,
    z.object({ id: z.string(), matching: column.whole }),
    `select delivery.id, (count(*) over ())::int as matching from webhook_delivery delivery
       join webhook_endpoint endpoint
         on endpoint.environment_id = delivery.environment_id and endpoint.id = delivery.endpoint_id
      where delivery.environment_id = $1 and delivery.status = 'failed' and endpoint.status = 'active'
        and ($2::text is null or endpoint.id = $2)
      order by delivery.sequence, delivery.id limit $3`,
    [environmentId, endpointId, limit],
  );
  return { ids: rows.map(({ id }) => id), matching: rows[0]?.matching ?? 0 };
}

/** Gives up deliveries of events that are not kept any longer. */
export async function giveUp(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
): Promise<void> {
  await execute(
    client,
    `update webhook_delivery set status = 'failed', next_at = null where environment_id = $1 and id = any($2)`,
    [environmentId, ids],
  );
}

/** What an attempt has made of a delivery. */
export type Concluded = Omit<StoredDelivery, 'environmentId' | 'endpointId' | 'attemptLog'> & {
  readonly attempt: StoredAttempt;
};

/** What a batch has made of an endpoint and of its deliveries. */
export type AttemptResult = {
  readonly endpointId: string;
  readonly concluded: readonly Concluded[];
  /** How far the endpoint had come when the attempts were begun: if a replay has moved it back since, it stays there. */
  readonly from: number;
  readonly reached: number;
  /** Null: something has arrived. */
  readonly failingSince: Date | null;
  readonly quick: boolean;
};

/**
 * Notes attempts and how far endpoints of an environment have come, in one statement. They are held no longer. An event that
 * was delivered before, and was now again, keeps its row. Unless it is to be `durable` nobody waits for a disk: what a crash
 * takes is delivered once more.
 */
export async function concludeDeliveries(
  client: Queryable,
  environmentId: number,
  outcomes: readonly AttemptResult[],
  { durable }: { readonly durable: boolean },
): Promise<void> {
  const endpoints = outcomes.map(({ concluded: _, ...endpoint }) => endpoint);
  const deliveries = outcomes.flatMap(({ endpointId, concluded }) =>
    concluded.map((each) => ({ ...each, endpointId })),
  );
  await execute(
    client,
    {
      name: 'webhook-conclude',
      text: `
      with settings as materialized (
        select case when $4 then 'on' else set_config('synchronous_commit', 'off', true) end as set
      ), outcome as (
        select given.* from json_to_recordset($2) as given (
          "endpointId" text, "from" int, reached int, "failingSince" timestamptz(3), quick boolean)
      ), locked as materialized (
        select e.id from webhook_endpoint e, settings
         where set is not null and environment_id = $1 and id in (select "endpointId" from outcome)
         order by id for no key update of e
      ), moved as (
        update webhook_endpoint e set failing_since = outcome."failingSince", quick = outcome.quick, held_until = null,
               reached_sequence = case when reached_sequence = outcome."from" then outcome.reached else reached_sequence end
          from outcome join locked on locked.id = outcome."endpointId"
         where e.environment_id = $1 and e.id = locked.id
        returning e.id
      ), concluded as (
      insert into webhook_delivery as kept
             (id, environment_id, endpoint_id, sequence, event_id, event_type, status, attempts, attempt_log, next_at, created_at)
      select given.id, $1, moved.id, given.sequence, given."eventId", given."eventType", given.status::delivery_status, given.attempts,
             json_build_array(given.attempt), given."nextAt", given."createdAt"
        from json_to_recordset($3) as given (
          id text, "endpointId" text, sequence int, "eventId" text, "eventType" text, status text, attempts int, attempt json,
          "nextAt" timestamptz(3), "createdAt" timestamptz(3))
        join moved on moved.id = given."endpointId"
      on conflict (environment_id, endpoint_id, sequence) do update
         set status = excluded.status, attempts = excluded.attempts, next_at = excluded.next_at,
             attempt_log = case when jsonb_array_length(kept.attempt_log) < ${ATTEMPTS_KEPT} then kept.attempt_log
                                else kept.attempt_log - 0 end || excluded.attempt_log
      returning 1)
      select 1 from concluded`,
    },
    [environmentId, JSON.stringify(endpoints), JSON.stringify(deliveries), durable],
  );
}

/** Removes deliveries that are older, a batch at a time; answers how many. Those that wait are kept. */
export async function removeOld(
  client: Queryable,
  { before, max }: { before: Date; max: number },
): Promise<number> {
  return execute(
    client,
    `${OF_ALL} delete from webhook_delivery where (environment_id, id) in (
       select environment_id, id from webhook_delivery where created_at < $1 and status <> 'pending' limit $2)`,
    [before, max],
  );
}
