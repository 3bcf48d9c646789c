import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { environmentsToArchive } from './store/rows.ts';

/**
 * Records who takes out everything of a company, and why, before it is made. Refuses an unknown company with 400 `invalid_request`
 * (`not_found`).
 */
export async function noteExport(
  { pool }: Pick<Db, 'pool'>,
  by: ActorAndReason,
  companyId: string,
): Promise<Outcome<{ readonly companyId: string }>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  if ((await environmentsToArchive(pool, companyId)).length === 0) {
    return invalidField('companyId', 'not_found', 'there is no such company');
  }
  await inTransaction(pool, (client) =>
    addAuditEntry(client, {
      ...by,
      reason,
      action: 'export_company',
      subject: companyId,
      environmentId: null,
    }),
  );
  return { companyId };
}
