import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRows } from '../../../ground/db/rows.ts';

/** The number of the invoice's lines from their last position: one index lookup, however many there are. */
export const LINES = `coalesce((
  select line.position + 1 from invoice_line line
   where line.environment_id = invoice.environment_id and line.invoice_id = invoice.id
   order by line.position desc limit 1), 0)`;

const countsRow = z.object({ lines: column.whole, records: column.whole });

/** How many lines and records the invoices have together. */
export async function countRows(
  client: Queryable,
  ids: readonly string[],
): Promise<Readonly<z.output<typeof countsRow>>> {
  const text = `select coalesce(sum(${LINES}), 0)::int as lines,
    coalesce(sum((select count(*) from registration_record
      where environment_id = invoice.environment_id and invoice_id = invoice.id)), 0)::int as records
  from invoice where id = any ($1)`;
  return readOneRow(client, countsRow, { name: 'count-invoice-rows', text }, [ids]);
}

const linesRow = z.object({ id: z.string(), lines: column.whole });

/** How many lines each of the environment's invoices has, by its id. Unknown ids are left out. */
export async function countLines(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const text = `select id, ${LINES} as lines from invoice where environment_id = $1 and id = any ($2)`;
  const rows = await readRows(client, linesRow, { name: 'count-invoice-lines', text }, [environmentId, ids]);
  return new Map(rows.map(({ id, lines }) => [id, lines]));
}
