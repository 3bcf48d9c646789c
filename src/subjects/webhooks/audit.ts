import type { Queryable } from '../../ground/db/queryable.ts';
import { type Acting, addAuditEntry } from '../../ground/journal/audit-log.ts';

/**
 * Records in the audit log what a key did to an environment's webhooks, as the last statement of the transaction; what the
 * service does by itself (`by` null) is not recorded.
 */
export async function recordWebhookAction(
  client: Queryable,
  by: Acting | null,
  entry: {
    readonly action: string;
    readonly subject: string;
    readonly environmentId: number;
    readonly details?: object;
  },
): Promise<void> {
  if (by !== null) await addAuditEntry(client, { ...entry, ...by });
}
