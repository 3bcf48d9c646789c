import type { Queryable } from '../db/queryable.ts';
import type { TaxDetail } from '../issuing/breakdown.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { Family, Member } from './family.ts';

/** The named invoice's recipient as declared now, and where it came from. */
export type Corrected = {
  readonly family: Family;
  readonly recipient: Recipient;
  readonly origin: { readonly integrationId: string; readonly externalCustomerId: string | null } | null;
};

type Row = {
  id: string;
  number: string;
  issued_on: string;
  type: Member['type'];
  kind: Member['kind'];
  total: number;
  breakdown: TaxDetail[];
  voided: boolean;
  exchanged: boolean;
};

type TargetRow = {
  nif: string;
  corrected: Family['corrected'];
  registration: Family['registration'];
  amendment: string | null;
  integration_id: string | null;
  external_customer_id: string | null;
  root_before: number | null;
  recipient: Recipient;
};

/** From the named invoice up to its root: each rectificativa names the one before it. */
const PATH = `
  with recursive path as (
    select invoice.*, 0 as step from invoice where environment_id = $1 and id = $2
    union all
    select before.*, path.step + 1 from path
      join invoice before on before.environment_id = path.environment_id and before.id = path.rectifies_id
  )
  select path.id, path.number, path.issued_on::text, path.type::text, path.kind::text, path.total,
         coalesce((select amendment.breakdown from invoice_amendment amendment
                    where amendment.invoice_id = path.id and amendment.environment_id = path.environment_id
                      and amendment.breakdown is not null
                    order by amended_at desc, record_id desc limit 1), path.breakdown) as breakdown,
         exists (select from invoice_void v where v.environment_id = path.environment_id and v.invoice_id = path.id) as voided,
         exists (select from invoice_exchange x where x.environment_id = path.environment_id and x.ticket_id = path.id
                    and not exists (select from invoice_void v
                                     where v.environment_id = x.environment_id and v.invoice_id = x.exchange_id)) as exchanged
    from path order by step desc`;

const TARGET = `
  select invoice.issuer->>'nif' as nif, invoice.integration_id, invoice.external_customer_id,
         (select child.kind::text from invoice child
           where child.environment_id = invoice.environment_id and child.rectifies_id = invoice.id
             and not exists (select from invoice_void v
                              where v.environment_id = child.environment_id and v.invoice_id = child.id)
           limit 1) as corrected,
         (select state.status::text from registration_record record
            join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
           where record.environment_id = invoice.environment_id and record.invoice_id = invoice.id
             and record.kind = 'registration'
           order by record.position desc limit 1) as registration,
         amendment.record_id as amendment,
         (select rectified_base + rectified_tax + coalesce(rectified_surcharge, 0) from invoice root
           where root.environment_id = invoice.environment_id and root.id = $3) as root_before,
         json_build_object(
           'name', coalesce(amendment.recipient_name, invoice.recipient_name),
           'companyName', case when amendment.recipient_name is null then invoice.recipient_company_name end,
           'taxId', coalesce(amendment.recipient_tax_id, invoice.recipient_tax_id),
           'taxIdType', coalesce(amendment.recipient_tax_id_type, invoice.recipient_tax_id_type),
           'taxIdCountry', coalesce(amendment.recipient_tax_id_country, invoice.recipient_tax_id_country),
           'email', invoice.recipient_email, 'line1', invoice.recipient_line1, 'line2', invoice.recipient_line2,
           'postalCode', invoice.recipient_postal_code, 'city', invoice.recipient_city,
           'country', invoice.recipient_country) as recipient
    from invoice
    left join lateral (
      select * from invoice_amendment a
       where a.environment_id = invoice.environment_id and a.invoice_id = invoice.id
       order by a.amended_at desc, a.record_id desc limit 1) amendment on true
   where invoice.environment_id = $1 and invoice.id = $2`;

/** The family around an invoice of the environment, with what a rectificativa would inherit; null when unknown. */
export async function loadCorrected(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<Corrected | null> {
  const { rows } = await client.query<Row>(PATH, [environmentId, invoiceId]);
  const root = rows[0];
  if (root === undefined) return null;
  const named = await client.query<TargetRow>(TARGET, [environmentId, invoiceId, root.id]);
  const target = named.rows[0]!;
  const family: Family = {
    nif: target.nif,
    path: rows.map(memberOf),
    corrected: target.corrected,
    registration: target.registration,
    amendment: target.amendment,
    externalBefore: target.root_before,
  };
  const { integration_id: integrationId, external_customer_id: externalCustomerId } = target;
  const origin = integrationId === null ? null : { integrationId, externalCustomerId };
  return { family, recipient: target.recipient, origin };
}

function memberOf(row: Row): Member {
  return {
    id: row.id,
    number: row.number,
    issuedOn: row.issued_on,
    type: row.type,
    kind: row.kind,
    voided: row.voided,
    total: row.total,
    exchanged: row.exchanged,
    declared: {
      base: row.breakdown.reduce((sum, detail) => sum + detail.declaredBase, 0),
      tax: row.breakdown.reduce((sum, detail) => sum + (detail.declaredTax ?? 0), 0),
      surcharge: row.breakdown.reduce((sum, detail) => sum + (detail.surcharge ?? 0), 0),
    },
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
