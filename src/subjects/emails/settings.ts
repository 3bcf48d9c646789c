import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import type { EmailSettingsChange } from './settings-request.ts';
import type { EmailSettings } from './shapes.ts';
import { lockSettings, readSettings, storeSettings } from './store/settings.ts';

/** How an environment sends e-mail. */
export function emailSettingsOf({ pool }: Pick<Db, 'pool'>, environmentId: number): Promise<EmailSettings> {
  return readSettings(pool, environmentId);
}

/** Changes how an environment sends e-mail from now on, and notes who did it; what the change does not name stays. */
export function changeEmailSettings(
  { pool }: Pick<Db, 'pool'>,
  { actor, reason }: { readonly actor: Actor; readonly reason: string | null },
  environmentId: number,
  change: EmailSettingsChange,
): Promise<EmailSettings> {
  return inTransaction(pool, async (client) => {
    const before = await lockSettings(client, environmentId);
    const after: EmailSettings = {
      senderName: change.senderName === undefined ? before.senderName : change.senderName,
      replyTo: change.replyTo === undefined ? before.replyTo : change.replyTo,
    };
    await storeSettings(client, environmentId, after);
    const act = { actor, action: 'set_email_settings', subject: `${environmentId}`, environmentId, reason };
    await addAuditEntry(client, { ...act, details: Object.keys(change) });
    return after;
  });
}
