import type { NewEntry } from '../../ground/journal/append.ts';
import { sha256 } from '../../ground/journal/canonical.ts';
import { settledText } from '../../ground/journal/content.ts';

/** A record's final state, in the column names of `record_state`. */
export type SettledState = {
  readonly record_id: string;
  readonly status: 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';
  readonly settled_at: Date | string;
  readonly error_code?: string | null;
  readonly error_message?: string | null;
  readonly receipt?: string | null;
  readonly submission_id?: string | null;
};

/**
 * The journal entry of a settled record. `answered` is the hash of the agency's answer (`receiptHash`), for a state
 * with a receipt.
 */
export function settledEntry(
  { environmentId, invoiceId }: { readonly environmentId: number; readonly invoiceId: string },
  state: SettledState,
  answered: string | null = null,
): NewEntry {
  return {
    environmentId,
    type: `invoice.${state.status}`,
    subjectId: invoiceId,
    recordId: state.record_id,
    at: state.settled_at,
    contentHash: sha256(settledText(state, answered)),
  };
}
