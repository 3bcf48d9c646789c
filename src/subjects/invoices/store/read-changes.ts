import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, type RowKey, readRows, readWithin } from '../../../ground/db/rows.ts';

const changeRow = z.object({ key: z.string(), at: column.instant });

/** The newest entry about the invoice itself, its corrections or its exchange. */
const CHANGES = {
  name: 'change-times',
  text: `
    select wanted.key, max(entry.created_at) as at
      from unnest($2::text[], $3::text[]) as wanted (key, id)
     cross join lateral (
       select wanted.id
       union all
       select later.id from invoice later
        where later.environment_id = $1 and later.rectifies_id = wanted.id
       union all
       select later.id from invoice later
        where later.environment_id = $1 and later.rectifies_ids @> array[wanted.id]
       union all
       select exchange.exchange_id from invoice_exchange exchange
        where exchange.environment_id = $1 and exchange.ticket_id = wanted.id
     ) as subject (id)
     cross join lateral (
       select created_at from journal_entry
        where environment_id = $1 and subject_id = subject.id order by position desc limit 1
     ) as entry
     group by wanted.key`,
};

/**
 * When the visible state of invoices changed last, by their keys; an invoice without journal entries is left out.
 */
export function readChangeTimes(client: Queryable, keys: readonly RowKey[]): Promise<Map<string, Date>> {
  return readWithin(keys, async (environmentId, own) => {
    const values = [environmentId, own.map(({ key }) => key), own.map(({ id }) => id)];
    const rows = await readRows(client, changeRow, CHANGES, values);
    return new Map(rows.map(({ key, at }) => [key, at]));
  });
}
