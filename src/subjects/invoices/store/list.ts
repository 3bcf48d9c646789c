import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow, readRows } from '../../../ground/db/rows.ts';
import { spellingsOf } from '../../../ground/lib/email.ts';
import type { InvoiceFilter } from '../filter.ts';
import { LINES } from './read-counts.ts';

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

const listedRow = z.object({ id: z.string(), lines: column.whole });

/** An invoice of a list, with how many lines it has. */
export type ListedInvoice = Readonly<z.output<typeof listedRow>>;

/** After which invoice a page begins: its time to the full precision of the database, and its id. */
export type Cursor = { readonly issuedAt: string; readonly id: string };

/** The first invoices of the environment that the filter means, newest first and ties by id, from `after` on. */
export async function filteredInvoices(
  client: Queryable,
  environmentId: number,
  filter: InvoiceFilter,
  { first, after }: { readonly first: number; readonly after: Cursor | null },
): Promise<ListedInvoice[]> {
  const values: unknown[] = [environmentId, first];
  const conditions = ['environment_id = $1'];
  const where = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (after !== null) {
    values.push(after.issuedAt, after.id);
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
  return readRows(
    client,
    listedRow,
    `select id, ${LINES} as lines from invoice where ${conditions.join(' and ')}
      order by issued_at desc, id desc limit $2`,
    values,
  );
}

const cursorRow = z.object({ issued_at: z.string() });

/** The place of an invoice of the environment in its list; null when there is none of this id. */
export async function cursorAt(client: Queryable, environmentId: number, id: string): Promise<Cursor | null> {
  const row = await readRow(
    client,
    cursorRow,
    {
      name: 'list-cursor',
      text: 'select issued_at::text from invoice where environment_id = $1 and id = $2',
    },
    [environmentId, id],
  );
  return row === null ? null : { issuedAt: row.issued_at, id };
}
