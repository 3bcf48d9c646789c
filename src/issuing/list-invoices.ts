import type { Db } from '../db/client.ts';
import { invalidField, type Outcome } from '../errors/refusal.ts';
import { spellingsOf } from '../lib/email.ts';

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

/** The ids of a page, and whether there are invoices beyond it. */
export type Page = { readonly ids: readonly string[]; readonly hasMore: boolean };

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
 * the last invoice of the page before: unknown or foreign, it is `invalid_request` for the field `after`.
 */
export async function listInvoices(
  db: Db,
  environmentId: number,
  filter: InvoiceFilter,
  page: { readonly first: number; readonly after: string | null },
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
  const { rows } = await db.pool.query<{ id: string }>(
    `select id from invoice where ${conditions.join(' and ')} order by issued_at desc, id desc limit $2`,
    values,
  );
  return { ids: rows.slice(0, page.first).map(({ id }) => id), hasMore: rows.length > page.first };
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
