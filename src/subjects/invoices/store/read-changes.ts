import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';

const changeRow = z.object({ key: z.string(), at: column.instant });

/** The newest entry about the invoice itself, its corrections or its exchange. */
const CHANGES = {
  name: 'change-times',
  text: `
    select wanted.key, max(entry.created_at) as at
      from unnest($1::text[], $2::int[], $3::text[]) as wanted (key, environment_id, id)
     cross join lateral (
       select wanted.id
       union all
       select later.id from invoice later
        where later.environment_id = wanted.environment_id and later.rectifies_id = wanted.id
       union all
       select exchange.exchange_id from invoice_exchange exchange
        where exchange.environment_id = wanted.environment_id and exchange.ticket_id = wanted.id
     ) as subject (id)
     cross join lateral (
       select created_at from journal_entry
        where environment_id = wanted.environment_id and subject_id = subject.id order by position desc limit 1
     ) as entry
     group by wanted.key`,
};

/**
 * When the visible state of invoices changed last, by their keys; an invoice without journal entries is left out.
 */
export async function readChangeTimes(
  client: Queryable,
  keys: readonly { readonly key: string; readonly within: string; readonly id: string }[],
): Promise<Map<string, Date>> {
  const rows = await readRows(client, changeRow, CHANGES, [
    keys.map(({ key }) => key),
    keys.map(({ within }) => Number(within)),
    keys.map(({ id }) => id),
  ]);
  return new Map(rows.map(({ key, at }) => [key, at]));
}
