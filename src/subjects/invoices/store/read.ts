import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { type RowKey, readRowOfEach } from '../../../ground/db/rows.ts';
import type { InvoiceView, RecordView } from '../view.ts';
import { FIRST, type InvoiceColumns, invoiceColumns, recordColumn, SHOWN, WHOLE } from './columns.ts';
import * as shapes from './shapes.ts';

/**
 * Lines of the invoices that one statement reads, and of the pages that are read at the same time: everything that is read at
 * once is in memory at once, about 0.7 MB of answer. A hundred invoices of 10 lines share one statement.
 */
export const LINES_AT_ONCE = 1_000;
/** Of any length. */
const INVOICES_AT_ONCE = 2;

const INVOICE_REQUESTED = 'invoice.environment_id = $1 and invoice.id = wanted.id';

/**
 * Hides the number of ids from the planner: for one or two it would prefer a custom plan and compute it for each
 * call, which takes five times as long as reading.
 */
const REQUESTED = 'unnest((select $2::text[]))';

const readAll = (columns: string) => `
  select wanted.id as key, ${columns} from ${REQUESTED} as wanted (id) join invoice on ${INVOICE_REQUESTED}`;

/**
 * The same in the order of the request, up to the first that does not fit. The last line's position gives the
 * number of lines.
 */
const readThoseThatFit = (columns: string) => `
  with sized as (
    select wanted.place, invoice.id, coalesce((
        select line.position from invoice_line line where line.environment_id = $1 and line.invoice_id = invoice.id
         order by line.position desc limit 1), 0) as lines
      from ${REQUESTED} with ordinality as wanted (id, place)
      join invoice on ${INVOICE_REQUESTED}
  ), placed as (
    select sized.*,
           row_number() over asked = 1 or sum(lines) over asked <= ${LINES_AT_ONCE} as fits
      from sized window asked as (order by place)
  )
  select placed.id as key, ${columns}
    from placed
    left join invoice on placed.fits and invoice.environment_id = $1 and invoice.id = placed.id`;

type Read = { readonly id: string; readonly view: InvoiceView | null };

/**
 * Reads invoices for display, without the texts of their records. Unknown ids are left out; a view is null when its
 * lines did not fit into this read, which those of the first always do. `lineCount` is the number of their lines, if known.
 */
export const readShown = reading('read-invoices', invoiceColumns(SHOWN));

/** The same with complete records. */
export const readWhole = reading('read-whole-invoices', invoiceColumns(WHOLE));

/** The same as `readShown` without lines, and therefore for any number of invoices. */
export const readHeads = reading('read-invoice-heads', invoiceColumns({ ...SHOWN, lines: null }), false);

function reading(name: string, { columns, viewOf }: InvoiceColumns, hasLines = true) {
  const all = { name, text: readAll(columns) };
  const bounded = { name: `${name}-that-fit`, text: readThoseThatFit(columns) };
  return async (
    db: Queryable,
    environmentId: number,
    ids: readonly string[],
    lineCount = ids.length > INVOICES_AT_ONCE ? Number.POSITIVE_INFINITY : 0,
  ): Promise<Read[]> => {
    const statement = hasLines && lineCount > LINES_AT_ONCE ? bounded : all;
    const { rows } = await db.query<unknown[]>({
      ...{ ...statement, values: [environmentId, ids], rowMode: 'array' },
    });
    // What did not fit has no columns.
    return rows.map((row, index) => ({
      ...{ id: row[0] as string, view: row[FIRST] === null ? null : viewOf(row, index === 0) },
    }));
  };
}

const RECORD_COLUMNS = Object.keys(shapes.wholeRecord.shape)
  .map((name) => `${recordColumn(name)} as ${name}`)
  .join(', ');

const RECORD_ROW = z.object({ record: shapes.wholeRecord });

const RECORD = `select row_to_json(shown) as record from (
     select ${RECORD_COLUMNS} from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
      where record.environment_id = wanted.environment_id and record.id = wanted.id) as shown`;

/** Records by their environments and ids. */
export async function readRecordRows(
  db: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, RecordView>> {
  const rows = await readRowOfEach(db, RECORD_ROW, RECORD, keys);
  return new Map([...rows].map(([key, { record }]) => [key, record]));
}
