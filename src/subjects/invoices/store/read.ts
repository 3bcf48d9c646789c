import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow, readRows } from '../../../ground/db/rows.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { extensionList } from '../rows.ts';
import { type InvoiceView, linesWithTaxItems, type RecordSummary, type RecordView } from '../view.ts';
import { recordSummary, standingInvoice, wholeRecord } from './shapes.ts';

const INVOICE_COLUMNS = `
  invoice.environment_id, invoice.id, invoice.series_id, invoice.number, invoice.type, invoice.kind, invoice.currency,
  invoice.subtotal, invoice.tax, invoice.total, invoice.issued_at, invoice.issued_on, invoice.operation_on,
  invoice.external_id, invoice.external_customer_id, invoice.integration_id, invoice.order_id, invoice.notes,
  invoice.recipient_name, invoice.recipient_company_name, invoice.recipient_tax_id, invoice.recipient_tax_id_type,
  invoice.recipient_tax_id_country, invoice.recipient_email, invoice.recipient_line1, invoice.recipient_line2,
  invoice.recipient_postal_code, invoice.recipient_city, invoice.recipient_country, invoice.rectifies_id,
  invoice.rectification_reason, invoice.external_number, invoice.external_issued_on, invoice.imported_at,
  ${extensionList('invoice')},
  invoice.issuer->>'nif' as issuer_nif`;

const RECORD_SUMMARY = 'record.kind, record.fingerprint, state.status, state.error_code, state.error_message';

/** All of a record: its text has some kilobytes, so it is read when it is asked for. */
const RECORD = `${RECORD_SUMMARY}, record.id, record.environment_id, record.chain_id, record.position, record.invoice_id,
  record.previous_fingerprint, record.generated_at, record.xml,
  state.attempts, state.parked_reason, state.receipt, state.settled_at, state.submission_id`;

/** Whatever is selected of some rows, as a JSON array; empty for none. */
const listOf = (rows: string) =>
  `coalesce((select json_agg(row_to_json(shown)) from (${rows}) as shown), '[]')`;

/** Found by the first invoice of a family, and by the one of it that is in force. */
const ACCOUNT = `json_build_object('holderId', account.holder_id, 'payable', account.payable, 'paid', account.paid,
  'dueOn', account.due_on)`;

const standing = (record: string) => `json_build_object(
    'invoice', (select row_to_json(shown) from (select ${INVOICE_COLUMNS}) as shown),
    'owner', json_build_object('environment', environment.kind, 'companyId', environment.company_id,
      'clockAheadMs', environment.clock_ahead_ms),
    'lines', ${listOf(`
      select id, description, sku, quantity, unit_amount, subtotal, tax, total,
             quantity_decimal, unit_amount_decimal, unit_amount_gross, unit from invoice_line
       where environment_id = invoice.environment_id and invoice_id = invoice.id order by position`)},
    'taxItems', ${listOf(`
      select line_position, type, name, rate_basis_points, amount from tax_item
       where environment_id = invoice.environment_id and invoice_id = invoice.id order by line_position, position`)},
    'records', ${listOf(`
      select ${record} from registration_record record
        join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
       where record.environment_id = invoice.environment_id and record.invoice_id = invoice.id
       order by record.chain_id, record.position`)},
    'voided', exists (
      select from invoice_void void
       where void.environment_id = invoice.environment_id and void.invoice_id = invoice.id),
    'metadata', (
      select nullif(noted.metadata, '{}') from invoice_metadata noted
       where noted.environment_id = invoice.environment_id and noted.invoice_id = invoice.id),
    'account', (case when invoice.rectifies_id is null
      then (select ${ACCOUNT} from payment_account account
             where account.environment_id = invoice.environment_id and account.root_id = invoice.id)
      else (select ${ACCOUNT} from payment_account account
             where account.environment_id = invoice.environment_id and account.holder_id = invoice.id) end),
    'rectifiedBy', (
      select coalesce(json_agg(other.id order by other.issued_at, other.id), '[]') from invoice other
       where other.environment_id = invoice.environment_id and other.rectifies_id = invoice.id
         and not exists (select from invoice_void void
                          where void.environment_id = other.environment_id and void.invoice_id = other.id)),
    'exchanges', case when invoice.kind = 'exchange' then (
      select coalesce(json_agg(ticket.id order by ticket.issued_at, ticket.id), '[]') from invoice_exchange exchange
        join invoice ticket on ticket.environment_id = exchange.environment_id and ticket.id = exchange.ticket_id
       where exchange.environment_id = invoice.environment_id and exchange.exchange_id = invoice.id) else '[]' end,
    'exchangedBy', case when invoice.type = 'simplified' then (
      select exchange.exchange_id from invoice_exchange exchange
       where exchange.environment_id = invoice.environment_id and exchange.ticket_id = invoice.id
         and not exists (select from invoice_void void
                          where void.environment_id = exchange.environment_id and void.invoice_id = exchange.exchange_id)
       limit 1) end)`;

/** Without an environment an invoice is found in any: its id is the first column of the key. */
const INVOICE_WANTED = `invoice.id = wanted.id
     and invoice.environment_id = coalesce(wanted.environment_id, invoice.environment_id)`;

/**
 * What is wanted, so that the planner does not see how many: for one or two it would find a plan of their own cheaper than the
 * one that it keeps, and make it anew each time, which takes five times as long as reading them.
 */
const ASKED = 'unnest((select $1::text[]), (select $2::int[]), (select $3::text[]))';

const readAll = (record: string) => `
  select wanted.key, ${standing(record)} as standing
    from ${ASKED} as wanted (key, environment_id, id)
    join invoice on ${INVOICE_WANTED}
    join environment on environment.id = invoice.environment_id`;

/** The same in the order of asking, up to the one that has no room any more. The last line's position tells how many there are. */
const readWhatFits = (record: string) => `
  with sized as (
    select wanted.key, wanted.place, invoice.environment_id, invoice.id, coalesce((
        select line.position from invoice_line line
         where line.environment_id = invoice.environment_id and line.invoice_id = invoice.id
         order by line.position desc limit 1), 0) as lines
      from ${ASKED} with ordinality as wanted (key, environment_id, id, place)
      join invoice on ${INVOICE_WANTED}
  ), placed as (
    select sized.*,
           row_number() over asked = 1 or sum(lines) over asked <= ${LIMITS.linesOfReading.value} as fits
      from sized window asked as (order by place)
  )
  select placed.key, case when fits then ${standing(record)} end as standing
    from placed
    join invoice on invoice.environment_id = placed.environment_id and invoice.id = placed.id
    join environment on environment.id = invoice.environment_id`;

/** So many fit however long they are: an invoice has at most 500 lines. */
const ALWAYS_FIT = LIMITS.linesOfReading.value / 500;

/** An invoice that is wanted, of an environment or for null of any, and what it is called in the answer. */
export type Wanted = { readonly key: string; readonly environmentId: number | null; readonly id: string };

type Read = { readonly key: string; readonly view: InvoiceView | null };

/**
 * Reads invoices as they are shown, without the texts of their records. What is not there is left out; a view is null when
 * its lines did not fit into this reading, which the first one's always do.
 */
export const readShown = reading('read-invoices', RECORD_SUMMARY, recordSummary, () => null);

/** The same with their records whole. */
export const readWhole = reading('read-whole-invoices', RECORD, wholeRecord, (records) => records);

function reading<Rec extends RecordSummary>(
  name: string,
  record: string,
  shape: z.ZodType<Rec>,
  whole: (records: readonly Rec[]) => InvoiceView['wholeRecords'],
) {
  const standing = standingInvoice(shape);
  const row = z.object({ key: z.string(), standing: z.custom<z.output<typeof standing>>().nullable() });
  const all = { name, text: readAll(record) };
  const whatFits = { name: `${name}-that-fit`, text: readWhatFits(record) };
  return async (db: Queryable, wanted: readonly Wanted[]): Promise<Read[]> => {
    const values = [
      wanted.map(({ key }) => key),
      wanted.map(({ environmentId }) => environmentId),
      wanted.map(({ id }) => id),
    ];
    const rows = await readRows(db, row, wanted.length <= ALWAYS_FIT ? all : whatFits, values);
    // All that one statement reads is alike: to look at each value of a page would take as long as reading it.
    if (rows[0]?.standing) standing.parse(rows[0].standing);
    return rows.map(({ key, standing: one }) => {
      if (one === null) return { key, view: null };
      const { lines, taxItems, ...found } = one;
      const wholeRecords = whole(one.records);
      return { key, view: { ...found, lines: linesWithTaxItems(lines, taxItems), wholeRecords } };
    });
  };
}

const RECORD_ROW = z.object({ record: wholeRecord });

/** Reads one record by its id, of whichever environment; null when there is none. */
export async function readRecordRow(db: Queryable, id: string): Promise<RecordView | null> {
  const text = `select row_to_json(shown) as record from (
     select ${RECORD} from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
      where record.id = $1) as shown`;
  return (await readRow(db, RECORD_ROW, { name: 'read-record', text }, [id]))?.record ?? null;
}
