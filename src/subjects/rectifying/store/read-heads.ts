import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';

const headRow = z.object({ named: z.string(), id: z.string() });

const LIVE = `not exists (select 1 from invoice_void gone where gone.environment_id = $1 and gone.invoice_id = later.id)`;

/** Up to the original, and from there down along what is not voided: of one invoice there is one live rectificativa. */
const HEADS = {
  name: 'heads-of-families',
  text: `
    with recursive up as (
      select id as named, id, rectifies_id from invoice where environment_id = $1 and id = any ($2)
      union all
      select up.named, before.id, before.rectifies_id from up
        join invoice before on before.environment_id = $1 and before.id = up.rectifies_id
    ), down as (
      select named, id, 0 as step from up where rectifies_id is null
      union all
      select down.named, later.id, down.step + 1 from down
       cross join lateral (
         select later.id from invoice later where later.environment_id = $1 and later.rectifies_id = down.id and ${LIVE}
         union
         select later.id from invoice later where later.environment_id = $1 and later.rectifies_ids @> array[down.id] and ${LIVE}
       ) as later
    )
    select distinct on (named) named, id from down order by named, step desc`,
};

/** The heads of the families of invoices of the environment, by the ids of those that exist. */
export async function loadHeads(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readRows(client, headRow, HEADS, [environmentId, invoiceIds]);
  return new Map(rows.map(({ named, id }) => [named, id]));
}
