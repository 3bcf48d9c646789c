import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRow, readRows } from '../../../ground/db/rows.ts';

/** The rows of an environment that an archive holds, by table, in the order of these columns. */
export const ARCHIVED = {
  environment: 'id',
  branding: 'id',
  number_series: 'created_at, id',
  series_default: 'type',
  series_counter: 'series_id, year',
  counter_jump: 'series_id, year, from_number',
  integration: 'created_at, id',
  customer: 'created_at, id',
  invoice: 'issued_at, id',
  invoice_line: 'invoice_id, position',
  tax_item: 'invoice_id, line_position, position',
  invoice_exchange: 'exchange_id, ticket_id',
  invoice_metadata: 'invoice_id',
  invoice_void: 'invoice_id',
  invoice_amendment: 'record_id',
  invoice_draft: 'created_at, id',
  invoice_schedule: 'created_at, id',
  invoice_batch: 'created_at, id',
  invoice_batch_item: 'batch_id, position',
  invoice_payment: 'recorded_at, id',
  invoice_payment_removal: 'removed_at, payment_id',
  invoice_email: 'requested_at, id',
  invoice_email_state: 'email_id',
  email_settings: 'environment_id',
  chain: 'id',
  record_state: 'record_id',
  submission: 'started_at, id',
  journal_head: 'environment_id',
  journal_entry: 'position',
  journal_checkpoint: 'size',
  environment_audit_entry: 'at, id',
  webhook_endpoint: 'created_at, id',
  webhook_delivery: 'created_at, id',
  trusted_document: 'hash',
} as const;

export type ArchivedTable = keyof typeof ARCHIVED;

/** Tables of an environment that no archive holds, and why. */
export const NOT_ARCHIVED: Readonly<Record<string, string>> = {
  access_suspension: 'whether its chains were restored, for this installation',
  api_key: 'hashes of secrets',
  approval: 'what operators asked each other',
  chain_comparison: 'work of this installation',
  chain_dispatch: 'work of this installation',
  chain_fork: 'work of this installation',
  chain_verification: 'work of this installation',
  corrected_invoice: 'derived of invoices',
  day_to_add: 'derived of invoices',
  day_total: 'derived of invoices',
  idempotency_key: 'answers that are kept for a day',
  import_run: 'work of this installation',
  invoice_document: 'the documents are files of the archive',
  invoice_text: 'derived of invoices',
  journal_subtree: 'derived of the journal',
  payment_account: 'derived of invoices and payments',
  portal_session: 'secrets of links',
  portal_visit: 'secrets of links',
  read_position: 'work of this installation',
  recipient_name: 'derived of invoices',
  registration_record: 'records.xml holds them as they were sealed',
  webhook_lane: 'work of this installation',
  webhook_secret: 'secrets',
};

/** Rows that are in memory at a time: an invoice of 1,000 lines has as many in `invoice_line`. */
const AT_ONCE = 500;

const row = z.object({ row: z.string() });

/** The rows of a table of an environment as JSON, one a line, in its order. Must be read within a transaction. */
export async function* linesOf(
  db: Queryable,
  environmentId: number,
  table: ArchivedTable,
): AsyncGenerator<string> {
  const own = table === 'environment' ? 'id' : 'environment_id';
  await execute(
    db,
    `declare archived no scroll cursor for
       select to_jsonb(archived)::text as row from ${table} archived where ${own} = $1 order by ${ARCHIVED[table]}`,
    [environmentId],
  );
  for (;;) {
    const rows = await readRows(db, row, `fetch ${AT_ONCE} from archived`);
    if (rows.length === 0) break;
    yield rows.map((one) => `${one.row}\n`).join('');
  }
  await execute(db, 'close archived');
}

const settings = z.object({ settings: z.record(z.string(), z.unknown()) });

/** A company with its account and tax catalog, as JSON; null without such a company. */
export async function settingsOf(db: Queryable, companyId: string): Promise<Record<string, unknown> | null> {
  const text = `select jsonb_build_object(
      'company', to_jsonb(company), 'account', to_jsonb(account),
      'tax_catalog', (select coalesce(jsonb_agg(to_jsonb(entry) order by tax_type), '[]')
        from tax_catalog_entry entry where entry.company_id = company.id),
      'audit_log', (select coalesce(jsonb_agg(to_jsonb(entry) order by at, id), '[]')
        from audit_entry entry where entry.subject = company.id)) as settings
    from company join account on account.id = company.account_id where company.id = $1`;
  return (await readRow(db, settings, text, [companyId]))?.settings ?? null;
}

const kept = z.object({ id: column.whole, kind: z.enum(['test', 'live']) });

/** The environments of a company, live first. */
export function environmentsToArchive(db: Queryable, companyId: string): Promise<z.infer<typeof kept>[]> {
  const text = 'select id, kind::text from environment where company_id = $1 order by kind desc';
  return readRows(db, kept, text, [companyId]);
}

const numbered = z.object({ id: z.string(), number: z.string(), issuedAt: column.instant });
export type NumberedInvoice = Readonly<z.infer<typeof numbered>>;

/** The next invoices of an environment, oldest first, after one (or from the first). */
export function pageOfInvoices(
  db: Queryable,
  environmentId: number,
  after: NumberedInvoice | null,
  size: number,
): Promise<NumberedInvoice[]> {
  const text = `select id, number, issued_at as "issuedAt" from invoice
    where environment_id = $1 and ($2::timestamptz is null or (issued_at, id) > ($2, $3)) order by issued_at, id limit $4`;
  return readRows(db, numbered, text, [environmentId, after?.issuedAt ?? null, after?.id ?? null, size]);
}
