/** Permissions of keys (docs/contract.md#keys). */

/**
 * The scopes of a merchant's key. `issue` includes validating and exchanging; `correct` is voiding and amending.
 */
export const KEY_SCOPES = ['read', 'issue', 'correct', 'manage'] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** The roles of operators' keys; each includes those before it. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'admin'] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Whether a role includes another one. */
export function includesRole(role: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
}
