import { percentageOf } from '../../../ground/lib/money.ts';
import { type LineView, linesOf, type TaxItemView } from '../../../subjects/invoices/view.ts';
import { builder } from '../builder.ts';
import { addRows } from '../charged-rows.ts';
import { READS_LINES } from '../extent.ts';
import { READS_NOTHING } from '../null-at-own-path.ts';
import {
  addressOf,
  createdAtOf,
  type External,
  operationDateOf,
  pdfUrlOf,
  type RecipientColumns,
  type RectifiedPeriod,
  type Reference,
  recipientNameOf,
  recipientOf,
  rectifiedPeriodOf,
  rectifiesOf,
  type ShownInvoice,
  verifactuOf,
} from '../shown-invoice.ts';
import { Address } from './address.ts';
import {
  DocumentPaperEnum,
  EnvironmentEnum,
  ExemptionEnum,
  InvoiceKindEnum,
  InvoiceStatusEnum,
  InvoiceTypeEnum,
  OperationClassEnum,
  RectificationReasonEnum,
  TaxIdTypeEnum,
  TaxTypeEnum,
} from './enums.ts';
import { Node } from './node-interface.ts';
import { RegistrationRecordType, VerifactuType } from './registration.ts';

const TaxItem = builder.objectRef<TaxItemView>('TaxItem').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    type: t.expose('type', { type: TaxTypeEnum }),
    rate: t.float({
      description: 'The percentage: 21 means 21 %.',
      resolve: (item) => percentageOf(item.rate_basis_points),
    }),
    amount: t.expose('amount', { type: 'SafeInt' }),
    regimeKey: t.string({
      nullable: true,
      description: 'The regime key, if the line names it; otherwise null.',
      resolve: (item) => item.regime_key ?? null,
    }),
    operationClass: t.field({
      type: OperationClassEnum,
      nullable: true,
      description: 'The class of the operation, if the line names it; otherwise null.',
      resolve: (item) => item.operation_class ?? null,
    }),
    exemption: t.field({
      type: ExemptionEnum,
      nullable: true,
      description: 'The cause of the exemption, if the line names it; otherwise null.',
      resolve: (item) => item.exemption ?? null,
    }),
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
    rectifiesInvoiceId: t.id({
      nullable: true,
      description:
        'In a correction of several invoices the one whose total the line changes; otherwise null.',
      resolve: (line) => line.rectifies_invoice_id ?? null,
    }),
    subtotal: t.expose('subtotal', { type: 'SafeInt' }),
    tax: t.expose('tax', { type: 'SafeInt' }),
    total: t.expose('total', { type: 'SafeInt' }),
    taxItems: t.field({
      type: [TaxItem],
      complexity: { multiplier: 2 },
      resolve: (line) => line.taxItems,
    }),
  }),
});

const Recipient = builder.objectRef<RecipientColumns>('Recipient').implement({
  fields: (t) => ({
    name: t.exposeString('recipient_name', { nullable: true }),
    companyName: t.exposeString('recipient_company_name', { nullable: true }),
    givenName: t.exposeString('recipient_given_name', { nullable: true }),
    surnames: t.exposeString('recipient_surnames', { nullable: true }),
    taxId: t.exposeString('recipient_tax_id', { nullable: true }),
    taxIdType: t.expose('recipient_tax_id_type', { type: TaxIdTypeEnum, nullable: true }),
    taxIdCountry: t.exposeString('recipient_tax_id_country', { nullable: true }),
    email: t.exposeString('recipient_email', { nullable: true }),
    address: t.field({
      type: Address,
      nullable: true,
      description: 'The address; null if none is recorded.',
      resolve: addressOf,
    }),
  }),
});

const ExternalReference = builder.objectRef<External>('ExternalReference').implement({
  fields: (t) => ({
    number: t.exposeString('number'),
    issuedOn: t.expose('issuedOn', { type: 'Date' }),
    operationDate: t.expose('operationDate', { type: 'Date', nullable: true }),
  }),
});

const RectifiedPeriodType = builder.objectRef<RectifiedPeriod>('RectifiedPeriod').implement({
  description: 'The days whose sales a volume discount reduces.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Date', description: 'The first day.' }),
    to: t.expose('to', { type: 'Date', description: 'The last day.' }),
  }),
});

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
      resolve: ({ invoice }) => recipientNameOf(invoice),
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
    issuedOn: t.field({
      type: 'Date',
      description: 'The day of issue where the issuer is, as printed and declared.',
      resolve: ({ invoice }) => invoice.issued_on,
    }),
    operationDate: t.field({
      type: 'DateTime',
      description:
        'Midnight in Madrid of the day of the operation; the instant of issue if it is the same day.',
      resolve: ({ invoice }) => operationDateOf(invoice),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was issued, or for an imported invoice, when it was imported.',
      resolve: ({ invoice }) => createdAtOf(invoice),
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
      resolve: ({ invoice }) => recipientOf(invoice),
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
      resolve: (invoice, { paper }, context) => pdfUrlOf(invoice, context, paper ?? 'a4'),
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
      extensions: READS_LINES,
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
      extensions: READS_NOTHING,
      resolve({ invoice }, _args, context) {
        const corrected = rectifiesOf(invoice);
        addRows(context, corrected.length);
        return corrected;
      },
    }),
    rectifiedPeriod: t.field({
      type: RectifiedPeriodType,
      nullable: true,
      resolve: ({ invoice }) => rectifiedPeriodOf(invoice),
    }),
    environment: t.field({ type: EnvironmentEnum, resolve: ({ owner }) => owner.environment }),
    companyId: t.field({ type: 'ID', resolve: ({ owner }) => owner.companyId }),
    records: t.field({
      type: [RegistrationRecordType],
      complexity: { multiplier: 2 },
      resolve: ({ wholeRecords }) => {
        if (wholeRecords === null) throw new Error('an invoice was read without the requested records');
        return wholeRecords;
      },
    }),
  }),
});
