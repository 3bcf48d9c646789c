import { startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { percentageOf } from '../../../ground/lib/money.ts';
import type { Scope } from '../../../subjects/accounts/entry/caller.ts';
import { downloadUrl, PDF_LINK_SECONDS, signDownload } from '../../../subjects/documents/links.ts';
import {
  type InvoiceView,
  type LineView,
  linesOf,
  type TaxItemView,
  viewOfIssued,
} from '../../../subjects/invoices/view.ts';
import type { Issued } from '../../../subjects/issuing/issue-invoice.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { READS_NOTHING } from '../null-at-own-path.ts';
import {
  DocumentPaperEnum,
  EnvironmentEnum,
  InvoiceKindEnum,
  InvoiceStatusEnum,
  InvoiceTypeEnum,
  RectificationReasonEnum,
  TaxIdTypeEnum,
  TaxTypeEnum,
} from './enums.ts';
import { Node } from './node-interface.ts';
import { RegistrationRecordType, VerifactuType, verifactuOf } from './registration.ts';

/** An invoice as it was read; with the link signed when it was issued, which a replayed answer repeats. */
export type ShownInvoice = InvoiceView & { readonly pdfToken?: string };

const TaxItem = builder.objectRef<TaxItemView>('TaxItem').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    type: t.expose('type', { type: TaxTypeEnum }),
    rate: t.float({
      description: 'The percentage: 21 means 21 %.',
      resolve: (item) => percentageOf(item.rate_basis_points),
    }),
    amount: t.expose('amount', { type: 'SafeInt' }),
  }),
});

export const LineItem = builder.objectRef<LineView>('LineItem').implement({
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    description: t.exposeString('description'),
    sku: t.exposeString('sku', { nullable: true }),
    quantity: t.exposeInt('quantity'),
    unitAmount: t.expose('unit_amount', { type: 'SafeInt' }),
    quantityDecimal: t.expose('quantity_decimal', {
      type: 'Decimal',
      nullable: true,
      description:
        'The quantity of a line with a decimal quantity or price, or a gross price, as it was sent; otherwise null.',
    }),
    unitAmountDecimal: t.expose('unit_amount_decimal', {
      type: 'Decimal',
      nullable: true,
      description:
        'The exact net price of one unit in cents, of a gross price the subtotal ÷ the quantity, rounded to six decimals; null without `quantityDecimal`.',
    }),
    unitAmountGross: t.expose('unit_amount_gross', {
      type: 'SafeInt',
      nullable: true,
      description: 'The unit price including taxes, rounded to a cent; null for a net price.',
    }),
    unitAmountGrossDecimal: t.expose('unit_amount_gross_decimal', {
      type: 'Decimal',
      nullable: true,
      description: 'The unit price including taxes in cents, if it was sent with decimals; otherwise null.',
    }),
    unit: t.exposeString('unit', {
      nullable: true,
      description: 'The unit of measure, a code of UN/ECE Recommendation 20; null if none was sent.',
    }),
    subtotal: t.expose('subtotal', { type: 'SafeInt' }),
    tax: t.expose('tax', { type: 'SafeInt' }),
    total: t.expose('total', { type: 'SafeInt' }),
    taxItems: t.field({
      type: [TaxItem],
      complexity: { multiplier: 2 },
      extensions: { rows: 'taxItems' },
      resolve: (line) => line.taxItems,
    }),
  }),
});

const Address = builder
  .objectRef<{ [Field in 'line1' | 'line2' | 'postalCode' | 'city' | 'country']: string | null }>('Address')
  .implement({
    fields: (t) => ({
      line1: t.exposeString('line1', { nullable: true }),
      line2: t.exposeString('line2', { nullable: true }),
      postalCode: t.exposeString('postalCode', { nullable: true }),
      city: t.exposeString('city', { nullable: true }),
      country: t.exposeString('country', { nullable: true }),
    }),
  });

/** The recipient's columns of an invoice. */
const RECIPIENT_COLUMNS = [
  'recipient_name',
  'recipient_company_name',
  'recipient_tax_id',
  'recipient_tax_id_type',
  'recipient_tax_id_country',
  'recipient_email',
  'recipient_line1',
  'recipient_line2',
  'recipient_postal_code',
  'recipient_city',
  'recipient_country',
] as const;

type RecipientColumns = Pick<InvoiceView['invoice'], (typeof RECIPIENT_COLUMNS)[number]>;

const Recipient = builder.objectRef<RecipientColumns>('Recipient').implement({
  fields: (t) => ({
    name: t.exposeString('recipient_name', { nullable: true }),
    companyName: t.exposeString('recipient_company_name', { nullable: true }),
    taxId: t.exposeString('recipient_tax_id', { nullable: true }),
    taxIdType: t.expose('recipient_tax_id_type', { type: TaxIdTypeEnum, nullable: true }),
    taxIdCountry: t.exposeString('recipient_tax_id_country', { nullable: true }),
    email: t.exposeString('recipient_email', { nullable: true }),
    address: t.field({
      type: Address,
      nullable: true,
      description: 'The address; null if none is recorded.',
      resolve: (row) => {
        const address = {
          line1: row.recipient_line1,
          line2: row.recipient_line2,
          postalCode: row.recipient_postal_code,
          city: row.recipient_city,
          country: row.recipient_country,
        };
        return Object.values(address).some((value) => value !== null) ? address : null;
      },
    }),
  }),
});

const ExternalReference = builder
  .objectRef<{ number: string; issuedOn: string }>('ExternalReference')
  .implement({
    fields: (t) => ({ number: t.exposeString('number'), issuedOn: t.expose('issuedOn', { type: 'Date' }) }),
  });

type Reference = {
  environmentId: number;
  invoiceId: string | null;
  external: { number: string; issuedOn: string } | null;
};

export const RectifiedReference = builder.objectRef<Reference>('RectifiedReference').implement({
  description: 'A corrected invoice: of this service, or issued by another system.',
  fields: (t) => ({
    invoiceId: t.exposeID('invoiceId', { nullable: true }),
    external: t.expose('external', { type: ExternalReference, nullable: true }),
  }),
});

export const Invoice = builder.objectRef<ShownInvoice>('Invoice');

Invoice.implement({
  interfaces: [Node],
  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list of fields
  fields: (t) => ({
    id: t.id({ resolve: ({ invoice }) => invoice.id }),
    status: t.field({
      type: InvoiceStatusEnum,
      resolve: ({ voided }) => (voided ? 'voided' : 'issued'),
    }),
    number: t.string({ resolve: ({ invoice }) => invoice.number }),
    currency: t.string({
      description: 'The currency, ISO 4217 in lower case.',
      resolve: ({ invoice }) => invoice.currency,
    }),
    subtotal: t.field({ type: 'SafeInt', resolve: ({ invoice }) => invoice.subtotal }),
    tax: t.field({ type: 'SafeInt', resolve: ({ invoice }) => invoice.tax }),
    total: t.field({ type: 'SafeInt', resolve: ({ invoice }) => invoice.total }),
    recipientName: t.string({
      nullable: true,
      description:
        'The fiscal name: the name of the company if recorded, otherwise the name; null if neither is recorded.',
      resolve: ({ invoice }) => invoice.recipient_company_name ?? invoice.recipient_name,
    }),
    recipientTaxId: t.string({ nullable: true, resolve: ({ invoice }) => invoice.recipient_tax_id }),
    email: t.string({ nullable: true, resolve: ({ invoice }) => invoice.recipient_email }),
    externalCustomerId: t.string({
      nullable: true,
      resolve: ({ invoice }) => invoice.external_customer_id,
    }),
    externalId: t.string({ nullable: true, resolve: ({ invoice }) => invoice.external_id }),
    integrationId: t.id({
      nullable: true,
      description:
        'The integration whose order it, or the invoice that it corrects or replaces, was issued for; null without an order.',
      resolve: ({ invoice }) => invoice.integration_id,
    }),
    orderId: t.string({ nullable: true, resolve: ({ invoice }) => invoice.order_id }),
    invoiceDate: t.field({
      type: 'DateTime',
      resolve: ({ invoice }) => new Date(invoice.issued_at),
    }),
    operationDate: t.field({
      type: 'DateTime',
      description:
        'Midnight in Madrid of the day of the operation; the instant of issue if it is the same day.',
      resolve: ({ invoice: { operation_on: day, issued_on, issued_at } }) =>
        day === null || day === issued_on ? new Date(issued_at) : startOfMadridDay(day),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was issued, or for an imported invoice, when it was imported.',
      resolve: ({ invoice }) => new Date(invoice.imported_at ?? invoice.issued_at),
    }),
    type: t.field({ type: InvoiceTypeEnum, resolve: ({ invoice }) => invoice.type }),
    kind: t.field({ type: InvoiceKindEnum, resolve: ({ invoice }) => invoice.kind }),
    numberSeriesId: t.id({
      description:
        'The series on which it was issued, or for an imported invoice, the series of imported invoices.',
      resolve: ({ invoice }) => invoice.series_id,
    }),
    notes: t.string({ nullable: true, resolve: ({ invoice }) => invoice.notes }),
    recipient: t.field({
      type: Recipient,
      nullable: true,
      resolve: ({ invoice }) =>
        RECIPIENT_COLUMNS.some((column) => invoice[column] !== null) ? invoice : null,
    }),
    pdfUrl: t.string({
      args: {
        paper: t.arg({
          type: DocumentPaperEnum,
          defaultValue: 'a4',
          description: 'The paper: `a4`, or `roll` for a receipt printer.',
        }),
      },
      description:
        'Signed link to the PDF, initially valid for 48 hours. It stays the same until its last hour.',
      extensions: READS_NOTHING,
      resolve: ({ invoice: { environment_id: environmentId, id }, pdfToken: token }, { paper }, context) =>
        downloadUrl(
          context.services.config.baseUrl,
          id,
          token ?? pdfToken(context, { environmentId, id }),
          paper ?? 'a4',
        ),
    }),
    verifactu: t.field({
      type: VerifactuType,
      nullable: true,
      description: 'The registration with the tax agency; null only for imported invoices.',
      resolve: (invoice, _args, context) => verifactuOf(invoice, context),
    }),
    lineItems: t.field({
      type: [LineItem],
      complexity: { multiplier: 10 },
      extensions: { rows: 'lines' },
      resolve: linesOf,
    }),
    rectificationReason: t.field({
      type: RectificationReasonEnum,
      nullable: true,
      resolve: ({ invoice }) => invoice.rectification_reason,
    }),
    rectifies: t.field({
      type: [RectifiedReference],
      complexity: { multiplier: 1 },
      resolve: ({ invoice }): Reference[] => {
        const { environment_id: environmentId, rectifies_id, external_number, external_issued_on } = invoice;
        // What the request named: an imported invoice is named as one issued elsewhere, although its row is known.
        if (external_number !== null && external_issued_on !== null) {
          const external = { number: external_number, issuedOn: external_issued_on };
          return [{ environmentId, invoiceId: null, external }];
        }
        return rectifies_id === null ? [] : [{ environmentId, invoiceId: rectifies_id, external: null }];
      },
    }),
    environment: t.field({ type: EnvironmentEnum, resolve: ({ owner }) => owner.environment }),
    companyId: t.field({ type: 'ID', resolve: ({ owner }) => owner.companyId }),
    records: t.field({
      type: [RegistrationRecordType],
      complexity: { multiplier: 2 },
      extensions: { rows: 'records' },
      resolve: ({ wholeRecords }) => {
        if (wholeRecords === null) throw new Error('an invoice was read without the requested records');
        return wholeRecords;
      },
    }),
  }),
});

/** A link changes when it has no more than this left. */
const RENEWED_BELOW_MS = 60 * 60 * 1_000;
const WINDOW_MS = PDF_LINK_SECONDS * 1_000;

/**
 * Until when a link that is given now is good. REST's is good for the contract's window from now on; over GraphQL it is the
 * same for as long as it is good for an hour more, so that caches and pages do not see it change.
 */
export function pdfLinkEnd(now: number, bounded: boolean): Date {
  const period = WINDOW_MS - RENEWED_BELOW_MS;
  return new Date(bounded ? Math.floor(now / period) * period + WINDOW_MS : now + WINDOW_MS);
}

/** A token for the document of an invoice. */
export function pdfToken(context: Context, invoice: { environmentId: number; id: string }): string {
  return signDownload({
    secret: context.services.linkSecrets.current,
    environmentId: invoice.environmentId,
    invoiceId: invoice.id,
    expiresAt: pdfLinkEnd(clock.now().getTime(), context.bounded),
  });
}

/** An invoice that was issued this moment, or its replay: everything that can be asked of it is known without reading. */
export function issuedInvoice(
  { stored, pdfToken }: Issued,
  { environment, companyId, clockAheadMs }: Pick<Scope, 'environment' | 'companyId' | 'clockAheadMs'>,
): ShownInvoice {
  return { ...viewOfIssued(stored, { environment, companyId, clockAheadMs }), pdfToken };
}
