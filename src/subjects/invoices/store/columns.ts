import { type PackedRows, packedRows, plainColumns } from '../../../ground/db/packed-rows.ts';
import { type InvoiceView, type RecordSummary, type RecordView, viewsOfLines } from '../view.ts';
import * as shapes from './shapes.ts';

/** What statements read of an invoice, and the view of it that their rows make. */

/** In the form of JSON, whatever the session's settings are. */
const instant = (column: string) => `to_json(${column})#>>'{}'`;

/** Columns of invoices and records. */
const INSTANTS: ReadonlySet<string> = new Set(['issued_at', 'imported_at', 'generated_at', 'settled_at']);

const columnOf = (table: string, name: string) =>
  INSTANTS.has(name) ? instant(`${table}.${name}`) : `${table}.${name}`;

/** Where the columns of an invoice begin in a SELECT list: behind its key. */
export const FIRST = 1;

const INVOICE = plainColumns(shapes.invoice, FIRST, (name) =>
  name === 'issuer_nif' ? "invoice.issuer->>'nif'" : columnOf('invoice', name),
);
const LINE = packedRows(shapes.line, (name) => `shown.${name}`);
const TAX_ITEM = packedRows(shapes.taxItem, (name) => `shown.${name}`);

const OWNER_COLUMNS = {
  environment: 'kind',
  companyId: 'company_id',
  clockAheadMs: 'clock_ahead_ms',
  timeZone: 'time_zone',
};

/** Found by the first invoice of a family, and by the one that is in force. */
const ACCOUNT_COLUMNS = { holderId: 'holder_id', payable: 'payable', paid: 'paid', dueOn: 'due_on' };
const ACCOUNT = packedRows(shapes.account, (name) => `account.${ACCOUNT_COLUMNS[name]}`);

/** The sealed part of a record and its state are in two tables. */
export const recordColumn = (name: string): string =>
  columnOf(shapes.RECORD_STATE.has(name) ? 'state' : 'record', name);

/** How much of an invoice is read. */
type Extent<Rec extends RecordSummary> = {
  /** `null`: none. A number: so many of an invoice at most, with all tax items of these lines. */
  readonly lines: 'all' | number | null;
  readonly record: PackedRows<Rec>;
  readonly whole: (records: readonly Rec[]) => InvoiceView['wholeRecords'];
};

/** What an invoice shows without the texts of its records. */
export const SHOWN = {
  lines: 'all',
  record: packedRows(shapes.recordSummary, recordColumn),
  whole: () => null,
} as const;

/** The same with its records whole: their texts have several kilobytes each, so they are read only on request. */
export const WHOLE = {
  lines: 'all',
  record: packedRows(shapes.wholeRecord, recordColumn),
  whole: (records: readonly RecordView[]) => records,
} as const;

/** Of the environment of the invoices, which is the first value of each statement. */
const ownerColumn = (column: string) => `(select ${column} from environment where id = $1)`;

export type InvoiceColumns = {
  /** For a SELECT list, behind one other column, of rows of the environment `$1` that are called `invoice`. */
  readonly columns: string;
  /** The place behind the last column. */
  readonly end: number;
  /** The view that a row of such a statement makes. Only the first row of an answer is checked. */
  readonly viewOf: (values: readonly unknown[], isFirst: boolean) => InvoiceView;
};

export function invoiceColumns<Rec extends RecordSummary>(extent: Extent<Rec>): InvoiceColumns {
  const { record, whole } = extent;
  const owner = plainColumns(shapes.owner, INVOICE.end, (name) => ownerColumn(OWNER_COLUMNS[name]));
  const expressions = relatedOf(extent);
  const related = plainColumns(shapes.related, owner.end, (column) => expressions[column]);
  const shape = shapes.currentInvoice(record.shape);
  const read = (values: readonly unknown[]) => {
    const found = related.read(values);
    const [account, lines, taxItems, records] = found.rows as PackedRelated;
    return {
      invoice: INVOICE.read(values),
      owner: owner.read(values),
      account: account === null ? null : ACCOUNT.unpack(account),
      lines: (lines ?? []).map(LINE.unpack),
      taxItems: (taxItems ?? []).map(TAX_ITEM.unpack),
      records: inOrder(records ?? []).map(record.unpack),
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
    lines: extent.lines === null ? null : viewsOfLines(one.lines, one.taxItems),
    records: one.records,
    wholeRecords: whole(one.records),
    voided: one.voided,
    metadata: one.metadata,
    account: one.account,
    rectifiedBy: one.rectifiedBy,
    exchanges: one.exchanges,
    exchangedBy: one.exchangedBy,
  });
  return {
    columns: [INVOICE.columns, owner.columns, related.columns].join(', '),
    end: related.end,
    viewOf: (values, isFirst) => {
      const one = read(values);
      // Only the first row is validated, since all rows of a statement have the same shape: validating each value
      // would take as long as reading the page.
      if (isFirst) shape.parse(one);
      return viewOf(one);
    },
  };
}

type Packed = readonly unknown[];
type PackedRelated = [
  account: Packed | null,
  lines: Packed[] | null,
  taxItems: Packed[] | null,
  records: PlacedRecord[] | null,
];

/** A packed record behind its place in the environment's chains. */
type PlacedRecord = [chainId: number, position: number, record: Packed];

/** In the order of the chains. Nearly every invoice has one: Postgres would prepare a sort for each. */
function inOrder(records: PlacedRecord[]): Packed[] {
  if (records.length > 1) records.sort(([chain, at], [other, before]) => chain - other || at - before);
  return records.map(([, , record]) => record);
}

type Related = Record<keyof typeof shapes.related.shape, string>;

function relatedOf<Rec extends RecordSummary>({ lines, record }: Extent<Rec>): Related {
  const ofInvoice = `environment_id = $1 and invoice_id = invoice.id`;
  const account = (column: string) => `(
    select ${ACCOUNT.packed} from payment_account account
     where account.environment_id = $1 and account.${column} = invoice.id)`;
  const records = `(
    select json_agg(json_build_array(record.chain_id, record.position, ${record.packed}))
      from registration_record record
      join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
     where record.environment_id = $1 and record.invoice_id = invoice.id)`;
  const rows = [
    `case when invoice.rectifies_id is null then ${account('root_id')} else ${account('holder_id')} end`,
    ...(lines === null ? ['null', 'null'] : linesOf(ofInvoice, lines)),
    records,
  ];
  const rectifying = `from invoice other
     where other.environment_id = $1 and other.rectifies_id = invoice.id`;
  const rectifyingSeveral = `from invoice other
     where other.environment_id = $1 and other.rectifies_ids @> array[invoice.id]`;
  // Asked once a statement: nearly no environment has one, and each invoice would be looked up in vain.
  const hasSeveral = `(select true from invoice any_of where any_of.environment_id = $1 and any_of.rectifies_ids is not null limit 1)`;
  const isVoided = (id: string) => `(
    select true from invoice_void void where void.environment_id = $1 and void.invoice_id = ${id}
    ) is not null`;
  return {
    rows: `json_build_array(${rows.join(', ')})`,
    voided: isVoided('invoice.id'),
    metadata: `(select nullif(metadata, '{}') from invoice_metadata where ${ofInvoice})`,
    // Nearly no invoice has any: Postgres would prepare a sort for each.
    rectifiedBy: `case when (select true ${rectifying} limit 1) or (${hasSeveral} and (select true ${rectifyingSeveral} limit 1)) then (
      select json_agg(other.id order by other.issued_at, other.id) from (
        select other.id, other.issued_at ${rectifying} union select other.id, other.issued_at ${rectifyingSeveral}) as other
       where not ${isVoided('other.id')}) end`,
    exchanges: `case when invoice.kind = 'exchange' then (
      select json_agg(ticket.id order by ticket.issued_at, ticket.id) from invoice_exchange exchange
        join invoice ticket on ticket.environment_id = exchange.environment_id and ticket.id = exchange.ticket_id
       where exchange.environment_id = $1 and exchange.exchange_id = invoice.id) end`,
    exchangedBy: `case when invoice.type = 'simplified' then (
      select exchange.exchange_id from invoice_exchange exchange
       where exchange.environment_id = $1 and exchange.ticket_id = invoice.id
         and not ${isVoided('exchange.exchange_id')} and exchange.exchange_id not in (
           select unnest(array[reversal.id, reversal.reverses_id]) from invoice reversal
            where reversal.environment_id = $1 and (reversal.id = exchange.exchange_id or reversal.reverses_id = exchange.exchange_id)
              and reversal.reverses_id is not null and not ${isVoided('reversal.id')})
       limit 1) end`,
  };
}

/** Lines and tax items. */
function linesOf(ofInvoice: string, max: 'all' | number): string[] {
  const [limit, ofLines] = max === 'all' ? ['', ''] : [`limit ${max}`, `and line_position < ${max}`];
  return [
    `(select json_agg(${LINE.packed}) from (
        select * from invoice_line where ${ofInvoice} order by position ${limit}) as shown)`,
    `(select json_agg(${TAX_ITEM.packed}) from (
        select * from tax_item where ${ofInvoice} ${ofLines} order by line_position, position) as shown)`,
  ];
}
