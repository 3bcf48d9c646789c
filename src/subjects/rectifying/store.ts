import type { Queryable } from '../../ground/db/queryable.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { isInvoiceId } from '../invoices/list.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';
import type { PricedLine } from '../taxes/pricing.ts';
import type { Amounts, ExternalOriginal, Family, Member } from './family.ts';
import type { RecordFacts } from './standing.ts';

/** A named invoice with its family, its recipient as declared now, and where it came from. */
export type Corrected = {
  readonly family: Family;
  readonly recipient: Recipient;
  readonly origin: { readonly integrationId: string; readonly externalCustomerId: string | null } | null;
};

type MemberRow = {
  named: string;
  id: string;
  number: string;
  issued_on: string;
  type: Member['type'];
  kind: Member['kind'];
  total: number;
  breakdown: TaxDetail[];
  amendment: string | null;
  reason: Member['reason'];
  operation_on: string;
  voided: boolean;
  exchanged: boolean;
  external: ExternalOriginal | null;
  named_only: NamedColumns | null;
};

type NamedColumns = {
  nif: string;
  corrected: Family['corrected'];
  registration: Family['registration'];
  integration_id: string | null;
  external_customer_id: string | null;
  recipient: Recipient;
};

/** What is said of the named invoice alone, as one JSON value. */
const NAMED_ONLY = `
  json_build_object(
    'nif', invoice.issuer->>'nif', 'integration_id', invoice.integration_id, 'external_customer_id', invoice.external_customer_id,
    'corrected', (select child.kind from invoice child
       where child.environment_id = $1 and child.rectifies_id = invoice.id
         and not exists (select from invoice_void v where v.environment_id = $1 and v.invoice_id = child.id)
       limit 1),
    'registration', (select state.status from registration_record record
        join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
       where record.environment_id = $1 and record.invoice_id = invoice.id and record.kind = 'registration'
       order by record.chain_id desc, record.position desc limit 1),
    'recipient', json_build_object(
      'name', coalesce(declared.recipient_name, invoice.recipient_name),
      'companyName', case when declared.recipient_name is null then invoice.recipient_company_name end,
      'taxId', coalesce(declared.recipient_tax_id, invoice.recipient_tax_id),
      'taxIdType', coalesce(declared.recipient_tax_id_type, invoice.recipient_tax_id_type),
      'taxIdCountry', coalesce(declared.recipient_tax_id_country, invoice.recipient_tax_id_country),
      'email', invoice.recipient_email, 'line1', invoice.recipient_line1, 'line2', invoice.recipient_line2,
      'postalCode', invoice.recipient_postal_code, 'city', invoice.recipient_city,
      'country', invoice.recipient_country))`;

/**
 * From each named invoice up to its root: each rectificativa names the one before it. What amendments have changed
 * since counts as it is declared now.
 */
const FAMILIES = `
  with recursive path as (
    select id as named, id, rectifies_id, 0 as step from invoice where environment_id = $1 and id = any($2)
    union all
    select path.named, before.id, before.rectifies_id, path.step + 1 from path
      join invoice before on before.environment_id = $1 and before.id = path.rectifies_id
  )
  select path.named, invoice.id, invoice.number, invoice.issued_on::text, invoice.type::text, invoice.kind::text,
         invoice.total, coalesce(reclassified.breakdown, invoice.breakdown) as breakdown,
         newest.record_id as amendment, invoice.rectification_reason::text as reason,
         coalesce(invoice.operation_on, invoice.issued_on)::text as operation_on,
         case when invoice.external_number is not null then json_build_object(
           'number', invoice.external_number, 'issuedOn', invoice.external_issued_on,
           'amounts', case when invoice.rectified_base is not null then json_build_object(
             'base', invoice.rectified_base, 'tax', invoice.rectified_tax,
             'surcharge', invoice.rectified_surcharge) end) end as external,
         exists (select from invoice_void v where v.environment_id = $1 and v.invoice_id = invoice.id) as voided,
         exists (select from invoice_exchange x where x.environment_id = $1 and x.ticket_id = invoice.id
                    and not exists (select from invoice_void v
                                     where v.environment_id = $1 and v.invoice_id = x.exchange_id)) as exchanged,
         case when path.step = 0 then ${NAMED_ONLY} end as named_only
    from path
    join invoice on invoice.environment_id = $1 and invoice.id = path.id
    left join lateral (
      select a.record_id from invoice_amendment a
       where a.environment_id = $1 and a.invoice_id = invoice.id
       order by a.amended_at desc, a.record_id desc limit 1) newest on true
    left join lateral (
      select a.breakdown from invoice_amendment a
       where a.environment_id = $1 and a.invoice_id = invoice.id and a.breakdown is not null
       order by a.amended_at desc, a.record_id desc limit 1) reclassified on true
    left join lateral (
      select a.* from invoice_amendment a
       where path.step = 0 and a.environment_id = $1 and a.invoice_id = invoice.id and a.recipient_name is not null
       order by a.amended_at desc, a.record_id desc limit 1) declared on true
   order by path.named, path.step desc`;

/** The families around invoices of the environment, by the ids of those that exist. */
export async function loadFamilies(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<Map<string, Corrected>> {
  const { rows } = await client.query<MemberRow>({
    name: 'families',
    text: FAMILIES,
    values: [environmentId, invoiceIds],
  });
  return new Map([...Map.groupBy(rows, ({ named }) => named)].map(([id, path]) => [id, correctedOf(path)]));
}

/** The family around an invoice of the environment, with what a rectificativa would inherit; null when unknown. */
export async function loadCorrected(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<Corrected | null> {
  return (await loadFamilies(client, environmentId, [invoiceId])).get(invoiceId) ?? null;
}

function correctedOf(rows: readonly MemberRow[]): Corrected {
  const root = rows[0]!;
  const named = rows.at(-1)!.named_only!;
  const { integration_id: integrationId, external_customer_id: externalCustomerId } = named;
  return {
    family: {
      nif: named.nif,
      path: rows.map(memberOf),
      corrected: named.corrected,
      registration: named.registration,
      external: root.external,
    },
    recipient: named.recipient,
    origin: integrationId === null ? null : { integrationId, externalCustomerId },
  };
}

function memberOf(row: MemberRow): Member {
  return {
    id: row.id,
    number: row.number,
    issuedOn: row.issued_on,
    type: row.type,
    kind: row.kind,
    voided: row.voided,
    total: row.total,
    exchanged: row.exchanged,
    amendment: row.amendment,
    reason: row.reason,
    operationOn: row.operation_on,
    breakdown: row.breakdown,
  };
}

/** The environment of an invoice; `invoice_not_found` when there is no such invoice, or none `within` the one given. */
export async function environmentOfInvoice(
  client: Queryable,
  invoiceId: string,
  within: number | null,
): Promise<Outcome<number>> {
  const { rows } = isInvoiceId(invoiceId)
    ? await client.query<{ environment_id: number }>(
        'select environment_id from invoice where id = $1 and ($2::int is null or environment_id = $2)',
        [invoiceId, within],
      )
    : { rows: [] };
  return rows[0]?.environment_id ?? new Refusal('invoice_not_found', 'No invoice of this id exists.');
}

export type InvoiceRecord = RecordFacts & { readonly id: string };

/** The records of an invoice, in the order of their generation. */
export async function loadRecords(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceRecord[]> {
  const { rows } = await client.query<InvoiceRecord>({
    name: 'records-of-invoice',
    text: `select record.id, record.kind::text, state.status::text, state.error_code as "errorCode"
             from registration_record record
             join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
            where record.environment_id = $1 and record.invoice_id = $2
            order by record.chain_id, record.position`,
    values: [environmentId, invoiceId],
  });
  return rows;
}

/** A stored line with its taxes, as it was priced. */
export type StoredLine = PricedLine & { readonly invoiceId: string };

/** The lines of invoices of the environment, in the order of the given ids and of their places. */
export async function loadLines(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<StoredLine[]> {
  const { rows } = await client.query<StoredLine>({
    name: 'lines-of-invoices',
    text: `select line.invoice_id as "invoiceId", line.description, line.sku, line.quantity,
                  line.unit_amount as "unitAmount", line.subtotal, line.tax, line.total,
                  (select json_agg(json_build_object('type', item.type, 'name', item.name,
                            'rate', item.rate_basis_points, 'amount', item.amount) order by item.position)
                     from tax_item item
                    where item.environment_id = line.environment_id and item.invoice_id = line.invoice_id
                      and item.line_position = line.position) as "taxItems"
             from unnest($2::text[]) with ordinality as wanted (id, place)
             join invoice_line line on line.environment_id = $1 and line.invoice_id = wanted.id
            order by wanted.place, line.position`,
    values: [environmentId, invoiceIds],
  });
  return rows;
}

/** The newest registration record of an invoice: what is declared of it now, or would be had it not been refused. */
export async function loadNewestDeclaration(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<{ readonly recordId: string; readonly xml: string } | null> {
  const { rows } = await client.query<{ recordId: string; xml: string }>(
    `select id as "recordId", xml from registration_record
      where environment_id = $1 and invoice_id = $2 and kind = 'registration'
      order by chain_id desc, position desc limit 1`,
    [environmentId, invoiceId],
  );
  return rows[0] ?? null;
}

/** What is known here of an invoice that is named by its number and day. */
export type ExternalFacts = {
  /** The invoice of the environment that has this number, compared as the agency would, in capitals. */
  readonly named: {
    readonly id: string;
    readonly number: string;
    readonly issuedOn: string;
    readonly imported: boolean;
  } | null;
  /** The rectificativas in force that name it so, in the order of issue, with the amounts that they state of it. */
  readonly corrections: readonly { readonly kind: Member['kind']; readonly amounts: Amounts | null }[];
};

/** What is known of an invoice issued elsewhere, by issuer, number (in any case of letters) and day. */
export async function loadExternalFacts(
  client: Queryable,
  environmentId: number,
  nif: string,
  { number, issuedOn }: { readonly number: string; readonly issuedOn: string },
): Promise<ExternalFacts> {
  const { rows } = await client.query<ExternalFacts>({
    name: 'external-facts',
    text: `select
        (select json_build_object('id', id, 'number', number, 'issuedOn', issued_on, 'imported', imported)
           from invoice where environment_id = $1 and upper(number) = upper($2)) as named,
        (select coalesce(json_agg(json_build_object('kind', one.kind, 'amounts',
                  case when one.rectified_base is not null then json_build_object('base', one.rectified_base,
                    'tax', one.rectified_tax, 'surcharge', one.rectified_surcharge) end)
                  order by one.issued_at, one.id), '[]')
           from invoice one
          where one.environment_id = $1 and upper(one.external_number) = upper($2)
            and one.external_issued_on = $3::date and one.external_number is not null
            and one.issuer->>'nif' = $4
            and not exists (select from invoice_void v where v.environment_id = $1 and v.invoice_id = one.id)
        ) as corrections`,
    values: [environmentId, number, issuedOn, nif],
  });
  return rows[0]!;
}

/** The integration's own rectifying series, if it has one. */
export async function rectifyingSeriesOf(client: Queryable, environmentId: number, integrationId: string) {
  const { rows } = await client.query<{ id: string; prefix: string; yearly: boolean }>(
    `select series.id, series.prefix, series.yearly from integration
       join number_series series on series.environment_id = integration.environment_id
        and series.id = integration.rectifying_series_id
      where integration.environment_id = $1 and integration.id = $2`,
    [environmentId, integrationId],
  );
  return rows[0] ?? null;
}

/** Notes that an invoice is voided; the row in the column names of `invoice_void`. */
export async function storeVoid(client: Queryable, row: object): Promise<void> {
  await client.query('insert into invoice_void select * from json_populate_record(null::invoice_void, $1)', [
    JSON.stringify(row),
  ]);
}
