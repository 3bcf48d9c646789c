type Standing = 'pending' | 'registered' | 'registered_with_errors' | 'rejected' | 'skipped';

/** Which records decide before others: those that the agency has accepted, and those that were not skipped. */
const RANK: Readonly<Record<Standing, number>> = {
  ...{ registered: 2, registered_with_errors: 2 },
  ...{ pending: 1, rejected: 1, skipped: 0 },
};

/**
 * The registration record whose state is that of its invoice, of its records in the order of their generation: the newest that the
 * agency has accepted, because an amendment that is under way or was refused changes nothing there; else the newest that was not
 * skipped, else the newest. Undefined for an imported invoice. `store/read-decisive.ts` of `chain` has the same in SQL.
 */
export function decisiveRecord<
  R extends { readonly kind: 'registration' | 'cancellation'; readonly status: Standing },
>(records: readonly R[]): R | undefined {
  let decisive: R | undefined;
  for (const record of records) {
    if (record.kind !== 'registration') continue;
    if (decisive === undefined || RANK[record.status] >= RANK[decisive.status]) decisive = record;
  }
  return decisive;
}
