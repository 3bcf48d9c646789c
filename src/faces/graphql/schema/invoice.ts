import { dayOfDate, startOfMadridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { percentageOf } from '../../../ground/lib/money.ts';
import { downloadUrl, PDF_LINK_SECONDS, signDownload } from '../../../subjects/documents/links.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import {
  EnvironmentEnum,
  InvoiceKindEnum,
  InvoiceStatusEnum,
  InvoiceTypeEnum,
  RectificationReasonEnum,
  TaxIdTypeEnum,
  TaxTypeEnum,
} from './enums.ts';
import { environmentColumns, environmentOf, RECORDS, VerifactuType, verifactuOf } from './registration.ts';

/** A link signed when the invoice was issued, which a replayed answer must repeat instead of a fresh one. */
export type WithPdfToken = { pdfToken?: string };

// Rows are read whole and their relations when asked for: columns of a row cost next to nothing beside planning, for
// each of them, whether it was read.
builder.prismaObject('TaxItem', {
  fields: (t) => ({
    name: t.exposeString('name'),
    type: t.field({ type: TaxTypeEnum, resolve: (item) => item.type as TaxTypeName }),
    rate: t.float({
      description: 'Percentage: 21 means 21 %.',

      resolve: (item) => percentageOf(item.rateBasisPoints),
    }),
    amount: t.field({ type: 'SafeInt', resolve: (item) => Number(item.amount) }),
  }),
});
type TaxTypeName = (typeof TaxTypeEnum)['$inferType'];

builder.prismaObject('InvoiceLine', {
  name: 'LineItem',
  fields: (t) => ({
    id: t.exposeID('id'),
    description: t.exposeString('description'),
    sku: t.exposeString('sku', { nullable: true }),
    quantity: t.exposeInt('quantity'),
    unitAmount: t.field({
      type: 'SafeInt',

      resolve: (l) => Number(l.unitAmount),
    }),
    subtotal: t.field({ type: 'SafeInt', resolve: (l) => Number(l.subtotal) }),
    tax: t.field({ type: 'SafeInt', resolve: (l) => Number(l.tax) }),
    total: t.field({ type: 'SafeInt', resolve: (l) => Number(l.total) }),
    taxItems: t.relation('taxItems', {
      query: { orderBy: { position: 'asc' } },
      complexity: { multiplier: 2 },
      extensions: { rows: 'taxItems' },
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
      country: t.exposeString('country', { nullable: true, description: 'ISO 3166-1 alpha-2.' }),
    }),
  });

/** The recipient's columns of an invoice row. */
const RECIPIENT_COLUMNS = {
  recipientName: true,
  recipientCompanyName: true,
  recipientTaxId: true,
  recipientTaxIdType: true,
  recipientTaxIdCountry: true,
  recipientEmail: true,
  recipientLine1: true,
  recipientLine2: true,
  recipientPostalCode: true,
  recipientCity: true,
  recipientCountry: true,
} as const;

type RecipientColumns = { [Column in keyof typeof RECIPIENT_COLUMNS]: string | null };

const Recipient = builder.objectRef<RecipientColumns>('Recipient').implement({
  fields: (t) => ({
    name: t.exposeString('recipientName', { nullable: true }),
    companyName: t.exposeString('recipientCompanyName', { nullable: true }),
    taxId: t.exposeString('recipientTaxId', { nullable: true }),
    taxIdType: t.field({
      type: TaxIdTypeEnum,
      nullable: true,
      resolve: (row) => row.recipientTaxIdType as (typeof TaxIdTypeEnum)['$inferType'] | null,
    }),
    taxIdCountry: t.exposeString('recipientTaxIdCountry', { nullable: true }),
    email: t.exposeString('recipientEmail', { nullable: true }),
    address: t.field({
      type: Address,
      nullable: true,
      description: 'Null when no field of an address is recorded.',
      resolve: (row) => {
        const address = {
          line1: row.recipientLine1,
          line2: row.recipientLine2,
          postalCode: row.recipientPostalCode,
          city: row.recipientCity,
          country: row.recipientCountry,
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

type Reference = { invoiceId: string | null; external: { number: string; issuedOn: string } | null };

const RectifiedReference = builder.objectRef<Reference>('RectifiedReference').implement({
  description: 'An invoice that this one corrects: of this service, or issued elsewhere.',
  fields: (t) => ({
    invoiceId: t.exposeID('invoiceId', { nullable: true }),
    external: t.expose('external', { type: ExternalReference, nullable: true }),
  }),
});

const InvoiceReference = builder.objectRef<{ invoiceId: string }>('InvoiceReference').implement({
  fields: (t) => ({ invoiceId: t.exposeID('invoiceId') }),
});

export const Invoice = builder.prismaObject('Invoice', {
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.field({
      type: InvoiceStatusEnum,
      select: { void: { select: { invoiceId: true } } },
      resolve: (invoice) => (invoice.void === null ? 'issued' : 'voided'),
    }),
    number: t.exposeString('number'),
    currency: t.exposeString('currency', { description: 'ISO 4217 in lower case.' }),
    subtotal: t.field({ type: 'SafeInt', resolve: (i) => Number(i.subtotal) }),
    tax: t.field({ type: 'SafeInt', resolve: (i) => Number(i.tax) }),
    total: t.field({ type: 'SafeInt', resolve: (i) => Number(i.total) }),
    recipientName: t.string({
      nullable: true,
      description: 'Fiscal name: that of the company when recorded, else the name.',
      resolve: (invoice) => invoice.recipientCompanyName ?? invoice.recipientName,
    }),
    recipientTaxId: t.exposeString('recipientTaxId', { nullable: true }),
    email: t.exposeString('recipientEmail', { nullable: true }),
    externalCustomerId: t.exposeString('externalCustomerId', { nullable: true }),
    externalId: t.exposeString('externalId', { nullable: true }),
    integrationId: t.exposeID('integrationId', {
      nullable: true,
      description: 'Whose order it, or the invoice that it corrects, came from.',
    }),
    orderId: t.exposeString('orderId', { nullable: true }),
    invoiceDate: t.expose('issuedAt', { type: 'Timestamp' }),
    operationDate: t.field({
      type: 'Timestamp',
      description:
        'Midnight in Madrid of the day of the operation; the instant of issue when they are the same day.',
      resolve: ({ operationOn, issuedOn, issuedAt }) =>
        operationOn === null || operationOn.getTime() === issuedOn.getTime()
          ? issuedAt
          : startOfMadridDay(dayOfDate(operationOn)),
    }),
    createdAt: t.field({
      type: 'Timestamp',
      description: 'When it was issued; of an imported invoice, when it was imported.',
      resolve: ({ importedAt, issuedAt }) => importedAt ?? issuedAt,
    }),
    type: t.expose('type', { type: InvoiceTypeEnum }),
    kind: t.expose('kind', { type: InvoiceKindEnum }),
    numberSeriesId: t.exposeID('seriesId', {
      description: 'The series that it was issued on; of an imported invoice, that of the imported ones.',
    }),
    notes: t.exposeString('notes', { nullable: true }),
    recipient: t.field({
      type: Recipient,
      nullable: true,
      resolve: (invoice) => {
        for (const column in RECIPIENT_COLUMNS) {
          if (invoice[column as keyof RecipientColumns] !== null) return invoice;
        }
        return null;
      },
    }),
    pdfUrl: t.string({
      description: 'Signed link to the PDF, valid for 48 hours; each reading gives a fresh one.',
      resolve: (invoice, _args, context) => {
        const token = (invoice as WithPdfToken).pdfToken ?? pdfToken(context, invoice);
        return downloadUrl(context.services.config.baseUrl, invoice.id, token);
      },
    }),
    verifactu: t.field({
      type: VerifactuType,
      nullable: true,
      description: 'Null only for invoices imported from before.',
      select: (_args, context) => ({
        records: RECORDS,
        ...environmentColumns(context),
      }),
      resolve: (invoice, _args, context) => verifactuOf(invoice, context),
    }),
    lineItems: t.relation('lines', {
      query: { orderBy: { position: 'asc' } },
      complexity: { multiplier: 10 },
      extensions: { rows: 'lines' },
    }),
    rectificationReason: t.expose('rectificationReason', { type: RectificationReasonEnum, nullable: true }),
    rectifies: t.field({
      type: [RectifiedReference],
      complexity: { multiplier: 1 },
      resolve: ({ rectifiesId, externalNumber, externalIssuedOn }): Reference[] => {
        // What the request named: an imported invoice is named as one issued elsewhere, although its row is known.
        if (externalNumber !== null && externalIssuedOn !== null) {
          const external = { number: externalNumber, issuedOn: dayOfDate(externalIssuedOn) };
          return [{ invoiceId: null, external }];
        }
        return rectifiesId === null ? [] : [{ invoiceId: rectifiesId, external: null }];
      },
    }),
    rectifiedBy: t.field({
      type: [InvoiceReference],
      complexity: { multiplier: 1 },
      extensions: { rows: 'rectifiedBy' },
      description: 'The rectificativas of this invoice that are not voided, in the order of issue.',
      select: {
        rectifiedBy: {
          where: { void: { is: null } },
          orderBy: [{ issuedAt: 'asc' }, { id: 'asc' }],
          select: { id: true },
        },
      },
      resolve: (invoice) => invoice.rectifiedBy.map(({ id }) => ({ invoiceId: id })),
    }),
    exchanges: t.field({
      type: [InvoiceReference],
      complexity: { multiplier: 2 },
      extensions: { rows: 'exchanges' },
      description: 'The simplified invoices that it was issued in exchange for.',
      select: {
        exchangeOf: { orderBy: { ticket: { issuedAt: 'asc' } }, select: { ticketId: true } },
      },
      resolve: (invoice) => invoice.exchangeOf.map(({ ticketId }) => ({ invoiceId: ticketId })),
    }),
    exchangedBy: t.field({
      type: InvoiceReference,
      nullable: true,
      description: 'The exchange invoice, not voided, that stands for this simplified one.',
      select: {
        exchangedBy: { where: { exchange: { void: { is: null } } }, select: { exchangeId: true } },
      },
      resolve: ({ exchangedBy: [exchange] }) => exchange && { invoiceId: exchange.exchangeId },
    }),
    environment: t.field({
      type: EnvironmentEnum,
      select: (_args, context) => environmentColumns(context),
      resolve: (invoice, _args, context) => environmentOf(invoice, context).kind,
    }),
    companyId: t.field({
      type: 'ID',
      select: (_args, context) => environmentColumns(context),
      resolve: (invoice, _args, context) => environmentOf(invoice, context).companyId,
    }),
    records: t.relation('records', {
      query: { orderBy: [{ chainId: 'asc' }, { position: 'asc' }] },
      complexity: { multiplier: 2 },
      extensions: { rows: 'records' },
    }),
  }),
});

/** A fresh token for the document of an invoice, valid for the contract's window from now. */
export function pdfToken(context: Context, invoice: { environmentId: number; id: string }): string {
  return signDownload({
    secret: context.services.config.linkSecret,
    environmentId: invoice.environmentId,
    invoiceId: invoice.id,
    expiresAt: new Date(clock.now().getTime() + PDF_LINK_SECONDS * 1_000),
  });
}
