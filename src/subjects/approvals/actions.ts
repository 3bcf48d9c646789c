import type { OperatorRole } from '../accounts/entry/permissions.ts';

/**
 * The acts that need a second operator where the installation wants two, by their names in the audit log, and the role that it takes to
 * do or approve them: what cannot be taken back, and the keys with which one person could be the second one too.
 */
export const GATED = {
  skip_record: 'operator',
  void_invoice: 'operator',
  set_company_flags: 'admin',
  open_installation: 'admin',
  create_key: 'admin',
} as const satisfies Record<string, OperatorRole>;

export type GatedAction = keyof typeof GATED;

export const GATED_ACTIONS = Object.keys(GATED) as [GatedAction, ...GatedAction[]];
