import type { Db } from '../../ground/db/client.ts';
import { invalidField, type Outcome } from '../../ground/errors/refusal.ts';
import { spellingsOf } from '../../ground/lib/email.ts';

/**
 * What a list of invoices may be narrowed to. Texts are compared exactly; number and email in any case. `text` is looked
 * for, in any case, within number, order and the lines' descriptions.
 */
export type InvoiceFilter = {
  readonly integrationId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
  readonly email?: string | undefined;
  readonly number?: string | undefined;
  readonly issuedFrom?: Date | undefined;
  readonly issuedBefore?: Date | undefined;
  readonly kind?: string | undefined;
  readonly type?: string | undefined;
  readonly registrationStatus?: string | undefined;
  readonly status?: 'issued' | 'voided' | undefined;
  readonly text?: string | undefined;
};

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

/** The invoice's lines, counted by their last position: one step in an index, however many there are. */
const LINES = `coalesce((
  select line.position + 1 from invoice_line line
   where line.environment_id = invoice.environment_id and line.invoice_id = invoice.id
   order by line.position desc limit 1), 0)`;

const INVOICE_ID = /^inv_[0-9a-f]{32}$/;

/** Whether a text could be the id of an invoice; anything else is not worth a query. */
export function isInvoiceId(text: string): boolean {
  return INVOICE_ID.test(text);
}

/** The state of the newest registration record, which is what `verifactu.status` shows. */
const NEWEST_STATUS = `(
  select state.status from registration_record record
    join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
   where record.environment_id = invoice.environment_id and record.invoice_id = invoice.id and record.kind = 'registration'
   order by record.position desc limit 1)`;

const VOIDED = `exists (
  select from invoice_void void where void.environment_id = invoice.environment_id and void.invoice_id = invoice.id)`;

/** Within one customer's or one period's invoices, where it is used, no index would be quicker. */
const holds = (text: string): string => `(
  strpos(upper(number), upper(${text})) > 0 or strpos(upper(order_id), upper(${text})) > 0 or exists (
    select from invoice_line line where line.environment_id = invoice.environment_id and line.invoice_id = invoice.id
       and strpos(upper(line.description), upper(${text})) > 0))`;

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
  const values: unknown[] = [environmentId, page.first + 1];
  const conditions = ['environment_id = $1'];
  const where = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (page.after !== null) {
    const cursor = await cursorOf(db, environmentId, page.after);
    if (cursor === null)
      return invalidField('after', 'invalid_value', 'names no invoice of this environment');
    values.push(cursor, page.after);
    conditions.push(`(issued_at, id) < ($${values.length - 1}::timestamptz, $${values.length})`);
  }
  where((value) => `integration_id = ${value}`, filter.integrationId);
  where((value) => `external_customer_id = ${value}`, filter.externalCustomerId);
  if (filter.email !== undefined) {
    const spellings = spellingsOf(filter.email).map((spelling) => `lower($${values.push(spelling)})`);
    conditions.push(`lower(recipient_email) in (${spellings.join(', ')})`);
  }
  where((value) => `upper(number) = upper(${value})`, filter.number);
  where((value) => `issued_at >= ${value}::timestamptz`, filter.issuedFrom?.toISOString());
  where((value) => `issued_at < ${value}::timestamptz`, filter.issuedBefore?.toISOString());
  where((value) => `kind::text = ${value}`, filter.kind);
  where((value) => `type::text = ${value}`, filter.type);
  where((value) => `${NEWEST_STATUS}::text = ${value}`, filter.registrationStatus);
  where((value) => `case when ${VOIDED} then 'voided' else 'issued' end = ${value}`, filter.status);
  where((value) => holds(`${value}::text`), filter.text);
  const { rows } = await db.pool.query<{ id: string; lines: number }>(
    `select id, ${LINES} as lines from invoice where ${conditions.join(' and ')}
      order by issued_at desc, id desc limit $2`,
    values,
  );
  return cut(rows, page);
}

function cut(
  rows: readonly { readonly id: string; readonly lines: number }[],
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

/** What belongs to some invoices, all together. */
export type RowCounts = Record<'lines' | 'taxItems' | 'records' | 'rectifiedBy' | 'exchanges', number>;

/** Counts what belongs to the invoices, by indexes alone: far quicker than reading it. */
export async function countRows(db: Db, ids: readonly string[]): Promise<RowCounts> {
  const { rows } = await db.pool.query<RowCounts>({
    name: 'count-invoice-rows',
    text: `select coalesce(sum(${LINES}), 0)::int as lines,
        coalesce(sum((select count(*) from tax_item
          where environment_id = invoice.environment_id and invoice_id = invoice.id)), 0)::int as "taxItems",
        coalesce(sum((select count(*) from registration_record
          where environment_id = invoice.environment_id and invoice_id = invoice.id)), 0)::int as records,
        coalesce(sum((select count(*) from invoice other
          where other.environment_id = invoice.environment_id and other.rectifies_id = invoice.id)), 0)::int as "rectifiedBy",
        coalesce(sum((select count(*) from invoice_exchange
          where environment_id = invoice.environment_id and exchange_id = invoice.id)), 0)::int as exchanges
      from invoice where id = any ($1)`,
    values: [ids],
  });
  return rows[0]!;
}

/** Where a page begins, to the full precision of the database. */
async function cursorOf(db: Db, environmentId: number, id: string): Promise<string | null> {
  if (!isInvoiceId(id)) return null;
  const { rows } = await db.pool.query<{ issued_at: string }>({
    name: 'list-cursor',
    text: 'select issued_at::text from invoice where environment_id = $1 and id = $2',
    values: [environmentId, id],
  });
  return rows[0]?.issued_at ?? null;
}
