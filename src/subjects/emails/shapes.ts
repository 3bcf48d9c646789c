import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';
import { FORMAT_NAMES } from '../formats/types.ts';
import { DOCUMENT_LANGUAGES } from '../invoices/types.ts';
import { DELIVERY_STATUSES, EMAIL_FAULTS, EMAIL_KINDS, EMAIL_STATUSES } from './types.ts';

/** What became of an e-mail for one of its recipients. */
export const delivery = z.object({
  address: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  /** What the mail server said last, or whichever reported later that it did not arrive. */
  response: z.string().nullable(),
  /** What that means (RFC 3463), `5.1.1` for example; null where nobody said. */
  statusCode: z.string().nullable().default(null),
  /** Of the company's own copy, which decides nothing about the e-mail. */
  copy: z.boolean().default(false),
});

export type Delivery = Readonly<z.output<typeof delivery>>;

/** An e-mail: what was asked for, and how far it has come. */
export const email = z.object({
  id: z.string(),
  invoiceId: z.string(),
  kind: z.enum(EMAIL_KINDS),
  /** Of a reminder, how many days after the invoice is due it is sent: there is one for each. */
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
  /** Set while a message is being handed over. */
  attemptBeganAt: column.instant.nullable(),
  nextAt: column.instant.nullable(),
  lastError: z.string().nullable(),
  reason: z.enum(EMAIL_FAULTS).nullable(),
  settledAt: column.instant.nullable(),
});

export type Email = Readonly<z.output<typeof email>>;

/** What of an invoice decides to whom and how it is sent. */
export const invoiceToSend = z.object({
  number: z.string(),
  recipientEmail: z.string().nullable(),
  /** Of its document. */
  language: z.enum(DOCUMENT_LANGUAGES),
  /** Of the customer whose page shows it; null where there is none. */
  integrationId: z.string().nullable(),
  externalCustomerId: z.string().nullable(),
});

export type InvoiceToSend = Readonly<z.output<typeof invoiceToSend>>;

/** How an environment sends e-mail. */
export const emailSettings = z.object({
  /** Null: the company's legal name. */
  senderName: z.string().nullable(),
  /** Null: replies go nowhere in particular. */
  replyTo: z.string().nullable(),
  /** Gets a copy of each message, unseen by its recipients; null: nobody does. */
  copyTo: z.string().nullable(),
  /** How many days after they are due invoices are reminded of, the fewest first; without any nobody is reminded. */
  reminderDays: z.array(column.whole),
  /** Null: that of the invoice. */
  reminderLanguage: z.enum(DOCUMENT_LANGUAGES).nullable(),
  /** In the company's own words; null without any. */
  reminderMessage: z.string().nullable(),
  /** Reminders of days before this one are not made up for; null where there never was a schedule. */
  remindersSince: column.day.nullable(),
});

export type EmailSettings = Readonly<z.output<typeof emailSettings>>;

export const NO_SETTINGS: EmailSettings = {
  ...{ senderName: null, replyTo: null, copyTo: null },
  ...{ reminderDays: [], reminderLanguage: null, reminderMessage: null, remindersSince: null },
};
