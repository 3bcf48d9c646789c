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
 * record is the newest of its invoice, or present although it is not; at most 100. Lists never read that of a registered one.
 */
export function wronglyListed(client: Queryable, environmentId: number): Promise<z.output<typeof listed>[]> {
  return readRows(
    client,
    listed,
    `select state.record_id as "recordId", due.at::text as expected, state.listed_at::text as found
       from record_state state
       join registration_record record on record.environment_id = $1 and record.id = state.record_id
       cross join lateral (select case when record.kind = 'registration' and not exists (
                select from registration_record newer
                 where newer.environment_id = $1 and newer.invoice_id = record.invoice_id and newer.kind = 'registration'
                   and (newer.chain_id, newer.position) > (record.chain_id, record.position))
              then (select issued_at from invoice where invoice.environment_id = $1 and invoice.id = record.invoice_id)
            end as at) as due
      where state.environment_id = $1 and state.status <> 'registered' and state.listed_at is distinct from due.at
      order by state.record_id limit 100`,
    [environmentId],
  );
}
