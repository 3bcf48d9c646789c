import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRows } from '../../../ground/db/rows.ts';
import { DEDUCTED_IN_FORCE, TO_DEDUCT } from './conditions.ts';
import { sumsOf } from './day-totals.ts';

/**
 * Statements that compute what the invoices of a day come to that no longer count; `read-totals.ts` deducts it. An invoice is in these
 * sums while its row of `corrected_invoice` says so, which only these statements change.
 */

const DAY = `(listed_at at time zone 'Europe/Madrid')::date`;

const CHANGE = `
  with changed as (
    update corrected_invoice set deducted = not deducted
     where environment_id = $1
       and invoice_id in (select id from (${TO_DEDUCT} limit $2) as out union all select id from (${DEDUCTED_IN_FORCE}) as again)
    returning listed_at
  )
  select ${DAY}::text as day, count(*)::int as invoices from changed group by 1`;

const FORGET = 'delete from deducted_total where environment_id = $1 and day = any ($2::date[])';

const ADD_UP = `
  insert into deducted_total (environment_id, day, series_id, kind, count, subtotal, tax, total, lines, rates)
  ${sumsOf(`invoice where environment_id = $1 and id in (
    select invoice_id from corrected_invoice where environment_id = $1 and deducted and ${DAY} = any ($2::date[]))`)}`;

const changedRow = z.object({ day: column.day, invoices: column.whole });

/**
 * Deducts the next invoices that are out of force, at most so many, and no longer those in force again, in a transaction that has locked
 * the environment (`lockDays`). Returns how many were changed.
 */
export async function deductNext(client: Queryable, environmentId: number, most: number): Promise<number> {
  const changed = await readRows(client, changedRow, CHANGE, [environmentId, most]);
  if (changed.length === 0) return 0;
  const days = changed.map(({ day }) => day);
  await execute(client, FORGET, [environmentId, days]);
  await execute(client, ADD_UP, [environmentId, days]);
  return changed.reduce((sum, { invoices }) => sum + invoices, 0);
}

const environmentRow = z.object({ environmentId: column.whole });

/** Environments with sums of days, and corrected invoices that these do not deduct. Takes no lock. */
export function environmentsToDeduct(client: Queryable): Promise<number[]> {
  const text = `select environment_id as "environmentId" from day_total_end known
     where exists (select from corrected_invoice corrected where corrected.environment_id = known.environment_id and not deducted)
     order by 1`;
  return readRows(client, environmentRow, text, []).then((rows) =>
    rows.map(({ environmentId }) => environmentId),
  );
}
