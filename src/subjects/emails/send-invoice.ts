import type { Db } from '../../ground/db/client.ts';
import type { Listed } from '../../ground/db/listed.ts';
import type { RowKey } from '../../ground/db/rows.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry } from '../../ground/journal/audit-log.ts';
import type { RateLimits } from '../accounts/entry/rate-limit.ts';
import type { FormatServices } from '../formats/format.ts';
import { formatsOffered } from '../formats/registry.ts';
import type { Claim } from '../idempotency/claim.ts';
import { once, requestDigest, saveAnswer } from '../idempotency/keys.ts';
import { isInvoiceId } from '../invoices/list.ts';
import type { Mailer } from './mailer.ts';
import { newEmail, queueEmail } from './queue.ts';
import type { SendRequest } from './send-request.ts';
import { type Email, email as emailShape, type InvoiceToSend } from './shapes.ts';
import { countEmailsOf, emailsOf, readEmailsById, readEmailsOf, readInvoiceToSend } from './store/emails.ts';
import { readSettings } from './store/settings.ts';

/** The dependencies of sending. */
export type Sending = FormatServices & {
  readonly db: Pick<Db, 'pool' | 'lineage'>;
  readonly mailer: Mailer | null;
  readonly rateLimits: RateLimits;
};

/** Who requests it, and with which idempotency key; an operator gives a reason, which is stored. */
export type SendRequester = {
  readonly by: string;
  readonly operator: ActorAndReason | null;
  readonly key: string | null;
  readonly sent: unknown;
};

/**
 * Queues an invoice to be sent by e-mail: to the recipients in the request, else to the address in the invoice.
 * When this returns, the e-mail is stored and a job will deliver it. Refuses with `invoice_not_found`,
 * `email_not_available`, `recipient_email_missing`, `format_not_applicable`, and with `rate_limited` beyond the
 * limit of addresses per minute, and in a test environment beyond that of messages per hour.
 */
export async function sendInvoice(
  sending: Sending,
  environmentId: number,
  invoiceId: string,
  request: SendRequest,
  requester: SendRequester,
): Promise<{ readonly outcome: Outcome<Email>; readonly replayed: boolean }> {
  const { key, sent } = requester;
  const digest = () => requestDigest(sent);
  return once<Email>(
    sending.db,
    { environmentId, key, operation: 'send_invoice', digest },
    (claim) => checkAndQueue(sending, environmentId, invoiceId, request, { requester, claim }),
    revived,
  );
}

/** In a stored answer instants are texts. */
function revived(answer: unknown): Email {
  const { requestedAt, nextAt, ...others } = answer as Record<'requestedAt' | 'nextAt', string>;
  return emailShape.parse({ ...others, requestedAt: new Date(requestedAt), nextAt: new Date(nextAt) });
}

async function checkAndQueue(
  sending: Sending,
  environmentId: number,
  invoiceId: string,
  request: SendRequest,
  { requester, claim }: { readonly requester: SendRequester; readonly claim: Claim | null },
): Promise<Outcome<Email>> {
  const { db, mailer, rateLimits } = sending;
  const invoice = isInvoiceId(invoiceId) ? await readInvoiceToSend(db.pool, environmentId, invoiceId) : null;
  if (invoice === null)
    return new Refusal('invoice_not_found', 'No invoice of this id exists in the environment.');
  if (mailer === null) return new Refusal('email_not_available', 'This installation sends no e-mail.');
  const recipients = recipientsOf(invoice, request);
  if (isRefusal(recipients)) return recipients;
  const { copyTo } = await readSettings(db.pool, environmentId);
  const addresses = recipients.length + (copyTo === null ? 0 : 1);
  const limited = await rateLimits.takeEmails({ environmentId, environment: invoice.environment }, addresses);
  if (isRefusal(limited)) return limited;
  const formats = [...new Set(request.formats ?? [])];
  if (formats.length > 0) {
    const offered = await formatsOffered(sending, { environmentId, invoiceId });
    if (isRefusal(offered)) return offered;
    const refused = offered.find(({ format, refusal }) => refusal !== null && formats.includes(format));
    if (refused?.refusal) return refused.refusal;
  }
  const { language } = invoice;
  const content = { invoiceId, recipients, message: request.message ?? null, formats, language };
  return inTransaction<Outcome<Email>>(db.pool, async (client) => {
    const email = newEmail(mailer, { ...content, copyTo, kind: 'invoice', reminder: null, by: requester.by });
    await queueEmail(client, environmentId, email);
    if (claim !== null) await saveAnswer(client, claim, email);
    if (requester.operator !== null) {
      const entry = { action: 'send_invoice', subject: invoiceId, environmentId };
      await addAuditEntry(client, { ...entry, ...requester.operator, details: { emailId: email.id } });
    }
    return email;
  });
}

/** Duplicate addresses count once, ignoring case. */
function recipientsOf({ number, recipientEmail }: InvoiceToSend, { to }: SendRequest): Outcome<string[]> {
  const addresses = to ?? (recipientEmail === null ? [] : [recipientEmail]);
  const distinct = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  if (distinct.size > 0) return [...distinct.values()];
  return new Refusal('recipient_email_missing', `Invoice ${number} names no e-mail address: send \`to\`.`);
}

/** The e-mails of an invoice, newest first. */
export function emailsOfInvoice(
  { pool }: Pick<Db, 'pool'>,
  environmentId: number,
  invoiceId: string,
): Listed<Email> {
  return emailsOf(pool, environmentId, invoiceId);
}

/**
 * The first rows of the e-mails of several invoices or, `backwards`, the last ones, in the direction in which they are read, by
 * the keys of the invoices.
 */
export function emailsOfInvoices(
  { pool }: Pick<Db, 'pool'>,
  invoices: readonly RowKey[],
  range: { readonly rows: number; readonly backwards: boolean },
): Promise<Map<string, readonly Email[]>> {
  return readEmailsOf(pool, invoices, range);
}

/** How many e-mails several invoices have, each counted up to `max`, by the keys of the invoices. */
export function emailCountsOf(
  { pool }: Pick<Db, 'pool'>,
  invoices: readonly RowKey[],
  max: number,
): Promise<Map<string, number>> {
  return countEmailsOf(pool, invoices, max);
}

/** E-mails by their environments and ids. */
export function emailsById({ pool }: Pick<Db, 'pool'>, keys: readonly RowKey[]): Promise<Map<string, Email>> {
  return readEmailsById(pool, keys);
}
