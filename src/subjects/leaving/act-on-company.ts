import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { lockEnvironments } from './store/close.ts';

/**
 * Does something to a company while it is locked, given the numbers of its environments, and records it if it did anything. Refuses with
 * 400 `invalid_request` an unknown company (`not_found`) and an invalid reason.
 */
export async function actOnCompany(
  { pool }: Pick<Db, 'pool'>,
  by: ActorAndReason,
  companyId: string,
  action: string,
  act: (client: Queryable, environments: readonly number[]) => Promise<boolean>,
): Promise<Outcome<{ readonly companyId: string }>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<{ readonly companyId: string }>>(pool, async (client) => {
    const environments = await lockEnvironments(client, companyId);
    if (environments.length === 0) return noCompany();
    if (await act(client, environments)) {
      await addAuditEntry(client, { ...by, reason, action, subject: companyId, environmentId: null });
    }
    return { companyId };
  });
}

export const noCompany = () => invalidField('companyId', 'not_found', 'there is no such company');
