import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRows } from '../../../ground/db/rows.ts';
import { type DeductedMark, deductedInForce, toDeduct } from './force.ts';
import { changeDays } from './month-totals.ts';
import { BY_RECIPIENT, sumsOf } from './sums-of.ts';

/**
 * Statements that compute what the invoices of a day come to that no longer count; `read-totals.ts` deducts it. An invoice is in these
 * sums while its row of `corrected_invoice` says so, which only these statements change.
 */

const DAY = `(listed_at at time zone 'Europe/Madrid')::date`;

const change = (mark: DeductedMark, update: string) => `
  with changed as (
    ${update} and invoice_id in (select id from (${toDeduct(mark)} limit $2) as out union all select id from (${deductedInForce(mark)}) as again)
    returning listed_at
  )
  select ${DAY}::text as day, count(*)::int as invoices from changed group by 1`;

const marked = (mark: DeductedMark) => `environment_id = $1 and id in (
    select invoice_id from corrected_invoice where environment_id = $1 and ${mark} and ${DAY} = any ($2::date[]))`;

/** The statements for each of the sums that are deducted, with the mark of the invoices in them. */
const DEDUCTED = [
  {
    mark: 'deducted',
    months: ['months_before', 'deducted'],
    change: change(
      'deducted',
      'update corrected_invoice set deducted = not deducted where environment_id = $1',
    ),
    forget: 'delete from deducted_total where environment_id = $1 and day = any ($2::date[])',
    addUp: `
      insert into deducted_total (environment_id, day, series_id, kind, count, subtotal, tax, total, lines, rates)
      ${sumsOf(marked('deducted'))}`,
  },
  {
    mark: 'deducted_by_recipient',
    months: ['recipient_months_before', 'deducted'],
    change: change(
      'deducted_by_recipient',
      'update corrected_invoice set deducted_by_recipient = not deducted_by_recipient where environment_id = $1',
    ),
    forget: 'delete from deducted_recipient_total where environment_id = $1 and day = any ($2::date[])',
    addUp: `
      insert into deducted_recipient_total (environment_id, day, series_id, kind, type, recipient_tax_id, count, subtotal, tax, total,
                                            lines, rates)
      ${sumsOf(marked('deducted_by_recipient'), BY_RECIPIENT)}`,
  },
] as const;

const changedRow = z.object({ day: column.day, invoices: column.whole });

/**
 * Deducts the next invoices that are out of force, at most so many, and no longer those in force again, in a transaction that has locked
 * the environment (`lockDays`). Returns how many were changed.
 */
export async function deductNext(client: Queryable, environmentId: number, most: number): Promise<number> {
  let invoices = 0;
  for (const { change, forget, addUp, months } of DEDUCTED) {
    const changed = await changeDays(client, environmentId, months, async () => {
      const found = await readRows(client, changedRow, change, [environmentId, most]);
      const days = found.map(({ day }) => day);
      if (days.length === 0) return found;
      await execute(client, forget, [environmentId, days]);
      await execute(client, addUp, [environmentId, days]);
      return found;
    });
    invoices = Math.max(
      invoices,
      changed.reduce((sum, { invoices }) => sum + invoices, 0),
    );
  }
  return invoices;
}

const environmentRow = z.object({ environmentId: column.whole });

/** Environments with sums of days, and corrected invoices that these do not deduct. Takes no lock. */
export function environmentsToDeduct(client: Queryable): Promise<number[]> {
  const text = `select environment_id as "environmentId" from day_total_end known
     where ${DEDUCTED.map(
       ({ mark }) =>
         `exists (select from corrected_invoice corrected where corrected.environment_id = known.environment_id and not ${mark})`,
     ).join(' or ')}
     order by 1`;
  return readRows(client, environmentRow, text, []).then((rows) =>
    rows.map(({ environmentId }) => environmentId),
  );
}
