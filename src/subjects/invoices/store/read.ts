import { z } from 'zod';
import { type PackedRows, packedList, packedRows, plainColumns } from '../../../ground/db/packed-rows.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { readRow } from '../../../ground/db/rows.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { type InvoiceView, linesWithTaxItems, type RecordSummary, type RecordView } from '../view.ts';
import * as shapes from './shapes.ts';

/** Returned in the form of JSON, whatever the session's settings are. */
const INSTANTS: ReadonlySet<string> = new Set(['issued_at', 'imported_at']);

/** Where the columns of an invoice begin in a SELECT list: behind its key. */
const FIRST = 1;

const INVOICE = plainColumns(shapes.invoice, FIRST, (name) => {
  if (name === 'issuer_nif') return "invoice.issuer->>'nif'";
  return INSTANTS.has(name) ? `to_json(invoice.${name})#>>'{}'` : `invoice.${name}`;
});
const LINE = packedRows(shapes.line, (name) => `shown.${name}`);
const TAX_ITEM = packedRows(shapes.taxItem, (name) => `shown.${name}`);

const OWNER_COLUMNS = { environment: 'kind', companyId: 'company_id', clockAheadMs: 'clock_ahead_ms' };
const OWNER = plainColumns(shapes.owner, INVOICE.end, (name) => `environment.${OWNER_COLUMNS[name]}`);

/** Found by the first invoice of a family, and by the one that is in force. */
const ACCOUNT_COLUMNS = { holderId: 'holder_id', payable: 'payable', paid: 'paid', dueOn: 'due_on' };
const ACCOUNT = packedRows(shapes.account, (name) => `account.${ACCOUNT_COLUMNS[name]}`);

/** The sealed part of a record and its state are in two tables. */
const recordColumn = (name: string) => `${shapes.RECORD_STATE.has(name) ? 'state' : 'record'}.${name}`;
const SUMMARY = packedRows(shapes.recordSummary, recordColumn);
/** All of a record: its text has several kilobytes, so it is read only on request. */
const WHOLE = packedRows(shapes.wholeRecord, recordColumn);

type Related = Record<keyof typeof shapes.related.shape, string>;

const LINES: Pick<Related, 'lines' | 'taxItems'> = {
  lines: `(
    select ${packedList(LINE.packed)} from (
      select * from invoice_line
       where environment_id = invoice.environment_id and invoice_id = invoice.id order by position) as shown)`,
  taxItems: `(
    select ${packedList(TAX_ITEM.packed)} from (
      select * from tax_item
       where environment_id = invoice.environment_id and invoice_id = invoice.id
       order by line_position, position) as shown)`,
};
const NO_LINES: typeof LINES = { lines: 'null', taxItems: 'null' };

const relatedOf = (lines: typeof LINES, record: string): Related => ({
  ...lines,
  records: `(
    select ${packedList(record, 'order by record.chain_id, record.position')} from registration_record record
      join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
     where record.environment_id = invoice.environment_id and record.invoice_id = invoice.id)`,
  voided: `exists (
    select from invoice_void void
     where void.environment_id = invoice.environment_id and void.invoice_id = invoice.id)`,
  metadata: `(
    select nullif(noted.metadata, '{}') from invoice_metadata noted
     where noted.environment_id = invoice.environment_id and noted.invoice_id = invoice.id)`,
  account: `case when invoice.rectifies_id is null
    then (select ${ACCOUNT.packed} from payment_account account
           where account.environment_id = invoice.environment_id and account.root_id = invoice.id)
    else (select ${ACCOUNT.packed} from payment_account account
           where account.environment_id = invoice.environment_id and account.holder_id = invoice.id) end`,
  rectifiedBy: `(
    select json_agg(other.id order by other.issued_at, other.id) from invoice other
     where other.environment_id = invoice.environment_id and other.rectifies_id = invoice.id
       and not exists (select from invoice_void void
                        where void.environment_id = other.environment_id and void.invoice_id = other.id))`,
  exchanges: `case when invoice.kind = 'exchange' then (
    select json_agg(ticket.id order by ticket.issued_at, ticket.id) from invoice_exchange exchange
      join invoice ticket on ticket.environment_id = exchange.environment_id and ticket.id = exchange.ticket_id
     where exchange.environment_id = invoice.environment_id and exchange.exchange_id = invoice.id) end`,
  exchangedBy: `case when invoice.type = 'simplified' then (
    select exchange.exchange_id from invoice_exchange exchange
     where exchange.environment_id = invoice.environment_id and exchange.ticket_id = invoice.id
       and not exists (select from invoice_void void
                        where void.environment_id = exchange.environment_id and void.invoice_id = exchange.exchange_id)
     limit 1) end`,
});

/** Without an environment an invoice is found in any: its id is the first column of the key. */
const INVOICE_WANTED = `invoice.id = wanted.id
     and invoice.environment_id = coalesce(wanted.environment_id, invoice.environment_id)`;

/**
 * Hides the number of ids from the planner: for one or two it would prefer a custom plan and compute it for each
 * call, which takes five times as long as reading.
 */
const ASKED = 'unnest((select $1::text[]), (select $2::int[]), (select $3::text[]))';

const readAll = (columns: string) => `
  select wanted.key, ${columns}
    from ${ASKED} as wanted (key, environment_id, id)
    join invoice on ${INVOICE_WANTED}
    join environment on environment.id = invoice.environment_id`;

/**
 * The same in the order of the request, up to the first that does not fit. The last line's position gives the
 * number of lines.
 */
const readWhatFits = (columns: string) => `
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
  select placed.key, ${columns}
    from placed
    left join invoice on placed.fits and invoice.environment_id = placed.environment_id and invoice.id = placed.id
    left join environment on environment.id = invoice.environment_id`;

/** Lines of an invoice at most. */
const MAX_LINES = 500;

/** A requested invoice, of an environment or for null of any, and its key in the answer. */
export type RequestedInvoice = {
  readonly key: string;
  readonly environmentId: number | null;
  readonly id: string;
};

type Read = { readonly key: string; readonly view: InvoiceView | null };

/**
 * Reads invoices for display, without the texts of their records. Unknown ids are left out; a view is null when its
 * lines did not fit into this read, which those of the first always do. `lineCount` is the number of their lines, if known.
 */
export const readShown = reading('read-invoices', LINES, SUMMARY, () => null);

/** The same with complete records. */
export const readWhole = reading('read-whole-invoices', LINES, WHOLE, (records) => records);

/** The same as `readShown` without lines, and therefore for any number of invoices. */
export const readHeads = reading('read-invoice-heads', NO_LINES, SUMMARY, () => null);

/** The rows of a packed list. */
const parsed = (list: string | null): unknown[][] => (list === null ? [] : (JSON.parse(list) as unknown[][]));

function reading<Rec extends RecordSummary>(
  name: string,
  lines: typeof LINES,
  record: PackedRows<Rec>,
  whole: (records: readonly Rec[]) => InvoiceView['wholeRecords'],
) {
  const expressions = relatedOf(lines, record.packed);
  const hasLines = lines !== NO_LINES;
  const related = plainColumns(shapes.related, OWNER.end, (column) => expressions[column]);
  const columns = [INVOICE.columns, OWNER.columns, related.columns].join(', ');
  const shape = shapes.standingInvoice(record.shape);
  const read = (values: readonly unknown[]) => {
    const found = related.read(values);
    return {
      invoice: INVOICE.read(values),
      owner: OWNER.read(values),
      account: found.account === null ? null : ACCOUNT.unpack(JSON.parse(found.account) as unknown[]),
      lines: parsed(found.lines).map(LINE.unpack),
      taxItems: parsed(found.taxItems).map(TAX_ITEM.unpack),
      records: parsed(found.records).map(record.unpack),
      voided: found.voided,
      metadata: found.metadata,
      rectifiedBy: found.rectifiedBy ?? [],
      exchanges: found.exchanges ?? [],
      exchangedBy: found.exchangedBy,
    };
  };
  // Each property by its name: an object of all the others would be made one property at a time.
  const viewOf = (one: ReturnType<typeof read>): InvoiceView => ({
    invoice: one.invoice,
    owner: one.owner,
    lines: hasLines ? linesWithTaxItems(one.lines, one.taxItems) : null,
    records: one.records,
    wholeRecords: whole(one.records),
    voided: one.voided,
    metadata: one.metadata,
    account: one.account,
    rectifiedBy: one.rectifiedBy,
    exchanges: one.exchanges,
    exchangedBy: one.exchangedBy,
  });
  const all = { name, text: readAll(columns) };
  const whatFits = { name: `${name}-that-fit`, text: readWhatFits(columns) };
  return async (
    db: Queryable,
    requested: readonly RequestedInvoice[],
    lineCount = requested.length * MAX_LINES,
  ): Promise<Read[]> => {
    const values = [
      requested.map(({ key }) => key),
      requested.map(({ environmentId }) => environmentId),
      requested.map(({ id }) => id),
    ];
    const statement = hasLines && lineCount > LIMITS.linesOfReading.value ? whatFits : all;
    const { rows } = await db.query<unknown[]>({ ...statement, values, rowMode: 'array' });
    return rows.map((row, index) => {
      const key = row[0] as string;
      // What did not fit has no columns.
      if (row[FIRST] === null) return { key, view: null };
      const one = read(row);
      // Only the first row is validated, since all rows of a statement have the same shape: validating each value
      // would take as long as reading the page.
      if (index === 0) shape.parse(one);
      return { key, view: viewOf(one) };
    });
  };
}

const RECORD_COLUMNS = Object.keys(shapes.wholeRecord.shape).map(recordColumn).join(', ');

const RECORD_ROW = z.object({ record: shapes.wholeRecord });

/** Reads one record by its id, in any environment; null when there is none. */
export async function readRecordRow(db: Queryable, id: string): Promise<RecordView | null> {
  const text = `select row_to_json(shown) as record from (
     select ${RECORD_COLUMNS} from registration_record record
       join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
      where record.id = $1) as shown`;
  return (await readRow(db, RECORD_ROW, { name: 'read-record', text }, [id]))?.record ?? null;
}
