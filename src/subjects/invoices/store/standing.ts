import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';
import { LIMITS } from '../../../ground/lib/limits.ts';
import { taxDetailRow } from '../../taxes/detail-row.ts';
import type { StandingInvoice } from '../standing.ts';

const invoiceRow = z.object({
  id: z.string(),
  environment_id: column.whole,
  series_id: z.string(),
  series_year: column.whole.nullable(),
  series_number: column.whole.nullable(),
  number: z.string(),
  type: z.enum(['complete', 'simplified']),
  kind: z.enum(['original', 'rectifying_differences', 'rectifying_substitution', 'exchange']),
  currency: z.literal('eur'),
  subtotal: column.whole,
  tax: column.whole,
  total: column.whole,
  issued_at: z.string(),
  issued_on: z.string(),
  operation_on: z.string().nullable(),
  external_id: z.string().nullable(),
  external_customer_id: z.string().nullable(),
  integration_id: z.string().nullable(),
  order_id: z.string().nullable(),
  notes: z.string().nullable(),
  recipient_name: z.string().nullable(),
  recipient_company_name: z.string().nullable(),
  recipient_tax_id: z.string().nullable(),
  recipient_tax_id_type: z.string().nullable(),
  recipient_tax_id_country: z.string().nullable(),
  recipient_email: z.string().nullable(),
  recipient_line1: z.string().nullable(),
  recipient_line2: z.string().nullable(),
  recipient_postal_code: z.string().nullable(),
  recipient_city: z.string().nullable(),
  recipient_country: z.string().nullable(),
  recipient_evidence: z.looseObject({}).nullable(),
  issuer: z.object({
    nif: z.string(),
    legalName: z.string(),
    line1: z.string(),
    line2: z.string().nullable(),
    postalCode: z.string(),
    city: z.string(),
    country: z.string(),
  }),
  breakdown: z.array(taxDetailRow),
  rectifies_id: z.string().nullable(),
  rectification_reason: z.enum(['correction', 'insolvency', 'uncollectible', 'other']).nullable(),
  external_number: z.string().nullable(),
  external_issued_on: z.string().nullable(),
  rectified_base: column.whole.nullable(),
  rectified_tax: column.whole.nullable(),
  rectified_surcharge: column.whole.nullable(),
  imported: z.boolean(),
  imported_at: z.string().nullable(),
});

const lineRow = z.object({
  environment_id: column.whole,
  invoice_id: z.string(),
  position: column.whole,
  id: z.string(),
  description: z.string(),
  sku: z.string().nullable(),
  quantity: z.number(),
  unit_amount: column.whole,
  subtotal: column.whole,
  tax: column.whole,
  total: column.whole,
});

const taxItemRow = z.object({
  environment_id: column.whole,
  invoice_id: z.string(),
  line_position: column.whole,
  position: column.whole,
  type: z.string(),
  name: z.string(),
  rate_basis_points: column.whole,
  amount: column.whole,
});

const recordRow = z.object({
  kind: z.enum(['registration', 'cancellation']),
  fingerprint: z.string(),
  status: z.enum(['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped']),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
});

/**
 * Rows of one table as one JSON array: they all have the columns of the first, which alone is looked at. An invoice may
 * have 500 lines, and looking at each would cost half as much again as reading them.
 */
function rowsLike<Shape extends z.ZodType>(shape: Shape): z.ZodType<z.output<Shape>[]> {
  return z.custom<z.output<Shape>[]>(
    (rows) => Array.isArray(rows) && (rows.length === 0 || shape.safeParse(rows[0]).success),
  );
}

const standingInvoice = z.object({
  invoice: invoiceRow,
  lines: rowsLike(lineRow),
  taxItems: rowsLike(taxItemRow),
  records: z.array(recordRow),
  voided: z.boolean(),
  rectifiedBy: z.array(z.string()),
}) satisfies z.ZodType<StandingInvoice>;

/** `standing` is null for an invoice for which there was no room. */
const standingRow = z.object({ key: z.string(), standing: standingInvoice.nullable() });

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

/**
 * The invoices that exist of those asked for, as many as their lines leave room for, in the order of asking: by
 * `<environment>/<id>`, null where there was no room.
 */
export async function readStanding(
  client: Queryable,
  environmentIds: readonly string[],
  ids: readonly string[],
): Promise<Map<string, StandingInvoice | null>> {
  const statement =
    ids.length <= ALWAYS_FIT
      ? { name: 'read-invoices', text: READ }
      : { name: 'read-invoices-that-fit', text: READ_WHAT_FITS };
  const rows = await readRows(client, standingRow, statement, [environmentIds, ids]);
  return new Map(rows.map(({ key, standing }) => [key, standing]));
}
