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

/** What a record that was added to an invoice is. */
export type Correction = 'amendment' | 'void';

/**
 * The journal entry of a settled record. `answered` is the hash of the agency's answer (`receiptHash`), for a state
 * with a receipt.
 */
export function settledEntry(
  {
    environmentId,
    invoiceId,
    corrects = null,
  }: { readonly environmentId: number; readonly invoiceId: string; readonly corrects?: Correction | null },
  state: SettledState,
  answered: string | null = null,
): NewEntry {
  const { status } = state;
  return {
    environmentId,
    // That the agency refused an amendment or a cancellation is an event of its own: it holds of the invoice what it held before.
    type: status === 'rejected' && corrects !== null ? `invoice.${corrects}_rejected` : `invoice.${status}`,
    subjectId: invoiceId,
    recordId: state.record_id,
    at: state.settled_at,
    contentHash: sha256(settledText(state, answered)),
  };
}
