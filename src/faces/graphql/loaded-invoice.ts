import type { Prisma } from '../../../generated/prisma/client.ts';
import type { StoredInvoice } from '../../subjects/invoices/rows.ts';
import type { StandingInvoice } from '../../subjects/invoices/standing.ts';
import type { Issued } from '../../subjects/issuing/issue-invoice.ts';
import type { WithPdfToken } from './schema/invoice.ts';

const EVERYTHING = {
  lines: { include: { taxItems: true } },
  records: { include: { state: true } },
  void: true,
  rectifiedBy: true,
  exchangeOf: true,
  exchangedBy: true,
} as const satisfies Prisma.InvoiceInclude;

type LoadedInvoice = Prisma.InvoiceGetPayload<{ include: typeof EVERYTHING }>;

/** What Prisma's shape is made of. */
type Source = Omit<StandingInvoice, 'records'>;

/**
 * An invoice that was just stored, in the shape in which Prisma would read it with all that a selection can ask, so
 * that the answer to issuing costs no read.
 */
export function issuedInvoice({ stored, pdfToken }: Issued): LoadedInvoice & WithPdfToken {
  const source = { ...stored, voided: false, rectifiedBy: [] };
  return { ...shapeOf(source), records: [recordOf(stored)], pdfToken };
}

/** The selections that the invoice object of the contract makes. All else is read by Prisma. */
const SHOWN = new Set(['lines', 'records', 'void', 'rectifiedBy']);
const SHOWN_OF_RECORDS = new Set(['kind', 'fingerprint', 'state']);

/** Whether `standingInvoice` has everything that a query asks for. */
export function isShown(query: { select?: unknown; include?: unknown }): boolean {
  if (query.select !== undefined) return false;
  const include = (query.include ?? {}) as Record<string, { select?: object } | true>;
  if (!Object.keys(include).every((relation) => SHOWN.has(relation))) return false;
  const { records } = include;
  if (records === undefined) return true;
  return (
    records !== true &&
    Object.keys(records.select ?? { all: true }).every((name) => SHOWN_OF_RECORDS.has(name))
  );
}

/** An invoice as our own reader reads it, in Prisma's shape: a fraction of the time, for the same facts. */
export function standingInvoice(standing: StandingInvoice): LoadedInvoice {
  const records = standing.records.map(({ kind, fingerprint, ...state }) => ({ kind, fingerprint, state }));
  return { ...shapeOf(standing), records: records as never };
}

function shapeOf(source: Source): Omit<LoadedInvoice, 'records'> {
  const { invoice } = source;
  return {
    ...recipientOf(invoice),
    id: invoice.id,
    environmentId: invoice.environment_id,
    seriesId: invoice.series_id,
    seriesYear: invoice.series_year,
    seriesNumber: invoice.series_number,
    number: invoice.number,
    type: invoice.type,
    kind: invoice.kind,
    currency: invoice.currency,
    subtotal: BigInt(invoice.subtotal),
    tax: BigInt(invoice.tax),
    total: BigInt(invoice.total),
    issuedAt: new Date(invoice.issued_at),
    issuedOn: new Date(invoice.issued_on),
    operationOn: dateOf(invoice.operation_on),
    externalId: invoice.external_id,
    externalCustomerId: invoice.external_customer_id,
    integrationId: invoice.integration_id,
    orderId: invoice.order_id,
    notes: invoice.notes,
    issuer: invoice.issuer,
    breakdown: invoice.breakdown as never,
    rectifiesId: invoice.rectifies_id,
    rectificationReason: invoice.rectification_reason,
    externalNumber: invoice.external_number,
    externalIssuedOn: dateOf(invoice.external_issued_on),
    rectifiedBase: amountOf(invoice.rectified_base),
    rectifiedTax: amountOf(invoice.rectified_tax),
    rectifiedSurcharge: amountOf(invoice.rectified_surcharge),
    imported: invoice.imported,
    // A row that was kept in an answer by the version before lacks it.
    importedAt: dateOf(invoice.imported_at ?? null),
    lines: linesOf(source),
    void: source.voided ? ({ invoiceId: invoice.id } as never) : null,
    rectifiedBy: source.rectifiedBy.map((id) => ({ id }) as never),
    exchangeOf: [],
    exchangedBy: [],
  };
}

const dateOf = (day: string | null): Date | null => (day === null ? null : new Date(day));
const amountOf = (cents: number | null): bigint | null => (cents === null ? null : BigInt(cents));

function recipientOf(invoice: Source['invoice']) {
  return {
    recipientName: invoice.recipient_name,
    recipientCompanyName: invoice.recipient_company_name,
    recipientTaxId: invoice.recipient_tax_id,
    recipientTaxIdType: invoice.recipient_tax_id_type,
    recipientTaxIdCountry: invoice.recipient_tax_id_country,
    recipientEmail: invoice.recipient_email,
    recipientLine1: invoice.recipient_line1,
    recipientLine2: invoice.recipient_line2,
    recipientPostalCode: invoice.recipient_postal_code,
    recipientCity: invoice.recipient_city,
    recipientCountry: invoice.recipient_country,
    recipientEvidence: invoice.recipient_evidence as never,
  };
}

function linesOf(source: Source): LoadedInvoice['lines'] {
  const lines = source.lines.map((line) => ({
    environmentId: line.environment_id,
    invoiceId: line.invoice_id,
    position: line.position,
    id: line.id,
    description: line.description,
    sku: line.sku,
    quantity: line.quantity,
    unitAmount: BigInt(line.unit_amount),
    subtotal: BigInt(line.subtotal),
    tax: BigInt(line.tax),
    total: BigInt(line.total),
    taxItems: [] as LoadedInvoice['lines'][number]['taxItems'],
  }));
  for (const item of source.taxItems) {
    lines[item.line_position]!.taxItems.push({
      environmentId: item.environment_id,
      invoiceId: item.invoice_id,
      linePosition: item.line_position,
      position: item.position,
      type: item.type,
      name: item.name,
      rateBasisPoints: item.rate_basis_points,
      amount: BigInt(item.amount),
    });
  }
  return lines;
}

function recordOf({ record, registration }: StoredInvoice): LoadedInvoice['records'][number] {
  return {
    id: record.id,
    environmentId: record.environment_id,
    chainId: record.chain_id,
    position: record.position,
    kind: record.kind,
    invoiceId: record.invoice_id,
    previousRecordId: record.previous_record_id,
    previousFingerprint: record.previous_fingerprint,
    fingerprint: record.fingerprint,
    generatedAt: new Date(record.generated_at),
    xml: record.xml,
    state: {
      recordId: record.id,
      environmentId: record.environment_id,
      chainId: record.chain_id,
      position: record.position,
      status: registration,
      errorCode: null,
      errorMessage: null,
      receipt: null,
      attempts: 0,
      late: false,
      parkedReason: null,
      submissionId: null,
      settledAt: registration === 'registered' ? new Date(record.generated_at) : null,
      traceParent: null,
    },
  };
}
