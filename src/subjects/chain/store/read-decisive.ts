/** Which of an invoice's registration records decides its registration status: `decisiveRecord` in SQL. */

/** Whether the agency has accepted the record of a state. */
export const ACCEPTED = (state: string): string =>
  `${state}.status in ('registered', 'registered_with_errors')`;

/** Of the registration records of an invoice the one with the greatest of these values decides. */
export const STANDING = (record: string, state: string): string =>
  `(${ACCEPTED(state)}, ${state}.status <> 'skipped', ${record}.chain_id, ${record}.position)`;

/** The order that has the decisive one first. */
export const DECISIVE_FIRST = `(${ACCEPTED('state')}) desc, (state.status <> 'skipped') desc,
  record.chain_id desc, record.position desc`;

/**
 * Whether an amendment of the environment `$1` counts: it, or one that includes what it changed, was accepted by the agency; or nothing was yet, so
 * that only amendments say what is meant to be declared.
 */
export const AMENDMENT_COUNTS = (amendment: string): string => {
  const accepted = (condition: string) => `exists (
    select 1 from registration_record record
      join record_state state on state.environment_id = record.environment_id and state.record_id = record.id
     where record.environment_id = $1 and record.invoice_id = ${amendment}.invoice_id
       and record.kind = 'registration' and ${ACCEPTED('state')} ${condition})`;
  const since = `and (record.chain_id, record.position) >= (
    select own.chain_id, own.position from registration_record own
     where own.environment_id = $1 and own.id = ${amendment}.record_id)`;
  return `(not ${accepted('')} or ${accepted(since)})`;
};
