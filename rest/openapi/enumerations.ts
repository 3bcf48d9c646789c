import { LogoType } from '../../generated/prisma/enums.ts';
import { codes } from '../../src/ground/errors/catalogue.ts';
import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { KEY_SCOPES } from '../../src/subjects/accounts/entry/permissions.ts';
import { CLOCK_STATUSES } from '../../src/subjects/accounts/test-clock-request.ts';
import { BATCH_RESULTS, BATCH_STATUSES } from '../../src/subjects/batches/types.ts';
import { PAPERS } from '../../src/subjects/documents/types.ts';
import { DRAFT_STATUSES, FREQUENCIES, SCHEDULE_STATUSES } from '../../src/subjects/drafts/types.ts';
import {
  DELIVERY_STATUSES,
  EMAIL_FAULTS,
  EMAIL_KINDS,
  EMAIL_STATUSES,
} from '../../src/subjects/emails/types.ts';
import { DOCUMENT_LANGUAGES, ISSUED_BY, PAYMENT_MEANS } from '../../src/subjects/extensions/types.ts';
import { EXPORTED, FORMAT_NAMES } from '../../src/subjects/formats/types.ts';
import { PAYMENT_STATUSES } from '../../src/subjects/invoices/types.ts';
import { SERIES_TYPES } from '../../src/subjects/number-series/request.ts';
import { BUSINESS_STATUSES, RECIPIENT_STATUSES } from '../../src/subjects/payments/types.ts';
import { BOOK_FORMATS } from '../../src/subjects/register-books/types.ts';
import { TAX_ID_TYPES } from '../../src/subjects/tax-ids/types.ts';
import { EXEMPTIONS, OPERATION_CLASSES, REGIME_KEYS, TAX_TYPES } from '../../src/subjects/taxes/types.ts';
import { EVERY_TYPE } from '../../src/subjects/webhooks/request.ts';
import { EXPANSIONS } from '../invoice-expansions.ts';

type Enumeration = {
  readonly values: readonly string[];
  readonly description: string;
  /** In answers it may grow (docs/contract.md#versioning). */
  readonly isOpen: boolean;
  /** Whether callers send its values, too: only those listed. */
  readonly isSent: boolean;
};

const open = (values: readonly string[], description: string): Enumeration => ({
  values,
  description,
  isOpen: true,
  isSent: true,
});
const answered = (values: readonly string[], description: string): Enumeration => ({
  ...open(values, description),
  isSent: false,
});
const closed = (values: readonly string[], description: string): Enumeration => ({
  values,
  description,
  isOpen: false,
  isSent: true,
});

/** Every enumeration of the document, by its name there. They are distinguished by their values. */
export const ENUMERATIONS: Readonly<Record<string, Enumeration>> = {
  InvoiceStatus: open(['issued', 'voided'], 'Whether an invoice is voided.'),
  InvoiceType: open(['complete', 'simplified'], 'Whether the recipient is identified.'),
  InvoiceKind: open(
    ['original', 'rectifying_differences', 'rectifying_substitution', 'exchange'],
    'The role of an invoice towards others.',
  ),
  RegistrationStatus: open(
    ['pending', 'registered', 'registered_with_errors', 'rejected', 'skipped'],
    'The status of the registration at the tax agency.',
  ),
  RegistrationRecordKind: answered(
    ['registration', 'cancellation'],
    'What a record reports to the tax agency.',
  ),
  InvoiceExpansion: closed(EXPANSIONS, 'Additional fields of an invoice that can be requested.'),
  DocumentPaper: closed(PAPERS, 'The paper of a document: A4, or the roll of a receipt printer.'),
  LogoType: open(Object.values(LogoType), 'The format of an image.'),
  RegisterBookFormat: closed(BOOK_FORMATS, 'The file format of a register book.'),
  InvoiceFormat: closed(FORMAT_NAMES, 'A structured form of an invoice.'),
  ExportedForm: closed(EXPORTED, 'An exported form of an invoice: its PDF or a structured format.'),
  TaxType: open(TAX_TYPES, 'The tax of a line, or the reason why there is none.'),
  RegimeKey: open(REGIME_KEYS, 'ClaveRegimen: what a key means depends on the tax.'),
  OperationClass: open(
    OPERATION_CLASSES,
    'CalificacionOperacion: taxed, reverse charge, not subject, not subject by place of supply.',
  ),
  Exemption: open(EXEMPTIONS, 'OperacionExenta: why an operation is exempt.'),
  WithholdingType: answered(['irpf'], 'The withheld tax.'),
  TaxIdType: open(TAX_ID_TYPES, 'What kind of identifier a tax id is.'),
  TaxIdFault: answered(['format', 'not_registered', 'name_mismatch'], 'Why a tax id is not valid.'),
  TaxIdRegister: answered(['aeat_census', 'vies'], 'A register of tax ids.'),
  RectificationMethod: closed(['differences', 'substitution'], 'How a rectificativa corrects.'),
  RectificationReason: closed(
    ['correction', 'insolvency', 'uncollectible', 'other', 'volume_discount'],
    'Why a rectificativa corrects: R1 to R4; `volume_discount`, of a period, is R1.',
  ),
  InvoiceDraftStatus: open(DRAFT_STATUSES, 'Whether a draft is open or issued.'),
  InvoiceFrequency: open(FREQUENCIES, 'How often an invoice repeats.'),
  InvoiceScheduleStatus: open(SCHEDULE_STATUSES, 'The status of a schedule.'),
  TestClockStatus: answered(CLOCK_STATUSES, 'The state of a test environment’s clock.'),
  IssuedBy: open(ISSUED_BY, 'Who issued an invoice in the name of the company.'),
  PaymentMeans: open(PAYMENT_MEANS, 'A means of payment.'),
  PaymentStatus: open(PAYMENT_STATUSES, 'The payment status of an invoice.'),
  BusinessStatusKind: answered(
    BUSINESS_STATUSES,
    'A payment status that the issuer of an invoice has to report between businesses.',
  ),
  RecipientStatusKind: open(RECIPIENT_STATUSES, 'The status of an invoice that its recipient has reported.'),
  DocumentLanguage: open(DOCUMENT_LANGUAGES, 'The language of a document.'),
  InvoiceBatchStatus: open(BATCH_STATUSES, 'The progress of a batch.'),
  InvoiceBatchResultStatus: open(BATCH_RESULTS, 'The result of an invoice of a batch.'),
  EmailKind: answered(EMAIL_KINDS, 'Why an e-mail was sent.'),
  EmailStatus: answered(EMAIL_STATUSES, 'The status of an e-mail.'),
  EmailDeliveryStatus: answered(DELIVERY_STATUSES, 'The status of an e-mail for one of its recipients.'),
  EmailFault: answered(EMAIL_FAULTS, 'Why an e-mail has failed.'),
  NumberSeriesType: open(SERIES_TYPES, 'What a series numbers.'),
  KeyScope: open(KEY_SCOPES, 'What a key or a token may do.'),
  Environment: closed(['test', 'live'], 'The environment of a company; a key belongs to one.'),
  EventType: open(EVENT_TYPES, 'The type of the event.'),
  SubscribedEventType: open([EVERY_TYPE, ...EVENT_TYPES], 'A type of event, or `*` for all.'),
  WebhookEndpointStatus: open(['active', 'disabled'], 'Whether events are posted to an endpoint.'),
  WebhookDeliveryStatus: open(['pending', 'delivered', 'failed'], 'The status of a delivery.'),
  SortOrder: closed(['asc', 'desc'], 'The order of a list.'),
  ErrorCode: answered(
    codes,
    'What went wrong. Fall back to the HTTP status for a code that you do not know.',
  ),
};

/** In any order: a schema has values of digits (`10`) before all others. */
const textOf = (values: readonly unknown[]) => JSON.stringify([...values].sort());

/** The name of the enumeration that has exactly these values. */
export function enumerationOf(values: readonly unknown[]): string | undefined {
  const text = textOf(values);
  return Object.keys(ENUMERATIONS).find((name) => textOf(ENUMERATIONS[name]!.values) === text);
}
