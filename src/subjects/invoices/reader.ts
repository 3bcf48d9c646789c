import type { Db } from '../../ground/db/client.ts';
import { gather, NEXT_TIME } from '../../ground/lib/gather.ts';
import { LIMITS } from '../../ground/lib/limits.ts';
import type { RecordRow } from '../chain/tail.ts';
import type { InvoiceRow, LineRow, TaxItemRow } from './rows.ts';

/** What an answer shows of a registration or cancellation record. */
export type RecordSummary = Pick<RecordRow, 'kind' | 'fingerprint'> & {
  readonly status: 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

/** An invoice as stored, and as it stands: everything that the contract's invoice object shows. */
export type StandingInvoice = {
  readonly invoice: Omit<InvoiceRow, 'imported' | 'imported_at' | 'series_year' | 'series_number'> & {
    readonly series_year: number | null;
    readonly series_number: number | null;
    readonly imported: boolean;
    readonly imported_at: string | null;
  };
  readonly lines: readonly LineRow[];
  readonly taxItems: readonly TaxItemRow[];
  readonly records: readonly RecordSummary[];
  readonly voided: boolean;
  /** The live rectificativas of the invoice, in the order of issue. */
  readonly rectifiedBy: readonly string[];
};

const STANDING = `json_build_object(
    'invoice', row_to_json(invoice),
    'lines', (
      select coalesce(json_agg(line order by line.position), '[]') from invoice_line line
       where line.environment_id = invoice.environment_id and line.invoice_id = invoice.id),
    'taxItems', (
      select coalesce(json_agg(item order by item.line_position, item.position), '[]') from tax_item item
       where item.environment_id = invoice.environment_id and item.invoice_id = invoice.id),
    'records', (
      select coalesce(json_agg(json_build_object('kind', record.kind, 'fingerprint', record.fingerprint,
                                                 'status', state.status, 'errorCode', state.error_code,
                                                 'errorMessage', state.error_message)
                               order by record.chain_id, record.position), '[]')
        from registration_record record
        join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
       where record.environment_id = invoice.environment_id and record.invoice_id = invoice.id),
    'voided', exists (
      select from invoice_void void
       where void.environment_id = invoice.environment_id and void.invoice_id = invoice.id),
    'rectifiedBy', (
      select coalesce(json_agg(other.id order by other.issued_at, other.id), '[]') from invoice other
       where other.environment_id = invoice.environment_id and other.rectifies_id = invoice.id
         and not exists (select from invoice_void void
                          where void.environment_id = other.environment_id and void.invoice_id = other.id)))`;

const KEY = `invoice.environment_id || '/' || invoice.id`;

const READ = `
  select ${KEY} as key, ${STANDING} as standing
    from unnest($1::int[], $2::text[]) as wanted (environment_id, id)
    join invoice on invoice.environment_id = wanted.environment_id and invoice.id = wanted.id`;

/** The same in the order of asking, up to the one that has no room any more. The last line's position tells how many there are. */
const READ_WHAT_FITS = `
  with sized as (
    select wanted.*, coalesce((
        select line.position from invoice_line line
         where line.environment_id = wanted.environment_id and line.invoice_id = wanted.id
         order by line.position desc limit 1), 0) as lines
      from unnest($1::int[], $2::text[]) with ordinality as wanted (environment_id, id, place)
  ), placed as (
    select sized.*, place = 1 or sum(lines) over (order by place) <= ${LIMITS.linesOfReading.value} as fits from sized
  )
  select ${KEY} as key, case when fits then ${STANDING} end as standing
    from placed
    join invoice on invoice.environment_id = placed.environment_id and invoice.id = placed.id`;

/** So many fit however long they are: an invoice has at most 500 lines. */
const ALWAYS_FIT = LIMITS.linesOfReading.value / 500;

/** Reads an invoice of an environment with all that the contract shows of it; null when there is none. */
export type InvoiceReader = (environmentId: number, id: string) => Promise<StandingInvoice | null>;

/**
 * One statement for the invoices that are asked for at the same moment, whoever asks: as many as their lines leave room
 * for, and the others by the next.
 */
export function createInvoiceReader(db: Db): InvoiceReader {
  const read = gather<StandingInvoice>(async (keys) => {
    const wanted = keys.map((key) => key.split('/') as [string, string]);
    const { rows } = await db.pool.query<{ key: string; standing: StandingInvoice | null }>({
      ...(keys.length <= ALWAYS_FIT
        ? { name: 'read-invoices', text: READ }
        : { name: 'read-invoices-that-fit', text: READ_WHAT_FITS }),
      values: [wanted.map(([environmentId]) => environmentId), wanted.map(([, id]) => id)],
    });
    return new Map(rows.map(({ key, standing }) => [key, standing ?? NEXT_TIME]));
  });
  return (environmentId, id) => read(`${environmentId}/${id}`);
}
