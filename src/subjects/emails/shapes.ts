import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { DOCUMENT_LANGUAGES } from '../extensions/types.ts';
import { FORMAT_NAMES } from '../formats/types.ts';
import { DELIVERY_STATUSES, EMAIL_FAULTS, EMAIL_KINDS, EMAIL_STATUSES } from './types.ts';

/** The state of an e-mail for one of its recipients. */
export const delivery = z.object({
  address: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  /** The mail server's last answer, or that of another server which later reported that it did not arrive. */
  response: z.string().nullable(),
  /** Its status code (RFC 3463), for example `5.1.1`; null when there was none. */
  statusCode: z.string().nullable().default(null),
  /** The company's own copy, which does not affect the e-mail's status. */
  copy: z.boolean().default(false),
});

export type Delivery = Readonly<z.output<typeof delivery>>;

/** An e-mail: the request, and its state. */
export const email = z.object({
  id: z.string(),
  invoiceId: z.string(),
  kind: z.enum(EMAIL_KINDS),
  /** For a reminder: how many days after the due day it is sent; there is one for each number. */
  reminder: column.whole.nullable(),
  recipients: z.array(z.string()),
  message: z.string().nullable(),
  language: z.enum(DOCUMENT_LANGUAGES),
  formats: z.array(z.enum(FORMAT_NAMES)),
  /** The same at every attempt. */
  messageId: z.string(),
  requestedBy: z.string(),
  requestedAt: column.instant,
  status: z.enum(EMAIL_STATUSES),
  deliveries: z.array(delivery),
  attempts: column.whole,
  /** Set while a message is being delivered. */
  attemptBeganAt: column.instant.nullable(),
  nextAt: column.instant.nullable(),
  lastError: z.string().nullable(),
  reason: z.enum(EMAIL_FAULTS).nullable(),
  settledAt: column.instant.nullable(),
});

export type Email = Readonly<z.output<typeof email>>;

/** The facts of an invoice that decide to whom and how it is sent. */
export const invoiceToSend = z.object({
  number: z.string(),
  recipientEmail: z.string().nullable(),
  /** Of its document. */
  language: z.enum(DOCUMENT_LANGUAGES),
  environment: z.enum(['test', 'live']),
  /** The customer whose portal page shows it; null when there is none. */
  integrationId: z.string().nullable(),
  externalCustomerId: z.string().nullable(),
});

export type InvoiceToSend = Readonly<z.output<typeof invoiceToSend>>;

/** The e-mail settings of an environment. */
export const emailSettings = z.object({
  /** Null: the company's legal name. */
  senderName: z.string().nullable(),
  /** Null: without a Reply-To header. */
  replyTo: z.string().nullable(),
  /** Gets a blind copy of each message; null: nobody does. */
  copyTo: z.string().nullable(),
  /** The days after the due day on which reminders are sent, in ascending order; when empty, none are sent. */
  reminderDays: z.array(column.whole),
  /** Null: the invoice's language. */
  reminderLanguage: z.enum(DOCUMENT_LANGUAGES).nullable(),
  /** In the company's own words; null without any. */
  reminderMessage: z.string().nullable(),
  /** Reminders due before this day are not sent; null when there never was a schedule. */
  remindersSince: column.day.nullable(),
});

export type EmailSettings = Readonly<z.output<typeof emailSettings>>;

export const NO_SETTINGS: EmailSettings = {
  ...{ senderName: null, replyTo: null, copyTo: null },
  ...{ reminderDays: [], reminderLanguage: null, reminderMessage: null, remindersSince: null },
};
