import type { Db } from '../../ground/db/client.ts';
import type { Queryable } from '../../ground/db/queryable.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { type Actor, addAuditEntry } from '../../ground/journal/audit-log.ts';
import { readEnvironmentToday } from '../accounts/entry/environment-time.ts';
import type { EmailSettingsChange } from './settings-request.ts';
import type { EmailSettings } from './shapes.ts';
import { lockSettings, readSettings, storeSettings } from './store/settings.ts';

/** The e-mail settings of an environment. */
export function emailSettingsOf({ pool }: Pick<Db, 'pool'>, environmentId: number): Promise<EmailSettings> {
  return readSettings(pool, environmentId);
}

/**
 * Changes the e-mail settings of an environment from now on, and records who did it; fields not in the change stay
 * unchanged.
 */
export function changeEmailSettings(
  { pool }: Pick<Db, 'pool'>,
  { actor, reason }: { readonly actor: Actor; readonly reason: string | null },
  environmentId: number,
  change: EmailSettingsChange,
): Promise<EmailSettings> {
  return inTransaction(pool, async (client) => {
    const before = await lockSettings(client, environmentId);
    const kept = <Name extends keyof EmailSettingsChange & keyof EmailSettings>(name: Name) =>
      (change[name] === undefined ? before[name] : change[name]) as EmailSettings[Name];
    const after: EmailSettings = {
      ...{ senderName: kept('senderName'), replyTo: kept('replyTo'), copyTo: kept('copyTo') },
      ...{ reminderLanguage: kept('reminderLanguage'), reminderMessage: kept('reminderMessage') },
      ...(await scheduleAfter(client, environmentId, before, change)),
    };
    await storeSettings(client, environmentId, after);
    const entry = { actor, action: 'set_email_settings', subject: `${environmentId}`, environmentId, reason };
    await addAuditEntry(client, { ...entry, details: { changed: Object.keys(change) } });
    return after;
  });
}

/**
 * The days of reminders from now on. A changed schedule begins today: earlier reminders are not sent afterwards.
 */
async function scheduleAfter(
  client: Queryable,
  environmentId: number,
  before: EmailSettings,
  { reminderDays: requestedDays }: EmailSettingsChange,
): Promise<Pick<EmailSettings, 'reminderDays' | 'remindersSince'>> {
  const reminderDays =
    requestedDays === undefined ? before.reminderDays : (requestedDays ?? []).toSorted((a, b) => a - b);
  const { remindersSince } = before;
  if (reminderDays.join() === before.reminderDays.join()) return { reminderDays, remindersSince };
  return { reminderDays, remindersSince: await readEnvironmentToday(client, environmentId) };
}
