import type { Queryable } from '../../ground/db/queryable.ts';
import { emailText } from '../../ground/journal/content.ts';
import type { JournalFinding } from './finding.ts';
import { hasLaterEmailEntry, type StoredEntry } from './store/entries.ts';
import { readEmails, type StoredEmail } from './store/rows.ts';

const TYPES: readonly string[] = ['invoice.sent', 'invoice.email_failed'];

type EmailContent = { readonly email_id: string };

/**
 * Compares e-mails with the entries about them in a batch: what was requested by the hash in the entry, the outcome by the newest
 * entry, because an e-mail that was sent may be reported as failed later.
 */
export async function verifyEmails(
  client: Queryable,
  environmentId: number,
  entries: readonly StoredEntry[],
  add: (finding: JournalFinding) => void,
): Promise<void> {
  const ofEmails = entries
    .filter(({ type, content }) => TYPES.includes(type) && content !== null)
    .map((entry) => ({ entry, content: JSON.parse(entry.content!) as EmailContent }));
  const ids = ofEmails.map(({ content }) => content.email_id);
  const rows = await readEmails(client, environmentId, ids);
  for (const { entry, content } of ofEmails) {
    const { type, position, subjectId, recordId } = entry;
    const row = rows.get(content.email_id);
    const expected = `${type} ${subjectId} ${entry.content}`;
    const found = row === undefined ? null : outcomeOf(row);
    if (found === expected) continue;
    if (found !== null && (await hasLaterEmailEntry(client, environmentId, entry, content.email_id)))
      continue;
    const what = found === null ? 'journal_row_missing' : 'journal_content';
    add({ position, subjectId, recordId, what, expected, found });
  }
}

/** Type, subject and content of the entry that the rows would have now. */
function outcomeOf(row: StoredEmail): string {
  const { status, reason, invoice_id } = row;
  const type = status === 'sent' ? 'invoice.sent' : status === 'failed' ? 'invoice.email_failed' : status;
  return `${type} ${invoice_id} ${emailText(row, reason)}`;
}
