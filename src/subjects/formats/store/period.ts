import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow, readRows } from '../../../ground/db/rows.ts';

/** The invoices of an environment that were issued from one instant until before another. */
export type IssuedIn = { readonly environmentId: number; readonly from: Date; readonly before: Date };

const invoice = z.object({ id: z.string(), number: z.string(), issuedAt: z.date() });
export type InvoiceOfPeriod = z.output<typeof invoice>;

/** How many there are, counted up to `max` + 1. Takes no lock. */
export async function countOfPeriod(
  db: Queryable,
  { environmentId, from, before }: IssuedIn,
  max: number,
): Promise<number> {
  const row = await readRow(
    db,
    z.object({ count: z.int() }),
    `select count(*)::int as count from (
       select 1 from invoice where environment_id = $1 and issued_at >= $2 and issued_at < $3 limit $4) counted`,
    [environmentId, from, before, max + 1],
  );
  return row!.count;
}

/** The next of them, oldest first, after one (or from the first). Takes no lock. */
export async function pageOfPeriod(
  db: Queryable,
  { environmentId, from, before }: IssuedIn,
  after: InvoiceOfPeriod | null,
  size: number,
): Promise<InvoiceOfPeriod[]> {
  return readRows(
    db,
    invoice,
    `select id, number, issued_at as "issuedAt" from invoice
      where environment_id = $1 and issued_at >= $2 and issued_at < $3
        and ($4::text is null or (issued_at, id) > ((select issued_at from invoice where environment_id = $1 and id = $4), $4))
      order by issued_at, id limit $5`,
    [environmentId, from, before, after?.id ?? null, size],
  );
}
