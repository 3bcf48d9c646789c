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

/** The columns of the named invoice alone, as one JSON value. */
const NAMED_ONLY = `
  json_build_object(
    'nif', invoice.issuer->>'nif', 'integration_id', invoice.integration_id, 'external_customer_id', invoice.external_customer_id,
    'corrected', (select child.kind from invoice child
       where child.environment_id = $1 and child.rectifies_id = invoice.id
         and not exists (select 1 from invoice_void v where v.environment_id = $1 and v.invoice_id = child.id)
       limit 1),
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
 * From each named invoice up to its root: each rectificativa names the one before it. What amendments have changed
 * since counts as it is declared now.
 */
const FAMILIES = {
  name: 'families',
  text: `
  with recursive path as (
    select id as named, id, rectifies_id, 0 as step from invoice where environment_id = $1 and id = any($2)
    union all
    select path.named, before.id, before.rectifies_id, path.step + 1 from path
      join invoice before on before.environment_id = $1 and before.id = path.rectifies_id
  )
  select path.named, invoice.id, invoice.number, invoice.issued_on::text, invoice.type::text, invoice.kind::text,
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
