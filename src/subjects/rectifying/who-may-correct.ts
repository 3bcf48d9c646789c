import type { Actor } from '../../ground/journal/audit-log.ts';
import type { Caller, Operator } from '../accounts/entry/caller.ts';

/** Who corrects, and the environment `within` which they may; null for those who may in any. */
export type Corrector = { readonly actor: Actor; readonly within: number | null };

/**
 * Who may void an invoice, amend its record or exchange it: a merchant's key with the permission `correct` (for an exchange `issue`, because an
 * invoice is issued) what is of its own environment; an operator what is anybody's; a viewer nothing. The mutations declare the permission
 * (`faces/graphql/schema/corrections.ts`), so no other caller comes here. A visitor of the portal exchanges tickets of its own by the rules of
 * `customer-portal`.
 */
export function correctorOf(caller: Caller | Operator): Corrector {
  return { actor: caller.keyId, within: caller.kind === 'merchant' ? caller.environmentId : null };
}
