import type { Queryable } from '../../ground/db/queryable.ts';
import { type ActorAndReason, addAuditEntry } from '../../ground/journal/audit-log.ts';

/**
 * Notes what an operator did to an environment's webhooks, as the last of the transaction that does it; what merchants
 * do to their own is not noted.
 */
export async function note(
  client: Queryable,
  by: ActorAndReason | null,
  act: {
    readonly action: string;
    readonly subject: string;
    readonly environmentId: number;
    readonly details?: object;
  },
): Promise<void> {
  if (by !== null) await addAuditEntry(client, { ...act, ...by });
}
