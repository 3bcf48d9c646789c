import { z } from 'zod';
import {
  EnvironmentKind,
  InvoiceKind,
  InvoiceType,
  RectificationReason,
} from '../../../../generated/prisma/enums.ts';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readRow } from '../../../ground/db/rows.ts';
import { TIME_ZONES } from '../../../ground/lib/calendar.ts';
import { extensionColumns, extensionsOf } from '../../extensions/columns.ts';
import { taxDetail } from '../../taxes/shapes.ts';
import { EXEMPTIONS } from '../../taxes/types.ts';
import type { Branding } from '../branding/branding.ts';
import { BRANDING_COLUMNS, brandingColumns, brandingOf } from './branding.ts';

/**
 * A rectificativa names one invoice, the head of its family; the law requires every corrected invoice to be stated
 * (RD 1619/2012 art. 15.4). So the family is followed back over the corrections by differences to the document that
 * states the whole operation, without those that had been voided before. Its length is limited like the agency's
 * list: 1,000.
 */
const CORRECTED = `
  with recursive corrected as (
    select o.id, o.number, o.issued_on, o.operation_on, o.kind, o.rectifies_id, o.rectifies_ids, o.external_number, o.external_issued_on, o.rectified_operation_on, 1 as depth
    from invoice i join invoice o on o.environment_id = i.environment_id and o.id = any (coalesce(i.rectifies_ids, array[i.rectifies_id]))
    where i.environment_id = $1 and i.id = $2
    union all
    select o.id, o.number, o.issued_on, o.operation_on, o.kind, o.rectifies_id, o.rectifies_ids, o.external_number, o.external_issued_on, o.rectified_operation_on, c.depth + 1
    from corrected c join invoice o on o.environment_id = $1 and o.id = any (coalesce(c.rectifies_ids, array[c.rectifies_id]))
    where c.kind = 'rectifying_differences' and c.depth < 1000
  ), reference as (
    select number, issued_on, operation_on, depth from corrected c
    where not exists (
      select 1 from invoice_void v join invoice i on i.environment_id = $1 and i.id = $2
      where v.environment_id = $1 and v.invoice_id = c.id and v.voided_at <= i.issued_at)
    union all
    select external_number, external_issued_on, rectified_operation_on, depth + 1 from corrected
    where kind = 'rectifying_differences' and external_number is not null and rectifies_id is null
    union all
    select external_number, external_issued_on, rectified_operation_on, 1 from invoice
    where environment_id = $1 and id = $2 and external_number is not null and rectifies_id is null
  )`;

const CONTENT = {
  name: 'invoice-content',
  text: `${CORRECTED}
  select e.kind as environment, e.time_zone as "timeZone", i.type, i.kind, i.number, i.currency, i.issued_at as "issuedAt",
    i.issued_on::text as "issuedOn", nullif(coalesce(i.operation_on, i.rectified_operation_on), i.issued_on)::text as "operationOn", i.issuer,
    json_build_object('name', i.recipient_name, 'companyName', i.recipient_company_name,
      'givenName', i.recipient_given_name, 'surnames', i.recipient_surnames,
      'taxId', i.recipient_tax_id, 'taxIdType', i.recipient_tax_id_type, 'taxIdCountry', i.recipient_tax_id_country,
      'line1', i.recipient_line1, 'line2', i.recipient_line2, 'postalCode', i.recipient_postal_code,
      'city', i.recipient_city, 'country', i.recipient_country) as recipient,
    (select coalesce(json_agg(json_build_object('description', l.description, 'sku', l.sku, 'quantity', l.quantity,
        'unitAmount', l.unit_amount, 'quantityDecimal', l.quantity_decimal, 'unitAmountDecimal', l.unit_amount_decimal,
        'unitAmountGross', l.unit_amount_gross, 'unit', l.unit, 'corrects',
        (select n.number from invoice n where n.environment_id = $1 and n.id = l.rectifies_invoice_id), 'subtotal', l.subtotal, 'total', l.total, 'taxItems', coalesce(t.items, '[]'))
        order by l.position), '[]')
      from invoice_line l left join (
        select line_position, json_agg(json_build_object('type', type, 'name', name,
          'rate', rate_basis_points, 'amount', amount, 'classified', classified, 'exemption', exemption)
          order by position) as items
        from tax_item where environment_id = $1 and invoice_id = $2 group by line_position
      ) t on t.line_position = l.position
      where l.environment_id = $1 and l.invoice_id = $2) as lines,
    i.breakdown, i.subtotal, i.tax, i.total, i.notes, i.imported,
    ${extensionsOf('i')} as extensions,
    (select coalesce(json_agg(json_build_object('number', number, 'issuedOn', issued_on,
        'operationOn', nullif(operation_on, issued_on)) order by depth desc, issued_on, number), '[]')
      from reference) as references,
    i.rectification_reason as reason, i.rectified_from::text as "rectifiedFrom", i.rectified_to::text as "rectifiedTo", i.rectified_base as "rectifiedBase", i.rectified_tax as "rectifiedTax",
    i.rectified_surcharge as "rectifiedSurcharge",
    (select coalesce(json_agg(json_build_object('number', t.number, 'issuedOn', t.issued_on)
        order by t.issued_at, t.id), '[]')
      from invoice_exchange x join invoice t on t.environment_id = x.environment_id and t.id = x.ticket_id
      where x.environment_id = $1 and x.exchange_id = $2) as exchanged,
    (select r.xml from registration_record r
      where r.environment_id = $1 and r.invoice_id = $2 and r.kind = 'registration'
      order by r.position limit 1) as "recordXml",
    v.voided_at as "voidedAt", ${BRANDING_COLUMNS}
  from invoice i join environment e on e.id = i.environment_id
    left join invoice_void v on v.environment_id = i.environment_id and v.invoice_id = i.id
    left join invoice_document d on d.environment_id = i.environment_id and d.invoice_id = i.id
      and d.state = 'stored' and d.edition = (case when v.voided_at is null then 'issued' else 'voided' end)::document_edition
    left join branding on branding.environment_id = $1 and branding.id = case when d.state = 'stored' then d.look_id
      else (select max(id) from branding where environment_id = $1) end
  where i.environment_id = $1 and i.id = $2`,
};

const text = z.string().nullable();
const amount = column.whole.nullable();
const reference = z.object({ number: z.string(), issuedOn: column.day });

const content = brandingColumns.extend({
  environment: z.enum(EnvironmentKind),
  timeZone: z.enum(TIME_ZONES),
  type: z.enum(InvoiceType),
  kind: z.enum(InvoiceKind),
  number: z.string(),
  currency: z.string(),
  issuedAt: column.instant,
  issuedOn: column.day,
  operationOn: column.day.nullable(),
  issuer: z.object({
    nif: z.string(),
    legalName: z.string(),
    givenName: z.string().optional(),
    surnames: z.string().optional(),
    line1: z.string(),
    line2: text,
    postalCode: z.string(),
    city: z.string(),
    country: z.string(),
  }),
  recipient: z.object({
    name: text,
    companyName: text,
    givenName: text,
    surnames: text,
    taxId: text,
    taxIdType: text,
    taxIdCountry: text,
    line1: text,
    line2: text,
    postalCode: text,
    city: text,
    country: text,
  }),
  lines: z.array(
    z.object({
      description: z.string(),
      sku: text,
      quantity: column.whole,
      unitAmount: column.whole,
      quantityDecimal: text,
      unitAmountDecimal: text,
      unitAmountGross: amount,
      unit: text,
      corrects: text,
      subtotal: column.whole,
      total: column.whole,
      taxItems: z.array(
        z.object({
          ...{ type: z.string(), name: z.string(), rate: column.whole, amount: column.whole },
          ...{ classified: text, exemption: z.enum(EXEMPTIONS).nullable() },
        }),
      ),
    }),
  ),
  breakdown: z.array(
    taxDetail.pick({
      ...{ type: true, agencyTax: true, regimeKey: true, operationClass: true, exemption: true },
      legalMention: true,
    }),
  ),
  subtotal: column.whole,
  tax: column.whole,
  total: column.whole,
  notes: text,
  imported: z.boolean(),
  extensions: extensionColumns,
  references: z.array(reference.extend({ operationOn: column.day.nullable() })),
  reason: z.enum(RectificationReason).nullable(),
  rectifiedFrom: column.day.nullable(),
  rectifiedTo: column.day.nullable(),
  rectifiedBase: amount,
  rectifiedTax: amount,
  rectifiedSurcharge: amount,
  exchanged: z.array(reference),
  recordXml: text,
  voidedAt: column.instant.nullable(),
});

type BrandingColumn = keyof z.infer<typeof brandingColumns>;
export type ContentRow = Omit<z.infer<typeof content>, BrandingColumn> & { readonly branding: Branding };

/** The content of an invoice's pages; null when the environment has no such invoice. */
export async function readContent(
  db: Queryable,
  environmentId: number,
  invoiceId: string,
): Promise<ContentRow | null> {
  const row = await readRow(db, content, CONTENT, [environmentId, invoiceId]);
  if (row === null) return null;
  const { lookId, language, accentColour, logoType, logo, logoWidth, logoHeight, ...rest } = row;
  const branding = brandingOf({ lookId, language, accentColour, logoType, logo, logoWidth, logoHeight });
  return { ...rest, branding };
}
