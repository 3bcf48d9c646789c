/**
 * What the agency knows of an invoice, by what became of its records, and so which flags its next record must carry
 * (validations v1.2.2 of 2026-04-08, sections 6.1 and 6.2). Pure.
 */

/** One record of the invoice. `errorCode` is the agency's. */
export type RecordFacts = {
  readonly kind: 'registration' | 'cancellation';
  readonly status: 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';
  readonly errorCode: string | null;
};

/** Of an amendment: RechazoPrevio, beside Subsanacion=S; and whether what it amends was accepted without errors. */
export type AmendmentFlags = {
  readonly previouslyRejected: 'S' | 'X' | null;
  readonly isAcceptedAsIs: boolean;
};

/** Of a cancellation: SinRegistroPrevio and RechazoPrevio. */
export type CancellationFlags = {
  readonly withoutPriorRecord: boolean;
  readonly previouslyRejected: boolean;
};

/** Rejections that show what the agency holds: the invoice already, cancelled already; or nothing of it. */
const DUPLICATE_CODES = ['3000', '3001'];
const UNKNOWN_CODE = '3002';

/** Whether the agency holds a record of the invoice, accepted or, according to its answer, from elsewhere. */
function isHeld(records: readonly RecordFacts[]): boolean {
  let held = false;
  for (const { status, errorCode } of records) {
    if (status === 'registered' || status === 'registered_with_errors') held = true;
    else if (status === 'rejected' && errorCode === UNKNOWN_CODE) held = false;
    else if (status === 'rejected' && DUPLICATE_CODES.includes(errorCode ?? '')) held = true;
  }
  return held;
}

/** Whether nothing of the invoice was ever reported to the agency. Skipped records were never sent. */
function isUnreported(records: readonly RecordFacts[]): boolean {
  return records.every(({ status }) => status === 'skipped');
}

const ofKind = (records: readonly RecordFacts[], kind: RecordFacts['kind']) =>
  records.filter((record) => record.kind === kind);

/**
 * What amending means for an invoice that is not voided. `records` in the order of their generation:
 * - `undeclared`: there is no record at all, it was imported;
 * - `pending`: one of them is still on its way;
 * - `unreported`: it was deliberately never declared;
 * - otherwise the flags of the amending record. What was accepted without errors may be amended too, where something
 *   changes (validations 4.3.1, third case).
 */
export function amendmentFlags(
  records: readonly RecordFacts[],
): 'undeclared' | 'pending' | 'unreported' | AmendmentFlags {
  if (records.length === 0) return 'undeclared';
  if (records.some(({ status }) => status === 'pending')) return 'pending';
  if (isUnreported(records)) return 'unreported';
  const registrations = ofKind(records, 'registration');
  const newest = registrations.findLastIndex(({ status }) => status !== 'skipped');
  // A skipped amendment leaves the one before it in force at the agency, with whatever was wrong with it.
  const isAcceptedAsIs =
    registrations[newest]?.status === 'registered' && newest === registrations.length - 1;
  if (!isHeld(records)) return { previouslyRejected: 'X', isAcceptedAsIs };
  const isRejectedAmendment = newest > 0 && registrations[newest]!.status === 'rejected';
  return { previouslyRejected: isRejectedAmendment ? 'S' : null, isAcceptedAsIs };
}

/**
 * What cancelling means for an invoice, whether it is voided already or not:
 * - `undeclared`: there is no record at all, it was imported;
 * - `pending`: one of its records is still on its way;
 * - `done`: it is cancelled at the agency, or the agency never heard of it and need not hear of its end;
 * - `unreported`: it was deliberately never declared, so its cancellation is not sent either;
 * - otherwise the flags of the cancellation record, which may be a further one after a rejected or skipped one.
 */
export function cancellationFlags(
  records: readonly RecordFacts[],
): 'undeclared' | 'pending' | 'done' | 'unreported' | CancellationFlags {
  if (records.length === 0) return 'undeclared';
  if (records.some(({ status }) => status === 'pending')) return 'pending';
  const cancellations = ofKind(records, 'cancellation');
  if (isUnreported(records)) return cancellations.length === 0 ? 'unreported' : 'done';
  const newest = cancellations.findLast(({ status }) => status !== 'skipped');
  if (newest !== undefined && newest.status !== 'rejected') return 'done';
  return { withoutPriorRecord: !isHeld(records), previouslyRejected: newest !== undefined };
}
