import { z } from 'zod';
import type { Queryable } from '../../db/queryable.ts';
import { readRows } from '../../db/rows.ts';
import type { InvoiceBody } from '../content.ts';
import { type Form, INVOICE_LINE, INVOICE_STAMP, type Row, selectList, TAX_ITEM } from '../forms.ts';

/**
 * Reads what stands in sealed rows, many at a time, as content hashes cover it: each statement one look at an index,
 * whatever the number of ids.
 */

/** Besides what is named here a row has the columns of its form. */
const ofInvoice = z.looseObject({ invoice_id: z.string() });

/** Invoices with all that their journal entries cover but their records; `form` as in `bodyTexts`. */
export async function readBodies(
  client: Queryable,
  form: Form,
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
    `select ${selectList('i', form, INVOICE_STAMP)} from invoice i where environment_id = $1 and id = any($2)`,
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
