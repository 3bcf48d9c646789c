import type { NewEntry } from '../../ground/journal/append.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import { amendmentText, voidText } from '../../ground/journal/content.ts';
import type { FurtherRecord } from '../chain/append-record.ts';
import { settledEntry } from '../chain/settled-entry.ts';
import type { RecordRow } from '../chain/tail.ts';

type Status = FurtherRecord['status'];

/** The journal entry of a voided invoice; `row` is null when its cancellation is only resent. */
export function voidedEntries(record: RecordRow, status: Status, row: object | null): NewEntry[] {
  const contentHash = sha256(voidText(record, row as Record<string, unknown> | null));
  return withState(record, status, { type: 'invoice.voided', contentHash });
}

/** The journal entry of an amendment with its row. */
export function amendedEntries(record: RecordRow, status: Status, row: object): NewEntry[] {
  const contentHash = sha256(amendmentText(record, row as Record<string, unknown>));
  return withState(record, status, { type: 'invoice.amended', contentHash });
}

/** A record that is never sent is settled from the beginning. */
function withState(
  record: RecordRow,
  status: Status,
  change: { readonly type: 'invoice.voided' | 'invoice.amended'; readonly contentHash: string },
): NewEntry[] {
  const environmentId = record.environment_id;
  const invoiceId = record.invoice_id;
  const at = record.generated_at;
  const entry: NewEntry = { environmentId, subjectId: invoiceId, recordId: record.id, at, ...change };
  if (status === 'pending') return [entry];
  const state = { record_id: record.id, status, settled_at: record.generated_at };
  return [entry, settledEntry({ environmentId, invoiceId }, state)];
}
