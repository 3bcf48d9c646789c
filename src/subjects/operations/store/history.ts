import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, OF_ALL, readRows } from '../../../ground/db/rows.ts';

/**
 * Inserts a sample at the database's time and deletes those older than the given seconds. Inserted rows are counted
 * by the server's statistics, so nothing is read that grows with invoices, except what waits to be sent.
 */
export async function addSample(client: Queryable, keptSeconds: number): Promise<void> {
  await execute(
    client,
    `${OF_ALL} insert into operations_sample (taken_at, invoices, records, deliveries, unsent, oldest_unsent_seconds, database_bytes)
     select now(), counted.invoices, counted.records, counted.deliveries, waiting.unsent, waiting.oldest,
            pg_database_size(current_database())
       from (select coalesce(sum(n_tup_ins) filter (where relname = 'invoice'), 0) as invoices,
                    coalesce(sum(n_tup_ins) filter (where relname = 'record_state'), 0) as records,
                    coalesce(sum(n_tup_ins) filter (where relname = 'webhook_delivery'), 0) as deliveries
               from pg_stat_user_tables where schemaname = 'public') as counted,
            (select coalesce(sum(pending), 0) as unsent,
                    coalesce(max(oldest_pending_seconds), 0)::int as oldest from ops.pending_per_chain) as waiting
     on conflict (taken_at) do nothing`,
  );
  await execute(client, 'delete from operations_sample where taken_at < now() - make_interval(secs => $1)', [
    keptSeconds,
  ]);
}

const stretchRow = z.object({
  since: column.instant,
  issued: column.whole,
  registered: column.whole,
  delivered: column.whole,
  oldestUnsentSeconds: column.whole,
  databaseBytes: z.coerce.number(),
});

/** The counts of an interval, and the worst and the last of the values in it. */
export type Stretch = Readonly<z.output<typeof stretchRow>>;

/**
 * The last `hours` in stretches of `minutes`, the oldest first; none for a stretch without a sample. A sample contains what was
 * done since the one before it, wherever that lies; a count that has become less began at nothing.
 */
export function readIntervals(
  db: Queryable,
  { hours, minutes }: { readonly hours: number; readonly minutes: number },
): Promise<Stretch[]> {
  return readRows(
    db,
    stretchRow,
    `with counted as (
       select taken_at, unsent, oldest_unsent_seconds, database_bytes, invoices, records, deliveries,
              lag(invoices) over time as invoices_before, lag(records) over time as records_before,
              lag(deliveries) over time as deliveries_before, lag(unsent) over time as unsent_before
         from operations_sample window time as (order by taken_at)
     ), done as (
       select date_bin(make_interval(mins => $2), taken_at, '2000-01-01') as since, taken_at, oldest_unsent_seconds, database_bytes,
              invoices - case when invoices >= invoices_before then invoices_before else 0 end as issued,
              deliveries - case when deliveries >= deliveries_before then deliveries_before else 0 end as delivered,
              greatest(0, records - case when records >= records_before then records_before else 0 end
                - (unsent - unsent_before)) as registered
         from counted where invoices_before is not null
     )
     select since, sum(issued)::int as issued, sum(registered)::int as registered, sum(delivered)::int as delivered,
            max(oldest_unsent_seconds) as "oldestUnsentSeconds",
            (array_agg(database_bytes order by taken_at desc))[1] as "databaseBytes"
       from done
      where since > now() - make_interval(hours => $1) group by since order by since`,
    [hours, minutes],
  );
}
