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
 * The type of the entry of a settled record. That the agency refused an amendment or a cancellation is an event of its own: what it
 * holds of the invoice is what it held before.
 */
function settledType(status: SettledState['status'], corrects: Correction | null) {
  return status === 'rejected' && corrects !== null
    ? (`invoice.${corrects}_rejected` as const)
    : (`invoice.${status}` as const);
}

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
  return {
    environmentId,
    type: settledType(state.status, corrects),
    subjectId: invoiceId,
    recordId: state.record_id,
    at: state.settled_at,
    contentHash: sha256(settledText(state, answered)),
  };
}
