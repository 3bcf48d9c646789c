import type { Db } from '../../ground/db/client.ts';
import { invalidField, type Outcome } from '../../ground/errors/refusal.ts';
import type { InvoiceFilter } from './filter.ts';
import { type Cursor, cursorAt, filteredInvoices, type ListedInvoice } from './store/list.ts';

/**
 * Whether finding what the filter means may take looking at all invoices of the environment: a text always, and what no
 * index leads to unless one customer's, or one number's, invoices are looked at.
 */
export function isSearch(filter: { readonly [Name in keyof InvoiceFilter]: unknown }): boolean {
  const given = (name: keyof InvoiceFilter) => filter[name] !== undefined && filter[name] !== null;
  if (given('text')) return true;
  if (given('externalCustomerId') || given('email') || given('number')) return false;
  return (
    given('integrationId') || given('kind') || given('type') || given('registrationStatus') || given('status')
  );
}

/** The ids of a page, how many lines each of those invoices has and all of them, and whether there are invoices beyond it. */
export type Page = {
  readonly ids: readonly string[];
  readonly linesOf: readonly number[];
  readonly lines: number;
  readonly hasMore: boolean;
};

const INVOICE_ID = /^inv_[0-9a-f]{32}$/;

/** Whether a text could be the id of an invoice; anything else is not worth a query. */
export function isInvoiceId(text: string): boolean {
  return INVOICE_ID.test(text);
}

/**
 * A page of an environment's invoices, newest first and ties by id. Invoices of an environment are stamped in the
 * order in which they commit, so nothing that is issued meanwhile can slip between two pages. `after` is the id of
 * the last invoice of the page before: unknown or foreign, it is `invalid_request` for the field `after`. The page ends
 * before the invoice with which it would have more than `mostLines` lines, but never before the first.
 */
export async function listInvoices(
  db: Db,
  environmentId: number,
  filter: InvoiceFilter,
  page: { readonly first: number; readonly after: string | null; readonly mostLines?: number },
): Promise<Outcome<Page>> {
  const after = page.after === null ? null : await cursorOf(db, environmentId, page.after);
  if (page.after !== null && after === null) {
    return invalidField('after', 'invalid_value', 'names no invoice of this environment');
  }
  const found = await filteredInvoices(db.pool, environmentId, filter, { first: page.first + 1, after });
  return cut(found, page);
}

function cut(
  rows: readonly ListedInvoice[],
  { first, mostLines = Number.POSITIVE_INFINITY }: { readonly first: number; readonly mostLines?: number },
): Page {
  const ids: string[] = [];
  const linesOf: number[] = [];
  let sum = 0;
  for (const { id, lines } of rows.slice(0, first)) {
    if (ids.length > 0 && sum + lines > mostLines) break;
    ids.push(id);
    linesOf.push(lines);
    sum += lines;
  }
  return { ids, linesOf, lines: sum, hasMore: rows.length > ids.length };
}

async function cursorOf(db: Db, environmentId: number, id: string): Promise<Cursor | null> {
  return isInvoiceId(id) ? cursorAt(db.pool, environmentId, id) : null;
}
