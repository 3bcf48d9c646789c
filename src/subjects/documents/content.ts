import type { DocumentEdition, DocumentLanguage, LogoType } from '../../../generated/prisma/enums.ts';
import type { Db } from '../../ground/db/client.ts';
import { type Day, madridDay } from '../../ground/lib/calendar.ts';
import type { BasisPoints, Cents } from '../../ground/lib/money.ts';
import { type QrBases, qrUrl } from '../chain/qr-url.ts';
import type { InvoiceRow, IssuerSnapshot } from '../invoices/rows.ts';
import type { TaxDetail } from '../taxes/breakdown.ts';

/** Everything that an invoice's pages show, and nothing else. Plain data: it travels to the rendering thread. */
export type InvoiceContent = {
  readonly environment: 'test' | 'live';
  readonly type: InvoiceRow['type'];
  readonly kind: InvoiceRow['kind'];
  readonly number: string;
  readonly currency: string;
  /** An ISO instant; it dates the file. */
  readonly issuedAt: string;
  readonly issuedOn: Day;
  /** Null when the operation took place on the day of issue. */
  readonly operationOn: Day | null;
  readonly issuer: IssuerSnapshot;
  /** Null when nothing is recorded that a page shows. */
  readonly recipient: PrintedRecipient | null;
  readonly lines: readonly PrintedLine[];
  /** Of each group of the breakdown, what may have to be said in words. */
  readonly breakdown: readonly Pick<TaxDetail, 'type' | 'regimeKey' | 'legalMention'>[];
  readonly subtotal: Cents;
  readonly tax: Cents;
  readonly total: Cents;
  readonly notes: string | null;
  readonly rectification: PrintedRectification | null;
  /** The simplified invoices that a kind `exchange` was issued for. */
  readonly exchanged: readonly PrintedReference[];
  /** Issued by another system: what we can make is a copy, without QR code and record. */
  readonly imported: boolean;
  /** Null, like the record, for imported invoices. */
  readonly qrUrl: string | null;
  /** The sealed registration record, attached to the file. */
  readonly recordXml: string | null;
  /** Null while the invoice stands. The day on which it was voided marks every page. */
  readonly voidedOn: Day | null;
  readonly look: Look;
};

/** How a company wants its documents; `null` is our own look. */
export type Look = {
  /** Of `company_look`: noted with the document, so that it can be made again. */
  readonly id: number | null;
  readonly language: DocumentLanguage;
  /** `#RRGGBB`, as the company has it; what is printed in it is made readable. */
  readonly accentColour: string | null;
  readonly logo: Logo | null;
};

/** What a company has that never set anything. */
export const DEFAULT_LOOK: Look = { id: null, language: 'es', accentColour: null, logo: null };

/** A picture that was looked through when it was accepted. Width and height say its shape, not its size on paper. */
export type Logo = {
  readonly type: LogoType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
};

export type PrintedRecipient = {
  readonly name: string | null;
  readonly companyName: string | null;
  readonly taxId: string | null;
  readonly taxIdType: string | null;
  readonly taxIdCountry: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly country: string | null;
};

/** The first tax item is the line's tax; a second one is its equivalence surcharge. */
export type PrintedLine = {
  readonly description: string;
  readonly sku: string | null;
  readonly quantity: number;
  readonly unitAmount: Cents;
  readonly subtotal: Cents;
  readonly taxItems: readonly PrintedTaxItem[];
};

export type PrintedTaxItem = {
  readonly type: string;
  readonly name: string;
  readonly rate: BasisPoints;
  readonly amount: Cents;
};

export type PrintedReference = { readonly number: string; readonly issuedOn: Day };

type PrintedRectification = {
  /** What is corrected: the document that states the whole operation, then the corrections in force since. */
  readonly references: readonly PrintedReference[];
  readonly reason: InvoiceRow['rectification_reason'];
  /** The amounts that a substitution replaces; null on differences. */
  readonly base: Cents | null;
  readonly tax: Cents | null;
  readonly surcharge: Cents | null;
};

type Made = 'qrUrl' | 'rectification' | 'recipient' | 'issuedAt' | 'voidedOn' | 'look';

type LookRow = {
  readonly lookId: number | null;
  readonly language: DocumentLanguage;
  readonly accentColour: string | null;
  readonly logoType: LogoType | null;
  readonly logo: Buffer;
  readonly logoWidth: number;
  readonly logoHeight: number;
};

type Row = Omit<InvoiceContent, Made> &
  LookRow & {
    readonly issuedAt: Date;
    readonly voidedAt: Date | null;
    readonly recipient: PrintedRecipient;
    readonly references: readonly PrintedReference[];
    readonly reason: InvoiceRow['rectification_reason'];
    readonly rectifiedBase: Cents | null;
    readonly rectifiedTax: Cents | null;
    readonly rectifiedSurcharge: Cents | null;
  };

/**
 * A rectificativa names one invoice, the head of its chain; the law wants every invoice that is corrected (RD
 * 1619/2012 art. 15.4). So the chain is followed back over the corrections by differences to the document that states
 * the whole operation, leaving out what had been voided before. A chain is as long as the agency's list: 1,000.
 */
const CORRECTED = `
  with recursive corrected as (
    select o.id, o.number, o.issued_on, o.kind, o.rectifies_id, o.external_number, o.external_issued_on, 1 as depth
    from invoice i join invoice o on o.environment_id = i.environment_id and o.id = i.rectifies_id
    where i.environment_id = $1 and i.id = $2
    union all
    select o.id, o.number, o.issued_on, o.kind, o.rectifies_id, o.external_number, o.external_issued_on, c.depth + 1
    from corrected c join invoice o on o.environment_id = $1 and o.id = c.rectifies_id
    where c.kind = 'rectifying_differences' and c.depth < 1000
  ), reference as (
    select number, issued_on, depth from corrected c
    where not exists (
      select from invoice_void v join invoice i on i.environment_id = $1 and i.id = $2
      where v.environment_id = $1 and v.invoice_id = c.id and v.voided_at <= i.issued_at)
    union all
    select external_number, external_issued_on, depth + 1 from corrected
    where kind = 'rectifying_differences' and external_number is not null and rectifies_id is null
    union all
    select external_number, external_issued_on, 1 from invoice
    where environment_id = $1 and id = $2 and external_number is not null and rectifies_id is null
  )`;

const SQL = `${CORRECTED}
  select e.kind as environment, i.type, i.kind, i.number, i.currency, i.issued_at as "issuedAt",
    i.issued_on::text as "issuedOn", nullif(i.operation_on, i.issued_on)::text as "operationOn", i.issuer,
    json_build_object('name', i.recipient_name, 'companyName', i.recipient_company_name,
      'taxId', i.recipient_tax_id, 'taxIdType', i.recipient_tax_id_type, 'taxIdCountry', i.recipient_tax_id_country,
      'line1', i.recipient_line1, 'line2', i.recipient_line2, 'postalCode', i.recipient_postal_code,
      'city', i.recipient_city, 'country', i.recipient_country) as recipient,
    (select coalesce(json_agg(json_build_object('description', l.description, 'sku', l.sku, 'quantity', l.quantity,
        'unitAmount', l.unit_amount, 'subtotal', l.subtotal, 'taxItems', coalesce(t.items, '[]'))
        order by l.position), '[]')
      from invoice_line l left join (
        select line_position, json_agg(json_build_object('type', type, 'name', name,
          'rate', rate_basis_points, 'amount', amount) order by position) as items
        from tax_item where environment_id = $1 and invoice_id = $2 group by line_position
      ) t on t.line_position = l.position
      where l.environment_id = $1 and l.invoice_id = $2) as lines,
    i.breakdown, i.subtotal, i.tax, i.total, i.notes, i.imported,
    (select coalesce(json_agg(json_build_object('number', number, 'issuedOn', issued_on) order by depth desc), '[]')
      from reference) as references,
    i.rectification_reason as reason, i.rectified_base as "rectifiedBase", i.rectified_tax as "rectifiedTax",
    i.rectified_surcharge as "rectifiedSurcharge",
    (select coalesce(json_agg(json_build_object('number', t.number, 'issuedOn', t.issued_on)
        order by t.issued_at, t.id), '[]')
      from invoice_exchange x join invoice t on t.environment_id = x.environment_id and t.id = x.ticket_id
      where x.environment_id = $1 and x.exchange_id = $2) as exchanged,
    (select r.xml from registration_record r
      where r.environment_id = $1 and r.invoice_id = $2 and r.kind = 'registration'
      order by r.position limit 1) as "recordXml",
    v.voided_at as "voidedAt", look.id as "lookId", look.language, look.accent_colour as "accentColour",
    look.logo_type as "logoType", look.logo, look.logo_width as "logoWidth", look.logo_height as "logoHeight"
  from invoice i join environment e on e.id = i.environment_id
    left join invoice_void v on v.environment_id = i.environment_id and v.invoice_id = i.id
    left join invoice_document d on d.environment_id = i.environment_id and d.invoice_id = i.id
      and d.state = 'stored' and d.edition = (case when v.voided_at is null then 'issued' else 'voided' end)::document_edition
    left join company_look look on look.id = case when d.state = 'stored' then d.look_id
      else (select max(id) from company_look where company_id = e.company_id) end
  where i.environment_id = $1 and i.id = $2`;

/** Which of an invoice's documents the content makes. */
export function editionOf({ voidedOn }: Pick<InvoiceContent, 'voidedOn'>): DocumentEdition {
  return voidedOn === null ? 'issued' : 'voided';
}

/**
 * What the pages of an invoice show, read in one statement; null when the environment has no such invoice. `bases`:
 * where QR codes lead. The look is that of the stored document, which may be lost and wanted again; where there is none
 * yet, the company's of now.
 */
export async function loadInvoiceContent(
  db: Db,
  bases: QrBases,
  environmentId: number,
  invoiceId: string,
): Promise<InvoiceContent | null> {
  const { rows } = await db.pool.query<Row>({
    name: 'invoice-content',
    text: SQL,
    values: [environmentId, invoiceId],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const { references, reason, rectifiedBase, rectifiedTax, rectifiedSurcharge, voidedAt, ...others } = row;
  const { lookId, language, accentColour, logoType, logo, logoWidth, logoHeight, ...same } = others;
  const isRectifying = row.kind === 'rectifying_differences' || row.kind === 'rectifying_substitution';
  return {
    ...same,
    issuedAt: row.issuedAt.toISOString(),
    breakdown: row.breakdown.map(({ type, regimeKey, legalMention }) => ({ type, regimeKey, legalMention })),
    recipient: Object.values(row.recipient).some((value) => value !== null) ? row.recipient : null,
    rectification: isRectifying
      ? { references, reason, base: rectifiedBase, tax: rectifiedTax, surcharge: rectifiedSurcharge }
      : null,
    qrUrl: row.recordXml === null ? null : qrUrlOf(row, bases),
    voidedOn: voidedAt === null ? null : madridDay(voidedAt),
    look: lookOf({ lookId, language, accentColour, logoType, logo, logoWidth, logoHeight }),
  };
}

function lookOf({ lookId, language, accentColour, logoType, ...picture }: LookRow): Look {
  if (lookId === null) return DEFAULT_LOOK;
  const { logo: bytes, logoWidth: width, logoHeight: height } = picture;
  const logo = logoType === null ? null : { type: logoType, bytes, width, height };
  return { id: lookId, language, accentColour, logo };
}

function qrUrlOf({ environment, issuer, number, issuedOn, total }: Row, bases: QrBases): string {
  return qrUrl({ base: bases[environment], nif: issuer.nif, number, issuedOn, total });
}
