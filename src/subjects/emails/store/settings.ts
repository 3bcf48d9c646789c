import type { Queryable } from '../../../ground/db/queryable.ts';
import { execute, readRow } from '../../../ground/db/rows.ts';
import { type EmailSettings, emailSettings, NO_SETTINGS } from '../shapes.ts';

/** The e-mail settings of an environment. */
export async function readSettings(client: Queryable, environmentId: number): Promise<EmailSettings> {
  const text = `
    select sender_name as "senderName", reply_to as "replyTo", copy_to as "copyTo", reminder_days as "reminderDays",
           reminder_language::text as "reminderLanguage", reminder_message as "reminderMessage",
           reminders_since::text as "remindersSince"
      from email_settings where environment_id = $1`;
  return (await readRow(client, emailSettings, text, [environmentId])) ?? NO_SETTINGS;
}

/** The same, locked until the caller's transaction ends, so that concurrent changes are serialized. */
export async function lockSettings(client: Queryable, environmentId: number): Promise<EmailSettings> {
  await execute(client, 'insert into email_settings (environment_id) values ($1) on conflict do nothing', [
    environmentId,
  ]);
  await execute(client, 'select 1 from email_settings where environment_id = $1 for update', [environmentId]);
  return readSettings(client, environmentId);
}

/** Stores the settings; the caller's transaction has locked them. */
export async function storeSettings(
  client: Queryable,
  environmentId: number,
  settings: EmailSettings,
): Promise<void> {
  const { senderName, replyTo, copyTo, reminderDays, reminderLanguage, reminderMessage, remindersSince } =
    settings;
  await execute(
    client,
    `update email_settings
        set sender_name = $2, reply_to = $3, reminder_days = $4, reminder_language = $5::document_language,
            reminder_message = $6, reminders_since = $7, copy_to = $8
      where environment_id = $1`,
    [
      environmentId,
      senderName,
      replyTo,
      reminderDays,
      reminderLanguage,
      reminderMessage,
      remindersSince,
      copyTo,
    ],
  );
}
