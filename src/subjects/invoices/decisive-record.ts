type Standing = 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';

/** Whether the agency has accepted a record. */
function isAccepted(status: string): boolean {
  return status === 'registered' || status === 'registered_with_errors';
}

/**
 * The registration record whose state is that of its invoice, of its records in the order of their generation: the newest that the
 * agency has accepted, because an amendment that is under way or was refused changes nothing there; else the newest that was not
 * skipped, else the newest. Undefined for an imported invoice. `store/read-decisive.ts` of `chain` has the same in SQL.
 */
export function decisiveRecord<
  R extends { readonly kind: 'registration' | 'cancellation'; readonly status: Standing },
>(records: readonly R[]): R | undefined {
  const registrations = records.filter(({ kind }) => kind === 'registration');
  return (
    registrations.findLast(({ status }) => isAccepted(status)) ??
    registrations.findLast(({ status }) => status !== 'skipped') ??
    registrations.at(-1)
  );
}
