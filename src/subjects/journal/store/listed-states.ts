import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';

const listed = z.object({
  recordId: z.string(),
  expected: z.string().nullable(),
  found: z.string().nullable(),
});

/**
 * Records whose sort key in lists by registration status is not their invoice's moment of issue, or is missing although the
 * record decides the status of its invoice (the newest that the agency accepted, else the newest that was not skipped, else the
 * newest), or present although it does not; at most 100. Lists never read that of a registered one.
 */
export function wronglyListed(client: Queryable, environmentId: number): Promise<z.output<typeof listed>[]> {
  return readRows(
    client,
    listed,
    `select state.record_id as "recordId", due.at::text as expected, state.listed_at::text as found
       from record_state state
       join registration_record record on record.environment_id = $1 and record.id = state.record_id
       cross join lateral (select case when record.kind = 'registration' and not exists (
                select 1 from registration_record other
                  join record_state stood on stood.environment_id = $1 and stood.record_id = other.id
                 where other.environment_id = $1 and other.invoice_id = record.invoice_id and other.kind = 'registration'
                   and (stood.status in ('registered', 'registered_with_errors'), stood.status <> 'skipped', other.chain_id, other.position)
                     > (state.status in ('registered', 'registered_with_errors'), state.status <> 'skipped', record.chain_id, record.position))
              then (select issued_at from invoice where invoice.environment_id = $1 and invoice.id = record.invoice_id)
            end as at) as due
      where state.environment_id = $1 and state.status <> 'registered' and state.listed_at is distinct from due.at
      order by state.record_id limit 100`,
    [environmentId],
  );
}
