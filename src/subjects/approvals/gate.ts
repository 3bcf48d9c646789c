import type { Config } from '../../ground/config/config.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type Actor, addAuditEntry, isOfEnvironment } from '../../ground/journal/audit-log.ts';
import { canonicalJson, sha256 } from '../../ground/journal/canonical.ts';
import { clock } from '../../ground/lib/clock.ts';
import { newId } from '../../ground/lib/ids.ts';
import type { GatedAction } from './actions.ts';
import { APPROVAL_LIMITS } from './limits.ts';
import { insertApproval, openRequests, useApproval } from './store/approvals.ts';

/** Whether acts need two persons. */
export type Gate = Pick<Config, 'twoPersons'>;

/** An act that somebody is about to do: `arguments` are all that decides what it does, without the reason. */
export type GatedAct = {
  readonly actor: Actor;
  readonly reason: string;
  readonly action: GatedAction;
  readonly subject: string;
  readonly environmentId: number | null;
  readonly arguments: object;
};

/** What the audit log says of the act: nothing if it needed no approval. */
export type Given = { readonly approval?: string; readonly approvedBy?: Actor };

/** When something expires that was asked or approved now. */
export const expiryFrom = (now: Date): Date =>
  new Date(now.getTime() + APPROVAL_LIMITS.approvalTime.value * 1_000);

/**
 * The one gate before what needs two persons; called in the transaction of the act, once it is known to be possible and before anything
 * is changed. What another operator has approved is used up with that transaction. Otherwise the request for it is recorded, and the act
 * is refused with 409 `approval_required`: the caller must then change nothing and let the transaction commit. The same act of the same
 * operator has one open request. What merchants and their customers do passes.
 */
export async function passGate(client: Queryable, gate: Gate, act: GatedAct): Promise<Outcome<Given>> {
  const { actor, reason, action, subject, environmentId } = act;
  if (!gate.twoPersons || isOfEnvironment(actor)) return {};
  const now = clock.now();
  const text = canonicalJson({ ...act.arguments, reason });
  const digest = sha256(canonicalJson({ action, subject, environmentId, arguments: text }));
  const which = { askedBy: actor, digest, now };
  const used = await useApproval(client, which);
  if (used !== null) return { approval: used.id, approvedBy: used.approvedBy };
  const { id: open, count } = await openRequests(client, which);
  if (open !== null) return required(open);
  if (count >= APPROVAL_LIMITS.openApprovals.value) {
    const detail = `Another operator has to approve this, and ${count} requests of yours wait already: have them decided first.`;
    return new Refusal('approval_required', detail);
  }
  const id = newId('apr');
  const asked = { id, action, subject, environmentId, arguments: text, digest, askedBy: actor };
  await insertApproval(client, { ...asked, askedAt: now, expiresAt: expiryFrom(now) });
  await addAuditEntry(client, {
    ...{ actor, action: 'ask_approval', subject: id, environmentId, reason },
    details: { action, subject, arguments: act.arguments },
  });
  return required(id);
}

const required = (id: string) =>
  new Refusal('approval_required', `Another operator has to approve ${id}; then repeat the same call.`);
