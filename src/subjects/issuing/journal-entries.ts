import type { NewEntry } from '../../ground/journal/append.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import { invoiceText } from '../../ground/journal/content.ts';
import { settledEntry } from '../chain/settled-entry.ts';
import type { StoredInvoice } from '../invoices/rows.ts';

/** The journal entry of an invoice that was just sealed. In the test environment it is registered at once. */
export function issuedEntries(
  bodyHash: string,
  { invoice, record, registration }: StoredInvoice,
): NewEntry[] {
  const environmentId = invoice.environment_id;
  const issued: NewEntry = {
    ...{ environmentId, type: 'invoice.issued', subjectId: invoice.id, recordId: record.id },
    ...{ at: invoice.issued_at, contentHash: sha256(invoiceText(bodyHash, invoice, record)) },
  };
  if (registration === 'pending') return [issued];
  const state = { record_id: record.id, status: registration, settled_at: record.generated_at };
  return [issued, settledEntry({ environmentId, invoiceId: invoice.id }, state)];
}
