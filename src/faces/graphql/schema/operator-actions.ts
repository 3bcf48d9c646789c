import { type Acting, type ActorAndReason, readReason } from '../../../ground/journal/audit-log.ts';
import type { Caller, Operator } from '../../../subjects/accounts/entry/caller.ts';
import { builder } from '../builder.ts';
import { environmentArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';

/** The arguments of every action that merchants perform themselves and operators for them, beside its subject. */
export const operatorActionArguments = builder.args((t) => ({
  ...environmentArguments,
  reason: t.string({
    description: 'The reason; kept in the audit log. Required with an operator’s key.',
  }),
}));

/** The actor and the reason, which an operator must give and a merchant may; `invalid_request` for one that is none. */
export function actingCaller(
  { caller }: { readonly caller: Caller | Operator },
  reason: string | null | undefined,
): Acting {
  const isUnstated = caller.kind === 'merchant' && reason == null;
  return {
    actor: caller.keyId,
    reason: isUnstated ? null : valueOrThrow(readReason({ reason: reason ?? '' })),
  };
}

/** The actor and the reason if it is an operator; `invalid_request` without a reason. */
export function operatorAction(
  { caller }: { readonly caller: Caller | Operator },
  reason: string | null | undefined,
): ActorAndReason | null {
  if (caller.kind === 'merchant') return null;
  return { actor: caller.keyId, reason: valueOrThrow(readReason({ reason: reason ?? '' })) };
}
