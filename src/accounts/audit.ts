import type { Queryable } from '../db/queryable.ts';
import { newId } from '../lib/ids.ts';

/** Who does something that only operators may: `opk_…` for an operator's key, `cli:<user>` at the command line. */
export type Actor = string;

/** What an operator did, to what, and why. */
export type AuditEntry = {
  readonly environmentId: number | null;
  readonly actor: Actor;
  readonly action: string;
  /** The id of what it was done to. */
  readonly subject: string;
  readonly reason: string;
  readonly details?: object;
};

/** Notes an operator's act in the caller's transaction: without the entry there is no act. */
export async function writeAudit(client: Queryable, entry: AuditEntry): Promise<void> {
  const { environmentId, actor, action, subject, reason, details } = entry;
  await client.query(
    `insert into audit_entry (id, environment_id, actor, action, subject, reason, details)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [newId('aud'), environmentId, actor, action, subject, reason, details ?? null],
  );
}
