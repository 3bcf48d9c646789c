import type { NewEntry } from '../../ground/journal/append.ts';
import { emailText } from '../../ground/journal/content.ts';
import type { Email } from './shapes.ts';

/** The journal entry about an e-mail that was sent or has failed. It covers the row of `invoice_email`. */
export function settledEntry(
  environmentId: number,
  email: Email,
  {
    status,
    reason,
    at,
  }: { readonly status: 'sent' | 'failed'; readonly reason: Email['reason']; readonly at: Date },
): NewEntry {
  const { id, kind, reminder, recipients, message, language, formats } = email;
  const row = {
    ...{ id, kind, reminder, recipients, message, language, formats },
    invoice_id: email.invoiceId,
    message_id: email.messageId,
    requested_by: email.requestedBy,
    requested_at: email.requestedAt,
  };
  return {
    ...{ environmentId, type: status === 'sent' ? 'invoice.sent' : 'invoice.email_failed', at },
    subjectId: email.invoiceId,
    content: emailText(row, reason),
  };
}
