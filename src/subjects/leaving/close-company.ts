import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { clock } from '../../ground/lib/clock.ts';
import { endEnvironment, lockEnvironments, markClosed } from './store/close.ts';

/**
 * Closes a company for good: nothing is issued any more, its keys are revoked, the links to its customers' pages and its webhook
 * endpoints are deleted, its schedules end and no reminders are sent. What was issued is still registered and rendered, and operators
 * read, void and amend it; another company of the NIF may succeed it. Closing it again changes nothing. Refuses an unknown company
 * with 400 `invalid_request` (`not_found`).
 */
export async function closeCompany(
  { pool }: Pick<Db, 'pool'>,
  by: ActorAndReason,
  companyId: string,
): Promise<Outcome<{ readonly companyId: string }>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction<Outcome<{ readonly companyId: string }>>(pool, async (client) => {
    const environments = await lockEnvironments(client, companyId);
    if (environments.length === 0) return invalidField('companyId', 'not_found', 'there is no such company');
    const now = clock.now();
    if (!(await markClosed(client, companyId, now))) return { companyId };
    // An invoice that is being issued holds its chain: it is issued before this goes on.
    for (const environmentId of environments) await endEnvironment(client, environmentId, now);
    const entry = { ...by, reason, action: 'close_company', subject: companyId, environmentId: null };
    await addAuditEntry(client, entry);
    return { companyId };
  });
}
