import type { Queryable } from '../../../ground/db/queryable.ts';
import type { InvoiceView } from '../view.ts';
import { type InvoiceColumns, invoiceColumns, SHOWN } from './columns.ts';

/**
 * The newest invoices of an environment together with all that they show, by one statement: the list that is read most. A list
 * that is narrowed has a text of its own, which Postgres would plan for longer than it saves.
 */

/** A page of at most so many invoices is read with its list; */
export const FEW_INVOICES = 50;
/** and so are invoices of at most so many lines: 500 lines are about 0.35 MB of answer. */
export const FEW_LINES = 10;

/** A page of the newest invoices: from the beginning, or after an invoice. */
export type NewestRange = { readonly size: number; readonly after: string | null };

export type NewestInvoices = { readonly views: readonly InvoiceView[]; readonly hasMore: boolean };

const ORDER = 'order by issued_at desc, id desc';

const AFTER = ` and (issued_at, id) < ((
      select issued_at from invoice where environment_id = $1 and id = $3), $3)`;

/** With a constant limit: for one that is a parameter Postgres plans as for a tenth of all invoices. */
const newest = (columns: string, range: string) => `
    select ${columns} from invoice where environment_id = $1${range}
     ${ORDER} limit ${FEW_INVOICES + 1}`;

const readNewest = (columns: string, range: string) => `
  select invoice.id as key, ${columns}, (
    select true from (${newest('id', range)}) as more offset $2 limit 1) is not null
  from (select * from (${newest('*', range)}) as newest ${ORDER} limit $2) as invoice
  order by invoice.issued_at desc, invoice.id desc`;

/**
 * Reads at most 50 of the newest invoices. `long` if one of them has more than ten lines; null if there are none after the given
 * one, or if that is none of the environment.
 */
export const readNewestShown = reading(
  'newest-shown',
  // One line more shows that there are more.
  invoiceColumns({ ...SHOWN, lines: FEW_LINES + 1 }),
);

/** The same without lines. */
export const readNewestHeads = reading('newest-heads', invoiceColumns({ ...SHOWN, lines: null }));

function reading(name: string, { columns, end, viewOf }: InvoiceColumns) {
  const first = { name, text: readNewest(columns, '') };
  const next = { name: `${name}-after`, text: readNewest(columns, AFTER) };
  return async (
    db: Queryable,
    environmentId: number,
    { size, after }: NewestRange,
  ): Promise<NewestInvoices | 'long' | null> => {
    const statement =
      after === null
        ? { ...first, values: [environmentId, size] }
        : { ...next, values: [environmentId, size, after] };
    const { rows } = await db.query<unknown[]>({ ...statement, rowMode: 'array' });
    if (after !== null && rows.length === 0) return null;
    const views = rows.map((row, index) => viewOf(row, index === 0));
    if (views.some(({ lines }) => lines !== null && lines.length > FEW_LINES)) return 'long';
    return { views, hasMore: rows[0]?.[end] === true };
  };
}
