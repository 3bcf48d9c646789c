import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { isSameName } from '../../ground/lib/same-name.ts';
import { includesRole, type OperatorRole } from '../accounts/entry/permissions.ts';
import { readOperatorNames } from '../accounts/store/read-keys.ts';
import { GATED } from './actions.ts';
import { expiryFrom } from './gate.ts';
import { lockApproval, setDecision } from './store/approvals.ts';
import type { Approval } from './store/read-approvals.ts';

/** Who decides, and which role they have. */
export type Decider = ActorAndReason & { readonly role: OperatorRole };

/**
 * Approves what another operator asked for, or declines it; the audit log says who, and why. 400 `invalid_request` for a request that
 * does not exist or is not open any more, 403 `forbidden` for whoever asked for it, has the same name, or lacks the role that the act
 * takes. To decline is also open to whoever asked, and until an approved act is done.
 */
export async function decideApproval(
  db: Pick<Db, 'pool'>,
  by: Decider,
  { id, decision }: { readonly id: string; readonly decision: 'approved' | 'declined' },
): Promise<Outcome<Approval>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<Approval>>(db.pool, async (client) => {
    const now = clock.now();
    const asked = await lockApproval(client, id, now);
    if (asked === null) return invalidField('id', 'not_found', 'there is no such request for approval');
    const refusal = notOpen(asked, decision) ?? (await mayNot(client, by, asked, decision));
    if (refusal !== null) return refusal;
    const expiresAt = decision === 'approved' ? expiryFrom(now) : asked.expiresAt;
    const decided = await setDecision(client, { id, decision, decidedBy: by.actor, now, expiresAt });
    const { action, subject, environmentId, askedBy } = asked;
    await addAuditEntry(client, {
      ...{ actor: by.actor, action: decision === 'approved' ? 'give_approval' : 'decline_approval' },
      ...{ subject: id, environmentId, reason, details: { action, subject, askedBy } },
    });
    return decided;
  });
}

function notOpen({ state }: Approval, decision: 'approved' | 'declined'): Refusal | null {
  if (state === 'open' || (state === 'approved' && decision === 'declined')) return null;
  return invalidField('id', 'invalid_value', `the request is ${state}`);
}

async function mayNot(
  client: Queryable,
  { actor, role }: Decider,
  { action, askedBy }: Approval,
  decision: 'approved' | 'declined',
): Promise<Refusal | null> {
  if (decision === 'declined' && actor === askedBy) return null;
  if (!includesRole(role, GATED[action])) {
    return new Refusal('forbidden', `To decide on ${action} takes the role \`${GATED[action]}\`.`);
  }
  if (decision === 'declined') return null;
  const names = await readOperatorNames(client, [actor, askedBy]);
  const nameOf = (id: string) => names.get(id) ?? id.replace(/^cli:/, '');
  if (actor !== askedBy && !isSameName(nameOf(actor), nameOf(askedBy))) return null;
  return new Refusal('forbidden', 'Whoever asked for an approval cannot give it: another operator has to.');
}
