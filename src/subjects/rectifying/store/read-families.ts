import { z } from 'zod';
import {
  InvoiceKind,
  InvoiceType,
  RectificationReason,
  RegistrationStatus,
} from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRows } from '../../../ground/db/rows.ts';
import { AMENDMENT_COUNTS, DECISIVE_FIRST } from '../../chain/store/read-decisive.ts';
import { disbursements } from '../../extensions/disbursements.ts';
import type { Recipient } from '../../recipients/recipient.ts';
import { recipientShape } from '../../recipients/shapes.ts';
import { taxDetail } from '../../taxes/shapes.ts';
import type { Amounts, ExternalOriginal, Family, Member } from '../family.ts';

/** A named invoice with its family, its recipient as declared now and as printed, and where it came from. */
export type Corrected = {
  readonly family: Family;
  /** The families of the invoices that it corrects, or that what it corrects does, if they are several; `family` is then the first. */
  readonly several: readonly SeveralOf[] | null;
  readonly recipient: Recipient;
  readonly printed: Recipient;
  /** The day of the operation, if it corrects an invoice that was issued elsewhere. */
  readonly rectifiedOperationOn: string | null;
  readonly origin: {
    readonly integrationId: string;
    readonly externalCustomerId: string | null;
    /** Whether the original was issued from an order. */
    readonly isOrder: boolean;
  } | null;
};

/** The family of one of several corrected invoices: of the corrections that they have in common it has what changes it. */
export type SeveralOf = { readonly id: string; readonly family: Family };

const text = z.string().nullable();

export const amounts = z.object({
  base: column.whole,
  tax: column.whole,
  surcharge: column.whole.nullable(),
}) satisfies z.ZodType<Amounts>;

const external = z.object({
  number: z.string(),
  issuedOn: column.day,
  amounts: amounts.nullable(),
}) satisfies z.ZodType<ExternalOriginal>;

const namedOnly = z.object({
  nif: z.string(),
  corrected: z.enum(['rectifying_differences', 'rectifying_substitution']).nullable(),
  registration: z.enum(RegistrationStatus).nullable(),
  rectifiedOperationOn: column.day.nullable(),
  integration_id: text,
  external_customer_id: text,
  recipient: recipientShape,
  printed: recipientShape,
});

const memberRow = z.object({
  named: z.string(),
  branch: text,
  rectifies_ids: z.array(z.string()).nullable(),
  id: z.string(),
  number: z.string(),
  issued_on: column.day,
  type: z.enum(InvoiceType),
  qualified_simplified: z.boolean().nullable(),
  recipient_unidentified: z.boolean().nullable(),
  kind: z.enum(InvoiceKind),
  total: column.whole,
  withholding_rate: column.whole.nullable(),
  withholding_base: column.whole.nullable(),
  withholding_amount: column.whole.nullable(),
  disbursements: disbursements.columns.disbursements.nullable(),
  breakdown: z.array(taxDetail),
  amendment: text,
  reason: z.enum(RectificationReason).nullable(),
  operation_on: column.day,
  ordered: z.boolean(),
  voided: z.boolean(),
  exchanged: z.boolean(),
  external: external.nullable(),
  named_only: namedOnly.nullable(),
});

type MemberRow = Readonly<z.output<typeof memberRow>>;

type Identity = 'name' | 'companyName' | 'taxId' | 'taxIdType' | 'taxIdCountry';

/** A recipient with this identity, which an amendment may have changed, and the contact data of the invoice. */
function recipientOf(identity: Readonly<Record<Identity, string>>): string {
  const columns = Object.entries(identity).map(([name, column]) => `'${name}', ${column}`);
  return `json_build_object(${columns.join(', ')},
      'givenName', invoice.recipient_given_name, 'surnames', invoice.recipient_surnames,
      'email', invoice.recipient_email, 'line1', invoice.recipient_line1, 'line2', invoice.recipient_line2,
      'postalCode', invoice.recipient_postal_code, 'city', invoice.recipient_city,
      'country', invoice.recipient_country)`;
}

const CORRECTED_BY = (condition: string) => `(select child.kind from invoice child
       where child.environment_id = $1 and ${condition}
         and not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = child.id)
       limit 1)`;

/** The columns of the named invoice alone, as one JSON value. */
const NAMED_ONLY = `
  json_build_object(
    'nif', invoice.issuer->>'nif', 'integration_id', invoice.integration_id, 'external_customer_id', invoice.external_customer_id,
    'corrected', coalesce(${CORRECTED_BY('child.rectifies_id = invoice.id')},
       ${CORRECTED_BY('child.rectifies_ids @> array[invoice.id]')}),
    'registration', (select state.status from registration_record record
        join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
       where record.environment_id = $1 and record.invoice_id = invoice.id and record.kind = 'registration'
       order by ${DECISIVE_FIRST} limit 1),
    'rectifiedOperationOn', invoice.rectified_operation_on,
    'recipient', ${recipientOf({
      name: 'coalesce(declared.recipient_name, invoice.recipient_name)',
      companyName: 'case when declared.recipient_name is null then invoice.recipient_company_name end',
      taxId: 'coalesce(declared.recipient_tax_id, invoice.recipient_tax_id)',
      taxIdType: 'coalesce(declared.recipient_tax_id_type, invoice.recipient_tax_id_type)',
      taxIdCountry: 'coalesce(declared.recipient_tax_id_country, invoice.recipient_tax_id_country)',
    })},
    'printed', ${recipientOf({
      name: 'invoice.recipient_name',
      companyName: 'invoice.recipient_company_name',
      taxId: 'invoice.recipient_tax_id',
      taxIdType: 'invoice.recipient_tax_id_type',
      taxIdCountry: 'invoice.recipient_tax_id_country',
    })})`;

/**
 * From each named invoice up to its root: each rectificativa names the one before it, or several, of which each begins a branch. What amendments have changed
 * since counts as it is declared now.
 */
const FAMILIES = {
  name: 'families',
  text: `
  with recursive path as (
    select id as named, id, rectifies_id, rectifies_ids, 0 as step, null::text as branch
      from invoice where environment_id = $1 and id = any($2)
    union all
    select path.named, before.id, before.rectifies_id, before.rectifies_ids, path.step + 1,
           case when path.rectifies_ids is null then path.branch else before.id end
      from path
      join invoice before on before.environment_id = $1
       and before.id = any (coalesce(path.rectifies_ids, array[path.rectifies_id]))
  )
  select path.named, path.branch, path.rectifies_ids, invoice.id, invoice.number, invoice.issued_on::text, invoice.type::text, invoice.kind::text,
         invoice.qualified_simplified, invoice.recipient_unidentified,
         invoice.total, invoice.withholding_rate, invoice.withholding_base, invoice.withholding_amount, invoice.disbursements,
         coalesce(reclassified.breakdown, invoice.breakdown) as breakdown,
         newest.record_id as amendment, invoice.rectification_reason::text as reason,
         coalesce(invoice.operation_on, invoice.rectified_operation_on, invoice.issued_on)::text as operation_on,
         case when invoice.external_number is not null then json_build_object(
           'number', invoice.external_number, 'issuedOn', invoice.external_issued_on,
           'amounts', case when invoice.rectified_base is not null then json_build_object(
             'base', invoice.rectified_base, 'tax', invoice.rectified_tax,
             'surcharge', invoice.rectified_surcharge) end) end as external,
         invoice.order_id is not null as ordered,
         exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = invoice.id) as voided,
         exists (select 1 from invoice_exchange x where x.environment_id = $1 and x.ticket_id = invoice.id
                    and not exists (select 1 from invoice_void v
                                     where v.environment_id = $1 and v.invoice_id = x.exchange_id)) as exchanged,
         case when path.step = 0 then ${NAMED_ONLY} end as named_only
    from path
    join invoice on invoice.environment_id = $1 and invoice.id = path.id
    left join lateral (
      select a.record_id from invoice_amendment a
       where a.environment_id = $1 and a.invoice_id = invoice.id and ${AMENDMENT_COUNTS('a')}
       order by a.amended_at desc, a.record_id desc limit 1) newest on true
    left join lateral (
      select a.breakdown from invoice_amendment a
       where a.environment_id = $1 and a.invoice_id = invoice.id and a.breakdown is not null and ${AMENDMENT_COUNTS('a')}
       order by a.amended_at desc, a.record_id desc limit 1) reclassified on true
    left join lateral (
      select a.* from invoice_amendment a
       where path.step = 0 and a.environment_id = $1 and a.invoice_id = invoice.id and a.recipient_name is not null
         and ${AMENDMENT_COUNTS('a')}
       order by a.amended_at desc, a.record_id desc limit 1) declared on true
   order by path.named, path.step desc`,
};

/** The families around invoices of the environment, by the ids of those that exist. */
export async function loadFamilies(
  client: Queryable,
  environmentId: number,
  invoiceIds: readonly string[],
): Promise<Map<string, Corrected>> {
  const rows = await readRows(client, memberRow, FAMILIES, [environmentId, invoiceIds]);
  const shares = await loadShares(client, environmentId, rows);
  const families = Map.groupBy(rows, ({ named }) => named);
  return new Map([...families].map(([id, path]) => [id, correctedOf(path, shares)]));
}

const shareRow = z.object({ invoice: z.string(), original: z.string(), total: column.whole });

const SHARES = {
  name: 'shares-of-corrections',
  text: `select invoice_id as invoice, rectifies_invoice_id as original, sum(total)::bigint as total from invoice_line
          where environment_id = $1 and invoice_id = any ($2) and rectifies_invoice_id is not null
          group by 1, 2`,
};

/** By how much corrections that several invoices have in common change each of these, by both ids; nothing is read if there are none. */
async function loadShares(
  client: Queryable,
  environmentId: number,
  rows: readonly MemberRow[],
): Promise<ReadonlyMap<string, number>> {
  if (rows.every(({ rectifies_ids: several }) => several === null)) return new Map();
  const common = rows.flatMap(({ id, branch }) => (branch === null ? [id] : []));
  const shares = await readRows(client, shareRow, SHARES, [environmentId, common]);
  return new Map(shares.map(({ invoice, original, total }) => [`${invoice} ${original}`, total]));
}

/** The family around an invoice of the environment, with what a rectificativa would inherit; null when unknown. */
export async function loadCorrected(
  client: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<Corrected | null> {
  return (await loadFamilies(client, environmentId, [invoiceId])).get(invoiceId) ?? null;
}

function correctedOf(rows: readonly MemberRow[], shares: ReadonlyMap<string, number>): Corrected {
  const named = rows.at(-1)!.named_only!;
  const { integration_id: integrationId, external_customer_id: externalCustomerId } = named;
  const { nif, corrected, registration } = named;
  const ids = rows.find(({ rectifies_ids: several }) => several !== null)?.rectifies_ids ?? null;
  const familyOf = (path: readonly MemberRow[], members: readonly Member[]): Family => ({
    ...{ nif, path: members, corrected, registration, external: path[0]!.external },
  });
  const several = ids?.map((id): SeveralOf => {
    const path = rows.filter(({ branch }) => branch === null || branch === id);
    const share = (row: MemberRow) => ({ ...memberOf(row), total: shares.get(`${row.id} ${id}`) ?? 0 });
    const members = path.map((row) => (row.branch === null ? share(row) : memberOf(row)));
    return { id, family: familyOf(path, members) };
  });
  return {
    family: several?.[0]?.family ?? familyOf(rows, rows.map(memberOf)),
    several: several ?? null,
    recipient: named.recipient,
    printed: named.printed,
    rectifiedOperationOn: named.rectifiedOperationOn,
    origin:
      integrationId === null
        ? null
        : { integrationId, externalCustomerId, isOrder: rows.some(({ ordered }) => ordered) },
  };
}

function memberOf(row: MemberRow): Member {
  const { withholding_rate: rate, withholding_base: base, withholding_amount: amount } = row;
  return {
    id: row.id,
    number: row.number,
    issuedOn: row.issued_on,
    type: row.type,
    qualifiedSimplified: row.qualified_simplified === true,
    recipientUnidentified: row.recipient_unidentified === true,
    kind: row.kind,
    voided: row.voided,
    total: row.total,
    withholding: rate === null || base === null || amount === null ? null : { rate, base, amount },
    disbursements: row.disbursements ?? [],
    exchanged: row.exchanged,
    amendment: row.amendment,
    reason: row.reason,
    operationOn: row.operation_on,
    breakdown: row.breakdown,
  };
}
