import { z } from 'zod';
import { InvoiceKind, RecordKind, RegistrationStatus } from '../../../generated/prisma/enums.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import {
  column,
  type EnvironmentRow,
  environmentOf,
  execute,
  insertWithin,
  readOneRow,
  readRow,
  readRows,
} from '../../ground/db/rows.ts';
import { isAscii, sameNumber } from '../../ground/db/same-number.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { isInvoiceId } from '../invoices/list.ts';
import type { PricedLine } from '../taxes/pricing.ts';
import { EXEMPTIONS, OPERATION_CLASSES, TAX_TYPES } from '../taxes/types.ts';
import type { RecordFacts } from './record-flags.ts';
import { amounts } from './store/read-families.ts';

/** The environment of an invoice; `invoice_not_found` when there is no such invoice, or none `within` the one given. */
export async function environmentOfInvoice(
  client: Queryable,
  invoiceId: string,
  within: number | null,
): Promise<Outcome<number>> {
  const found = isInvoiceId(invoiceId) ? await environmentOf(client, 'invoice', invoiceId, within) : null;
  return found ?? new Refusal('invoice_not_found', 'No invoice of this id exists.');
}

const recordRow = z.object({
  id: z.string(),
  kind: z.enum(RecordKind),
  status: z.enum(RegistrationStatus),
  errorCode: z.string().nullable(),
}) satisfies z.ZodType<RecordFacts>;

export type InvoiceRecord = Readonly<z.output<typeof recordRow>>;

const RECORDS = {
  name: 'records-of-invoice',
  text: `select record.id, record.kind::text, state.status::text, state.error_code as "errorCode"
           from registration_record record
           join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
          where record.environment_id = $1 and record.invoice_id = $2
          order by record.chain_id, record.position`,
};

/** The records of an invoice, in the order of their generation. */
export function loadRecords(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceRecord[]> {
  return readRows(client, recordRow, RECORDS, [environmentId, invoiceId]);
}

/** A stored line with its taxes, as it was priced. */
export type StoredLine = PricedLine & { readonly invoiceId: string };

const lineRow = z.object({
  invoiceId: z.string(),
  description: z.string(),
  sku: z.string().nullable(),
  quantity: column.whole,
  unitAmount: column.whole,
  subtotal: column.whole,
  tax: column.whole,
  total: column.whole,
  quantityDecimal: z.string().nullable(),
  unitAmountDecimal: z.string().nullable(),
  unitAmountGross: column.whole.nullable(),
  unit: z.string().nullable(),
  taxItems: z.array(
    z.object({
      ...{ type: z.enum(TAX_TYPES), name: z.string(), rate: column.whole, amount: column.whole },
      regimeKey: z.string().nullable(),
      operationClass: z.enum(OPERATION_CLASSES).nullable(),
      exemption: z.enum(EXEMPTIONS).nullable(),
      classified: z.string().nullable(),
    }),
  ),
}) satisfies z.ZodType<StoredLine>;

const LINES = {
  name: 'lines-of-invoices',
  text: `select line.invoice_id as "invoiceId", line.description, line.sku, line.quantity,
                line.unit_amount as "unitAmount", line.subtotal, line.tax, line.total,
                line.quantity_decimal as "quantityDecimal", line.unit_amount_decimal as "unitAmountDecimal",
                line.unit_amount_gross as "unitAmountGross", line.unit,
                (select coalesce(json_agg(json_build_object('type', item.type, 'name', item.name,
                          'rate', item.rate_basis_points, 'amount', item.amount, 'regimeKey', item.regime_key,
                          'operationClass', item.operation_class, 'exemption', item.exemption,
                          'classified', item.classified) order by item.position), '[]')
                   from tax_item item
                  where item.environment_id = $1 and item.invoice_id = line.invoice_id
                    and item.line_position = line.position) as "taxItems"
           from unnest($2::text[]) with ordinality as wanted (id, place)
           join invoice_line line on line.environment_id = $1 and line.invoice_id = wanted.id
          order by wanted.place, line.position`,
};

/** The lines of invoices of the environment, in the order of the given ids and of their places. */
export function loadLines(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<StoredLine[]> {
  return readRows(client, lineRow, LINES, [environmentId, invoiceIds]);
}

const declarationRow = z.object({ recordId: z.string(), xml: z.string() });

export type Declaration = Readonly<z.output<typeof declarationRow>>;

/** The newest registration record of an invoice: what is declared of it now, or would be had it not been refused. */
export function loadNewestDeclaration(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<Declaration | null> {
  return readRow(
    client,
    declarationRow,
    `select id as "recordId", xml from registration_record
      where environment_id = $1 and invoice_id = $2 and kind = 'registration'
      order by chain_id desc, position desc limit 1`,
    [environmentId, invoiceId],
  );
}

const externalFacts = z.object({
  /** The invoice of the environment that has this number, in any case of its letters. */
  named: z
    .object({ id: z.string(), number: z.string(), issuedOn: column.day, imported: z.boolean() })
    .nullable(),
  /** The rectificativas in force that name it so, in the order of issue, with the amounts that they state of it. */
  corrections: z.array(z.object({ kind: z.enum(InvoiceKind), amounts: amounts.nullable() })),
});

/** What is known here of an invoice that is named by its number and day. */
export type ExternalFacts = Readonly<z.output<typeof externalFacts>>;

const externalFactsOf = (number: string) => ({
  name: isAscii(number) ? 'external-facts' : 'external-facts-beyond-ascii',
  text: `select
        (select json_build_object('id', id, 'number', number, 'issuedOn', issued_on, 'imported', imported)
           from invoice where environment_id = $1 and ${sameNumber('number', number, '$2')}) as named,
        (select coalesce(json_agg(json_build_object('kind', one.kind, 'amounts',
                  case when one.rectified_base is not null then json_build_object('base', one.rectified_base,
                    'tax', one.rectified_tax, 'surcharge', one.rectified_surcharge) end)
                  order by one.issued_at, one.id), '[]')
           from invoice one
          where one.environment_id = $1 and ${sameNumber('one.external_number', number, '$2')}
            and one.external_issued_on = $3::date and one.external_number is not null
            and one.issuer->>'nif' = $4
            and not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = one.id)
        ) as corrections`,
});

/** What is known of an invoice issued elsewhere, by issuer, number (in any case of letters) and day. */
export function loadExternalFacts(
  client: Queryable,
  environmentId: number,
  nif: string,
  { number, issuedOn }: { readonly number: string; readonly issuedOn: string },
): Promise<ExternalFacts> {
  return readOneRow(client, externalFacts, externalFactsOf(number), [environmentId, number, issuedOn, nif]);
}

const seriesRow = z.object({ id: z.string(), prefix: z.string(), yearly: z.boolean() });

/** The integration's own rectifying series; null when it has none. */
export function rectifyingSeriesOf(client: Queryable, environmentId: number, integrationId: string) {
  return readRow(
    client,
    seriesRow,
    `select series.id, series.prefix, series.yearly from integration
       join number_series series on series.environment_id = integration.environment_id
        and series.id = integration.rectifying_series_id
      where integration.environment_id = $1 and integration.id = $2`,
    [environmentId, integrationId],
  );
}

/** Notes that an invoice is voided, in the transaction of its record; the row in the column names of `invoice_void`. */
export function storeVoid(client: Queryable, row: EnvironmentRow): Promise<void> {
  return insertWithin(client, 'invoice_void', row);
}

/** Notes an amendment, in the transaction of its record; the row in the column names of `invoice_amendment`. */
export function storeAmendment(client: Queryable, row: EnvironmentRow): Promise<void> {
  return insertWithin(client, 'invoice_amendment', row);
}

/** Notes which documents an exchange invoice stands for, in the transaction that issues it. */
export async function storeExchange(
  client: Queryable,
  environmentId: number,
  exchangeId: string,
  documentIds: readonly string[],
): Promise<void> {
  await execute(
    client,
    'insert into invoice_exchange (environment_id, exchange_id, ticket_id) select $1, $2, unnest($3::text[])',
    [environmentId, exchangeId, documentIds],
  );
}
