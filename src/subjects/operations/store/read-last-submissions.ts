import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRows } from '../../../ground/db/rows.ts';

const lastRow = z.object({ key: z.string(), id: z.string() });

const LAST = {
  name: 'last-submissions',
  text: `
    select wanted.key, last.id
      from unnest($1::text[], $2::int[], $3::int[]) as wanted (key, environment_id, chain_id)
     cross join lateral (
       select id from submission
        where environment_id = wanted.environment_id and chain_id = wanted.chain_id
        order by started_at desc, id desc limit 1
     ) as last`,
};

/** The id of the last envelope of each chain, by the chain's key; a chain without any is left out. */
export async function readLastSubmissions(
  client: Queryable,
  keys: readonly { readonly key: string; readonly within: string; readonly id: string }[],
): Promise<Map<string, string>> {
  const rows = await readRows(client, lastRow, LAST, [
    keys.map(({ key }) => key),
    keys.map(({ within }) => Number(within)),
    keys.map(({ id }) => Number(id)),
  ]);
  return new Map(rows.map(({ key, id }) => [key, id]));
}
