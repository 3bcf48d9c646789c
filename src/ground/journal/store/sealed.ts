import { z } from 'zod';
import type { Queryable } from '../../db/queryable.ts';
import { column, readRows } from '../../db/rows.ts';
import type { NewEntry } from '../append.ts';
import type { InvoiceBody } from '../content.ts';
import {
  INVOICE_BODY,
  INVOICE_LINE,
  INVOICE_STAMP,
  NUMBER_SERIES,
  type Row,
  rowText,
  selectList,
  TAX_ITEM,
} from '../forms.ts';

/**
 * Reads what stands in sealed rows, many at a time, as content hashes cover it: each statement one look at an index,
 * whatever the number of ids.
 */

/** Besides what is named here a row has the columns of its form. */
const ofInvoice = z.looseObject({ invoice_id: z.string() });

/** Invoices with all that their journal entries cover but their records. */
export async function readBodies(
  client: Queryable,
  environmentId: number,
  ids: readonly string[],
): Promise<Map<string, InvoiceBody>> {
  if (ids.length === 0) return new Map();
  const values = [environmentId, ids];
  const rowsOf = <Shape extends z.ZodType>(name: string, shape: Shape, text: string) =>
    readRows(client, shape, { name: `journal-${name}`, text }, values);
  // One after the other: a connection answers one statement at a time.
  const invoices = await rowsOf(
    'invoices',
    z.looseObject({ id: z.string() }),
    `select ${selectList('i', INVOICE_BODY, INVOICE_STAMP)} from invoice i where environment_id = $1 and id = any($2)`,
  );
  const lines = await rowsOf(
    'lines',
    ofInvoice,
    `select invoice_id, ${selectList('l', INVOICE_LINE)} from invoice_line l
      where environment_id = $1 and invoice_id = any($2) order by position`,
  );
  const taxItems = await rowsOf(
    'tax-items',
    ofInvoice,
    `select invoice_id, ${selectList('t', TAX_ITEM)} from tax_item t
      where environment_id = $1 and invoice_id = any($2) order by line_position, position`,
  );
  const exchanges = await rowsOf(
    'exchanges',
    z.object({ exchange_id: z.string(), ticket_id: z.string() }),
    'select exchange_id, ticket_id from invoice_exchange where environment_id = $1 and exchange_id = any($2)',
  );
  type Open = { invoice: Row; lines: Row[]; taxItems: Row[]; exchanges: string[] };
  const bodies = new Map<string, Open>();
  for (const invoice of invoices) {
    bodies.set(invoice.id, { invoice, lines: [], taxItems: [], exchanges: [] });
  }
  for (const line of lines) bodies.get(line.invoice_id)?.lines.push(line);
  for (const item of taxItems) bodies.get(item.invoice_id)?.taxItems.push(item);
  for (const { exchange_id: id, ticket_id: ticket } of exchanges) bodies.get(id)?.exchanges.push(ticket);
  return bodies;
}

/** The entries for series of an environment that the journal does not contain yet. */
export async function unjournaledSeries(client: Queryable, environmentId: number): Promise<NewEntry[]> {
  const rows = await readRows(
    client,
    z.looseObject({ id: z.string(), created_at: column.instant }),
    `select ${selectList('s', NUMBER_SERIES)} from number_series s
      where environment_id = $1 and not exists (select from journal_entry told
        where told.environment_id = $1 and told.subject_id = s.id and told.type = 'number_series.created')
      order by created_at, type, id`,
    [environmentId],
  );
  return rows.map((row) => ({
    ...{ environmentId, type: 'number_series.created', subjectId: row.id, at: row.created_at },
    content: rowText(NUMBER_SERIES, row),
  }));
}
