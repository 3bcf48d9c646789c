/** What keys may do (docs/contract.md#keys). */

/** What a merchant's key may be given: `issue` with validating and exchanging, `correct` is voiding and amending. */
export const KEY_SCOPES = ['read', 'issue', 'correct', 'manage'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Of operators' keys: each may do what those before it may. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'admin'] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Whether a role may do what needs another one. */
export function reaches(role: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
}

/** There are sixteen sets at most, and every request has one of them: each is made once. */
const sets = new Map<string, ReadonlySet<KeyScope>>();

/** The scopes that the database tells of a key, separated by commas. */
export function scopeSet(listed: string): ReadonlySet<KeyScope> {
  let set = sets.get(listed);
  if (set === undefined) {
    set = new Set(KEY_SCOPES.filter((scope) => listed.split(',').includes(scope)));
    sets.set(listed, set);
  }
  return set;
}
