import type { Context } from '../src/faces/graphql/context.ts';
import type { InvoiceAnswer } from '../src/faces/graphql/invoice-operations.ts';
import { breakdownOf, soldLines } from '../src/faces/graphql/schema/issuing.ts';
import {
  addressOf,
  createdAtOf,
  errorOf,
  operationDateOf,
  paymentOf,
  pdfUrlOf,
  type RecipientColumns,
  recipientNameOf,
  recipientOf,
  rectifiedPeriodOf,
  rectifiesOf,
  type ShownInvoice,
  verifactuOf,
} from '../src/faces/graphql/shown-invoice.ts';
import type { FieldIssue } from '../src/ground/errors/refusal.ts';
import { snakePath } from '../src/ground/lib/case.ts';
import { percentageOf } from '../src/ground/lib/money.ts';
import { answeredComputed, answeredExtensions } from '../src/subjects/extensions/answers.ts';
import type { Said } from '../src/subjects/taxes/types.ts';
import type { Expansion } from './invoice-expansions.ts';

/**
 * Invoices as REST shows them (docs/contract.md#invoices). A field that is undefined is absent from the JSON: extensions that
 * an invoice does not have, and what a line states only if it was sold by decimals, gross prices or units.
 */

/** What links are signed with, and where QR codes lead. */
type BodyContext = Pick<Context, 'bounded' | 'services'>;

type Line = InvoiceAnswer['lines'][number];

/** An invoice with the additions that `expand[]` requested. */
export function invoiceBody(answer: InvoiceAnswer, context: BodyContext, expand: readonly Expansion[] = []) {
  const { invoice: shown, lines } = answer;
  const { invoice, metadata, rectifiedBy, voided } = shown;
  const body = {
    id: invoice.id,
    status: voided ? 'voided' : 'issued',
    number: invoice.number,
    currency: invoice.currency,
    subtotal: invoice.subtotal,
    tax: invoice.tax,
    total: invoice.total,
    recipient_name: recipientNameOf(invoice),
    recipient_tax_id: invoice.recipient_tax_id,
    email: invoice.recipient_email,
    external_customer_id: invoice.external_customer_id,
    external_id: invoice.external_id,
    invoice_date: instant(invoice.issued_at),
    operation_date: operationDateOf(invoice).toISOString(),
    created_at: createdAtOf(invoice).toISOString(),
    type: invoice.type,
    number_series_id: invoice.series_id,
    recipient: recipientBody(recipientOf(invoice)),
    pdf_url: pdfUrlOf(shown, context),
    verifactu: verifactuBody(verifactuOf(shown, context)),
    line_items: lines.map(lineBody),
    kind: invoice.kind,
    rectifies: rectifiesOf(invoice).map(({ invoiceId, external }) =>
      external === null
        ? { invoice_id: invoiceId }
        : {
            external: {
              number: external.number,
              issued_on: external.issuedOn,
              operation_date: external.operationDate ?? undefined,
            },
          },
    ),
    rectified_period: rectifiedPeriodOf(invoice) ?? undefined,
    rectified_by: rectifiedBy.map(reference),
    ...answeredExtensions(invoice),
    metadata: metadata ?? undefined,
    ...paidBody(shown, expand.includes('payments')),
  };
  return expand.length === 0 ? body : { ...body, ...additions(answer, expand) };
}

export type InvoiceBody = ReturnType<typeof invoiceBody>;

/** The due date of an invoice that is shown; null if it has none. */
export function dueOnShown({ due_date }: Pick<InvoiceBody, 'due_date'>): string | null {
  return due_date ?? null;
}

/** The amounts that a validated invoice would have. */
export function validatedBody(invoice: Parameters<typeof soldLines>[0]) {
  return {
    type: invoice.type,
    kind: invoice.kind,
    currency: invoice.currency,
    subtotal: invoice.subtotal,
    tax: invoice.tax,
    total: invoice.total,
    line_items: soldLines(invoice).map((line) => ({
      description: line.description,
      sku: line.sku,
      quantity: line.quantity,
      unit_amount: line.unitAmount,
      quantity_decimal: line.quantityDecimal ?? undefined,
      unit_amount_decimal: line.unitAmountDecimal ?? undefined,
      unit_amount_gross: line.unitAmountGross ?? undefined,
      unit_amount_gross_decimal: line.unitAmountGrossDecimal ?? undefined,
      unit: line.unit ?? undefined,
      subtotal: line.subtotal,
      tax: line.tax,
      total: line.total,
      tax_items: line.taxItems.map((item) => ({
        ...{ name: item.name, type: item.type, rate: percentageOf(item.rate), amount: item.amount },
        ...saidBody(item),
      })),
    })),
    tax_breakdown: breakdownOf(invoice).map((row) => {
      const { type, name, rate, base, amount } = row;
      return { type, name, rate: percentageOf(rate), base, amount, ...saidBody(row) };
    }),
    errors: invoice.errors === null ? undefined : inRestSpelling(invoice.errors),
    warnings: inRestSpelling(invoice.warnings),
    ...answeredComputed({ total: invoice.total, ...invoice.extensions }),
  };
}

const inRestSpelling = (issues: readonly FieldIssue[]) =>
  issues.map(({ field, ...issue }) => ({ field: snakePath(field), ...issue }));

function lineBody(line: Line) {
  return {
    id: line.id,
    description: line.description,
    sku: line.sku,
    quantity: line.quantity,
    unit_amount: line.unit_amount,
    quantity_decimal: line.quantity_decimal ?? undefined,
    unit_amount_decimal: line.unit_amount_decimal ?? undefined,
    unit_amount_gross: line.unit_amount_gross ?? undefined,
    unit_amount_gross_decimal: line.unit_amount_gross_decimal ?? undefined,
    unit: line.unit ?? undefined,
    rectifies_invoice_id: line.rectifies_invoice_id ?? undefined,
    subtotal: line.subtotal,
    tax: line.tax,
    total: line.total,
    tax_items: line.taxItems.map((item) => ({
      ...{
        name: item.name,
        type: item.type,
        rate: percentageOf(item.rate_basis_points),
        amount: item.amount,
      },
      regime_key: item.regime_key ?? undefined,
      operation_class: item.operation_class ?? undefined,
      exemption: item.exemption ?? undefined,
    })),
  };
}

/** What a line says of its classification. */
const saidBody = ({ regimeKey, operationClass, exemption }: Said) => ({
  regime_key: regimeKey ?? undefined,
  operation_class: operationClass ?? undefined,
  exemption: exemption ?? undefined,
});

const instant = (text: string): string => new Date(text).toISOString();

const reference = (invoice_id: string) => ({ invoice_id });

function recipientBody(row: RecipientColumns | null) {
  if (row === null) return null;
  const address = addressOf(row);
  return {
    name: row.recipient_name,
    company_name: row.recipient_company_name,
    given_name: row.recipient_given_name ?? undefined,
    surnames: row.recipient_surnames ?? undefined,
    tax_id: row.recipient_tax_id,
    tax_id_type: row.recipient_tax_id_type,
    tax_id_country: row.recipient_tax_id_country,
    email: row.recipient_email,
    address: address && {
      ...{ line1: address.line1, line2: address.line2, postal_code: address.postalCode },
      ...{ city: address.city, country: address.country },
    },
  };
}

function verifactuBody(verifactu: ReturnType<typeof verifactuOf>) {
  if (verifactu === null) return null;
  const { status, hash, qrUrl: qr_url, error } = verifactu;
  return { status, hash, qr_url, error };
}

/**
 * The payment status if it was asked for or applies: the invoice states when or how to pay, or something was paid. So an
 * invoice without payments has only the contract's fields.
 */
function paidBody(shown: ShownInvoice, isRequested: boolean) {
  const { due_date, payment } = shown.invoice;
  const isShown = isRequested || due_date != null || payment != null || (shown.account?.paid ?? 0) !== 0;
  const { status, paid, due } = (isShown ? paymentOf(shown) : null) ?? {};
  return { payment_status: status, amount_paid: paid, amount_due: due };
}

const METHODS: Readonly<Record<string, string>> = {
  rectifying_differences: 'differences',
  rectifying_substitution: 'substitution',
};

/** The requested additions, each under its own name. */
function additions({ invoice: shown, family, payments }: InvoiceAnswer, expand: readonly Expansion[]) {
  const { invoice, exchanges, exchangedBy } = shown;
  const parts: Record<Expansion, () => unknown> = {
    notes: () => invoice.notes ?? null,
    rectification: () => ({
      method: METHODS[invoice.kind] ?? null,
      reason: invoice.rectification_reason ?? null,
      head: reference(family!.headId),
      in_force_total: family!.inForceTotal,
      creditable_remainder: family!.creditableRemainder,
    }),
    exchange: () => ({
      exchanges: exchanges.map(reference),
      exchanged_by: exchangedBy === null ? null : reference(exchangedBy),
    }),
    records: () => shown.wholeRecords!.map(recordBody),
    payments: () => payments!.map(paymentBody),
  };
  return Object.fromEntries(expand.map((name) => [name, parts[name]()]));
}

/** A payment of an invoice. */
export function paymentBody(payment: NonNullable<InvoiceAnswer['payments']>[number]) {
  const { id, amount, paidOn: paid_on, means, reference, recordedAt } = payment;
  return { id, amount, paid_on, means, reference, created_at: recordedAt.toISOString() };
}

function recordBody(record: NonNullable<ShownInvoice['wholeRecords']>[number]) {
  return {
    id: record.id,
    kind: record.kind,
    status: record.status,
    hash: record.fingerprint,
    previous_hash: record.previous_fingerprint,
    generated_at: instant(record.generated_at),
    xml: record.xml,
    receipt: record.receipt,
    settled_at: record.settled_at === null ? null : instant(record.settled_at),
    error: errorOf(record),
  };
}
