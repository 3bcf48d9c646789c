import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, OF_ALL, readOneRow, readRows } from '../../../ground/db/rows.ts';

const linesWithin = (environment: string) => `coalesce((
  select line.position + 1 from invoice_line line
   where line.environment_id = ${environment} and line.invoice_id = invoice.id
   order by line.position desc limit 1), 0)`;

/**
 * The number of the lines of an `invoice` of the environment `$1`, from their last position: one index lookup, however many there
 * are.
 */
export const LINES = linesWithin('$1');

const countsRow = z.object({ lines: column.whole, records: column.whole });

const COUNTED = (environment: string) => `coalesce(sum(${linesWithin(environment)}), 0)::int as lines,
    coalesce(sum((select count(*) from registration_record
      where environment_id = ${environment} and invoice_id = invoice.id)), 0)::int as records`;

/** How many lines and records the invoices have together, of an environment or for null of any. */
export function countRows(
  client: Queryable,
  environmentId: number | null,
  ids: readonly string[],
): Promise<Readonly<z.output<typeof countsRow>>> {
  if (environmentId === null) {
    const text = `${OF_ALL} select ${COUNTED('invoice.environment_id')} from invoice where id = any ($1)`;
    return readOneRow(client, countsRow, text, [ids]);
  }
  const text = `select ${COUNTED('$1')} from invoice where environment_id = $1 and id = any ($2)`;
  return readOneRow(client, countsRow, { name: 'count-invoice-rows', text }, [environmentId, ids]);
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
