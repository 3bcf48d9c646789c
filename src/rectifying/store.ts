import type { Queryable } from '../db/queryable.ts';
import type { TaxDetail } from '../issuing/breakdown.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { ExternalOriginal, Family, Member } from './family.ts';

/** A named invoice with its family, its recipient as declared now, and where it came from. */
export type Corrected = {
  readonly family: Family;
  readonly recipient: Recipient;
  /** The day of its operation, which is that of its issue unless another was given. */
  readonly operationOn: string;
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
  voided: boolean;
  exchanged: boolean;
  external: ExternalOriginal | null;
  named_only: NamedColumns | null;
};

type NamedColumns = {
  nif: string;
  operation_on: string;
  corrected: Family['corrected'];
  registration: Family['registration'];
  integration_id: string | null;
  external_customer_id: string | null;
  recipient: Recipient;
};

/** What is said of the named invoice alone, as one JSON value. */
const NAMED_ONLY = `
  json_build_object(
    'nif', invoice.issuer->>'nif', 'operation_on', coalesce(invoice.operation_on, invoice.issued_on),
    'integration_id', invoice.integration_id, 'external_customer_id', invoice.external_customer_id,
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
         newest.record_id as amendment,
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
    operationOn: named.operation_on,
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
    breakdown: row.breakdown,
  };
}

/** Whether an invoice of the environment has this number, compared as the agency would, in capitals. */
export async function hasNumber(client: Queryable, environmentId: number, number: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from invoice where environment_id = $1 and upper(number) = upper($2) limit 1',
    [environmentId, number],
  );
  return rowCount === 1;
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
