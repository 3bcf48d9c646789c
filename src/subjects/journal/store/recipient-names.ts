import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';

const missing = z.object({ id: z.string(), name: z.string() });

/**
 * Names of recipients, as lists compare them, that are missing in the table where lists look for words, each with an invoice that
 * has it: lists by that name would leave it out. A name in that table that no invoice has harms nothing. At most 100.
 */
export function missingNames(client: Queryable, environmentId: number): Promise<z.output<typeof missing>[]> {
  return readRows(
    client,
    missing,
    `select min(id) as id, name from (
       select id, folded(coalesce(recipient_company_name, recipient_name)) collate "C" as name from invoice
        where environment_id = $1 and coalesce(recipient_company_name, recipient_name) is not null) as named
      where not exists (select 1 from recipient_name known where known.environment_id = $1 and known.name = named.name)
      group by name order by 1 limit 100`,
    [environmentId],
  );
}
