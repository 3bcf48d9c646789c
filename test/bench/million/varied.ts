import type pg from 'pg';

/** One company whose invoices differ in everything that a list is filtered by. */

/** Of every hundred invoices one has each customer and place below. */
const CYCLE = 100;

/** Places in the cycle. What replaces or is voided stands alone, what is replaced comes before what replaces it. */
const PLACES = {
  voided: 50,
  substitution: 62,
  difference: 71,
  exchange: 83,
  rejected: 11,
  pending: 23,
  skipped: 37,
};

const place = `(l.position % ${CYCLE})`;
const TOTAL = '(1 + l.position::bigint * 7919 % 100000)';

/** By the place of each invoice in its chain; so many recipients have them in turn. */
const differing = (recipients: number) => `update invoice set
  kind = (case ${place} when ${PLACES.substitution} then 'rectifying_substitution' when ${PLACES.difference} then 'rectifying_differences'
    when ${PLACES.exchange} then 'exchange' else 'original' end)::invoice_kind,
  -- A fifth are simplified.
  type = (case when l.position % 5 = 4 then 'simplified' else 'complete' end)::invoice_type,
  series_id = case l.position % 10 when 1 then 'ns_tenth' when 2 then 'ns_other' else 'ns_most' end,
  integration_id = case when l.position % 2 = 0 then 'int_even' else 'int_odd' end,
  external_id = 'old-' || l.position, external_customer_id = 'customer-' || ${place},
  recipient_company_name = null, recipient_email = 'facturas.' || l.position % ${recipients} || '@duero.example',
  recipient_tax_id = 'B' || lpad((l.position % ${recipients})::text, 8, '0'),
  total = ${TOTAL}, subtotal = ${TOTAL} - invoice.tax, due_date = invoice.issued_on + 30
  from registration_record l where invoice.environment_id = $1 and l.environment_id = $1 and l.invoice_id = invoice.id`;

/** Rows of an environment's invoices at some places of the cycle: `record` of the invoice, and `earlier` of the one before. */
const at = (...places: readonly number[]) => `registration_record record
    join registration_record earlier on earlier.environment_id = record.environment_id and earlier.chain_id = record.chain_id
     and earlier.position = record.position - 1
   where record.environment_id = $1 and record.position % ${CYCLE} in (${places.join(', ')})`;

const corrected = (id: string, voided: boolean) =>
  `insert into corrected_invoice (environment_id, invoice_id, listed_at, type, kind, voided)
   select $1, id, issued_at, type, kind, ${voided} from invoice where environment_id = $1 and id in (select ${id} from `;

const withStatus = (status: string, position: number) =>
  `update record_state set status = '${status}' where environment_id = $1 and position % ${CYCLE} = ${position}`;

const COMPLETIONS: readonly string[] = [
  `update invoice_text set tax_id = invoice.recipient_tax_id,
          content = searched_text(number, order_id, external_id, coalesce(recipient_company_name, recipient_name), descriptions)
     from invoice, (select invoice_id, string_agg(distinct without_accents(description) collate "C", E'\\n') as descriptions
                      from invoice_line where environment_id = $1 group by invoice_id) as line
    where invoice_text.environment_id = $1 and invoice.environment_id = $1
      and invoice.id = invoice_text.invoice_id and line.invoice_id = invoice.id`,
  `insert into invoice_void (environment_id, invoice_id, record_id, reason, voided_by, voided_at)
   select $1, record.invoice_id, record.id, 'error', 'key_bench', record.generated_at from ${at(PLACES.voided)}`,
  `${corrected('record.invoice_id', true)}${at(PLACES.voided)})`,
  `update invoice set rectifies_id = before from (
     select record.invoice_id as id, earlier.invoice_id as before from ${at(PLACES.substitution, PLACES.difference)}) as later
    where environment_id = $1 and invoice.id = later.id`,
  `insert into invoice_exchange (environment_id, exchange_id, ticket_id)
   select $1, record.invoice_id, earlier.invoice_id from ${at(PLACES.exchange)}`,
  `${corrected('earlier.invoice_id', false)}${at(PLACES.substitution, PLACES.exchange)})`,
  withStatus('rejected', PLACES.rejected),
  withStatus('pending', PLACES.pending),
  withStatus('skipped', PLACES.skipped),
  // Nine in ten are paid.
  `insert into invoice_payment (environment_id, invoice_id, id, amount, paid_on, means, recorded_by, recorded_at, account_payable, account_paid)
   select $1, invoice.id, 'pay_' || substr(invoice.id, 5), total, issued_on, 'transfer', 'key_bench', issued_at, total, total
     from invoice join registration_record record on record.environment_id = $1 and record.invoice_id = invoice.id
    where invoice.environment_id = $1 and record.position % 10 > 0`,
  `insert into payment_account (environment_id, root_id, holder_id, payable, due_on, listed_at, paid, overdue_told_at)
   select $1, invoice.id, invoice.id, total, due_date, issued_at, case when record.position % 10 > 0 then total else 0 end,
          case when record.position % 10 = 0 and due_date < current_date then now() end
     from invoice join registration_record record on record.environment_id = $1 and record.invoice_id = invoice.id
    where invoice.environment_id = $1`,
  // Of those that are not paid every second one is paid in part.
  `update payment_account set paid = payable / 2
     from registration_record record
    where payment_account.environment_id = $1 and record.environment_id = $1 and record.invoice_id = root_id
      and paid = 0 and record.position % 20 = 10`,
  `insert into invoice_metadata (environment_id, invoice_id, metadata)
   select $1, invoice_id, jsonb_build_object('channel', 'shop-' || position % 5, 'order', position::text)
     from registration_record where environment_id = $1 and position % 4 = 0`,
  // By which lists know what has changed since; a verification would not like them.
  `insert into journal_entry (environment_id, position, type, subject_id, record_id, created_at, content_hash, hash, format)
   select $1, head.position + record.position, 'invoice.issued', record.invoice_id, record.id, record.generated_at,
          sha256(''), sha256(''), 1
     from registration_record record join journal_head head on head.environment_id = $1 where record.environment_id = $1`,
  `update journal_head set position = last.position, last_at = last.created_at
     from (select * from journal_entry where environment_id = $1 order by position desc limit 1) last
    where journal_head.environment_id = $1`,
  `insert into integration (id, environment_id, name) values ('int_even', $1, 'even'), ('int_odd', $1, 'odd')`,
  `insert into customer (id, environment_id, integration_id, external_customer_id)
   select 'cus_' || n, $1, case when n % 2 = 0 then 'int_even' else 'int_odd' end, 'customer-' || n
     from generate_series(0, ${CYCLE - 1}) as n`,
];

/** Makes the invoices of an environment differ, as the superuser: without triggers and foreign keys. */
export async function vary(client: pg.ClientBase, environmentId: number, recipients: number): Promise<void> {
  await client.query('set session_replication_role = replica');
  for (const statement of [differing(recipients), ...COMPLETIONS])
    await client.query(statement, [environmentId]);
  await client.query('reset session_replication_role');
}
