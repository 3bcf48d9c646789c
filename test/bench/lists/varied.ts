import type pg from 'pg';
import type { Contents } from '../millions/databases.ts';

/**
 * One company whose invoices differ in everything that a list is filtered by, in the same proportions however many there are:
 * a page is as full for few of them as for many.
 */

/** Of every hundred invoices one has each customer, recipient and place below. */
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

const COLUMNS = {
  kind: `(case ${place} when ${PLACES.substitution} then 'rectifying_substitution' when ${PLACES.difference} then 'rectifying_differences'
    when ${PLACES.exchange} then 'exchange' else 'original' end)::invoice_kind`,
  // A fifth are simplified.
  type: `(case when l.position % 5 = 4 then 'simplified' else 'complete' end)::invoice_type`,
  series_id: `case l.position % 10 when 1 then 'ns_tenth' when 2 then 'ns_other' else 'ns_most' end`,
  integration_id: `case when l.position % 2 = 0 then 'int_even' else 'int_odd' end`,
  recipient_company_name: 'null',
  recipient_tax_id: `'B' || lpad(${place}::text, 8, '0')`,
  total: TOTAL,
  subtotal: `${TOTAL} - m.tax`,
};

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
  // Of those that are not paid every second one is paid in part.
  `update payment_account set paid = payable / 2
     from registration_record record
    where payment_account.environment_id = $1 and record.environment_id = $1 and record.invoice_id = root_id
      and paid = 0 and record.position % 20 = 10`,
  `insert into invoice_metadata (environment_id, invoice_id, metadata)
   select $1, invoice_id, jsonb_build_object('channel', 'shop-' || position % 5, 'order', position::text)
     from registration_record where environment_id = $1 and position % 4 = 0`,
  `insert into integration (id, environment_id, name) values ('int_even', $1, 'even'), ('int_odd', $1, 'odd')`,
  `insert into customer (id, environment_id, integration_id, external_customer_id)
   select 'cus_' || n, $1, case when n % 2 = 0 then 'int_even' else 'int_odd' end, 'customer-' || n
     from generate_series(0, ${CYCLE - 1}) as n`,
];

export const VARIED: Contents = {
  companies: 1,
  varied: {
    variety: { customers: CYCLE, columns: COLUMNS },
    async complete(client: pg.ClientBase, environmentId: number) {
      for (const statement of COMPLETIONS) await client.query(statement, [environmentId]);
    },
  },
};
