import type { Queryable } from '../../ground/db/queryable.ts';
import { type ActorAndReason, addAuditEntry } from '../../ground/journal/audit-log.ts';

/**
 * Records in the audit log what an operator did to an environment's webhooks, as the last statement of the
 * transaction; merchants' own changes are not recorded.
 */
export async function recordWebhookAction(
  client: Queryable,
  by: ActorAndReason | null,
  entry: {
    readonly action: string;
    readonly subject: string;
    readonly environmentId: number;
    readonly details?: object;
  },
): Promise<void> {
  if (by !== null) await addAuditEntry(client, { ...entry, ...by });
}
