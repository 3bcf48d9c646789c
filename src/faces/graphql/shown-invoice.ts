import { startOfMadridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Scope } from '../../subjects/accounts/entry/caller.ts';
import { type EnvironmentTime, environmentToday } from '../../subjects/accounts/entry/environment-time.ts';
import { qrUrl } from '../../subjects/chain/qr-url.ts';
import { downloadUrl, PDF_LINK_SECONDS, signDownload } from '../../subjects/documents/links.ts';
import type { Paper } from '../../subjects/documents/types.ts';
import {
  type PaymentSummary,
  paymentFactsOf,
  paymentSummaryOn,
} from '../../subjects/invoices/payment-status.ts';
import {
  decisiveRecord,
  type InvoiceView,
  type RecordSummary,
  viewOfIssued,
} from '../../subjects/invoices/view.ts';
import type { Issued } from '../../subjects/issuing/issue-invoice.ts';
import type { Context } from './context.ts';

/** What GraphQL and REST show of an invoice that is not a column of it. */

/** An invoice as it was read; with the link signed when it was issued, which a replayed answer repeats. */
export type ShownInvoice = InvoiceView & { readonly pdfToken?: string };

type Columns = InvoiceView['invoice'];

/** The fiscal name: that of the company if recorded, otherwise the name. */
export function recipientNameOf(invoice: Columns): string | null {
  return invoice.recipient_company_name ?? invoice.recipient_name;
}

const RECIPIENT_COLUMNS = [
  'recipient_name',
  'recipient_company_name',
  'recipient_given_name',
  'recipient_surnames',
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

export type RecipientColumns = Pick<Columns, (typeof RECIPIENT_COLUMNS)[number]>;

/** The recipient's columns; null for an invoice without a recipient. */
export function recipientOf(invoice: Columns): RecipientColumns | null {
  for (const column of RECIPIENT_COLUMNS) if (invoice[column] != null) return invoice;
  return null;
}

/** The recipient's address; null if none is recorded. */
export function addressOf(row: RecipientColumns) {
  const address = {
    line1: row.recipient_line1,
    line2: row.recipient_line2,
    postalCode: row.recipient_postal_code,
    city: row.recipient_city,
    country: row.recipient_country,
  };
  for (const part of Object.values(address)) if (part !== null) return address;
  return null;
}

/** Midnight in Madrid of the day of the operation; the instant of issue if it is the same day. */
export function operationDateOf({ operation_on: day, issued_on, issued_at }: Columns): Date {
  return day === null || day === issued_on ? new Date(issued_at) : startOfMadridDay(day);
}

/** When it was issued, or imported. */
export function createdAtOf({ imported_at, issued_at }: Columns): Date {
  return new Date(imported_at ?? issued_at);
}

export type Reference = {
  readonly environmentId: number;
  readonly invoiceId: string | null;
  readonly external: External | null;
};

/** With the day of its operation where that is another than the day of issue. */
export type External = {
  readonly number: string;
  readonly issuedOn: string;
  readonly operationDate: string | null;
};

/** What it corrects, as its request named it: an imported invoice is one issued elsewhere, although its row is known. */
export function rectifiesOf(invoice: Columns): Reference[] {
  const { environment_id: environmentId, rectifies_id, external_number, external_issued_on } = invoice;
  if (external_number !== null && external_issued_on !== null) {
    const sold = invoice.rectified_operation_on;
    const operationDate = sold === external_issued_on ? null : sold;
    const external = { number: external_number, issuedOn: external_issued_on, operationDate };
    return [{ environmentId, invoiceId: null, external }];
  }
  const ids = invoice.rectifies_ids ?? (rectifies_id === null ? [] : [rectifies_id]);
  return ids.map((invoiceId) => ({ environmentId, invoiceId, external: null }));
}

export type RectifiedPeriod = { readonly from: string; readonly to: string };

/** The days whose sales a volume discount reduces; null for any other invoice. */
export function rectifiedPeriodOf({
  rectified_from: from,
  rectified_to: to,
}: Columns): RectifiedPeriod | null {
  return from == null || to == null ? null : { from, to };
}

/** The payment today; null if it is not payable. */
export function paymentOf(invoice: InvoiceView): PaymentSummary | null {
  const facts = paymentFactsOf(invoice);
  return facts === null ? null : paymentSummaryOn(environmentToday(invoice.owner), facts);
}

export type Verifactu = {
  readonly status: RecordSummary['status'];
  readonly hash: string;
  readonly qrUrl: string;
  readonly error: ReturnType<typeof errorOf>;
};

/** The hash is that of the record sealed at issue; the status that of the decisive one. Null for an imported invoice. */
export function verifactuOf(
  { invoice, owner, records }: InvoiceView,
  { services }: Pick<Context, 'services'>,
): Verifactu | null {
  const first = records.find(isRegistration);
  const decisive = decisiveRecord(records);
  if (first === undefined || decisive === undefined) return null;
  return {
    status: decisive.status,
    hash: first.fingerprint,
    qrUrl: qrUrl({
      base: services.qrBases[owner.environment],
      nif: invoice.issuer_nif,
      number: invoice.number,
      issuedOn: invoice.issued_on,
      total: invoice.total,
    }),
    error: errorOf(decisive),
  };
}

const isRegistration = ({ kind }: RecordSummary): boolean => kind === 'registration';

/** The agency's error for a record; null unless it refused it or accepted it with errors. */
export function errorOf({ status, error_code: code, error_message: message }: RecordSummary) {
  if (status !== 'rejected' && status !== 'registered_with_errors') return null;
  return code === null && message === null ? null : { code, message };
}

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

type LinkContext = Pick<Context, 'bounded' | 'services'>;

/** A token for the document of an invoice. */
export function pdfToken(
  { services, bounded }: LinkContext,
  invoice: { readonly environmentId: number; readonly id: string },
): string {
  return signDownload({
    secret: services.linkSecrets.current,
    environmentId: invoice.environmentId,
    invoiceId: invoice.id,
    expiresAt: pdfLinkEnd(clock.now().getTime(), bounded),
  });
}

/** The signed link to its document. */
export function pdfUrlOf(
  { invoice: { environment_id: environmentId, id }, pdfToken: token }: ShownInvoice,
  context: LinkContext,
  paper: Paper = 'a4',
): string {
  const signed = token ?? pdfToken(context, { environmentId, id });
  return downloadUrl(context.services.config.baseUrl, id, signed, paper);
}

/** An invoice that was issued this moment, or its replay: everything that can be asked of it is known without reading. */
export function issuedInvoice(
  { stored, pdfToken }: Issued,
  {
    environment,
    companyId,
    clockAheadMs,
    timeZone,
  }: Pick<Scope, 'environment' | 'companyId'> & EnvironmentTime,
): ShownInvoice {
  return { ...viewOfIssued(stored, { environment, companyId, clockAheadMs, timeZone }), pdfToken };
}
