import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, execute, readRows } from '../../../ground/db/rows.ts';

const numbered = z.object({ id: column.whole });

/** The environments of a company, which stays as it is until the transaction ends; empty without such a company. */
export async function lockEnvironments(db: Queryable, companyId: string): Promise<number[]> {
  await execute(db, 'select 1 from company where id = $1 for update', [companyId]);
  const text = 'select id from environment where company_id = $1 order by id';
  return (await readRows(db, numbered, text, [companyId])).map(({ id }) => id);
}

/** Marks a company as closed; false if it is already. */
export async function markClosed(db: Queryable, companyId: string, at: Date): Promise<boolean> {
  const text = 'update company set left_at = $2 where id = $1 and left_at is null';
  return (await execute(db, text, [companyId, at])) === 1;
}

/** What ends at that time in an environment whose company is closed. */
const ENDED = [
  'update chain set issuing_ended_at = coalesce(issuing_ended_at, $2) where environment_id = $1 and closed_at is null',
  'update api_key set revoked_at = $2 where environment_id = $1 and revoked_at is null',
  "update invoice_schedule set status = 'ended', next_on = null, updated_at = $2 where environment_id = $1 and status <> 'ended'",
];
/** What is taken away. Deliveries and secrets go with their endpoint, visits with their session. */
const TAKEN_AWAY = [
  'delete from portal_session where environment_id = $1',
  'delete from webhook_endpoint where environment_id = $1',
  'update email_settings set reminder_days = default where environment_id = $1',
];

/** Ends issuing, keys, links to customers' pages, webhooks, schedules and reminders of an environment. */
export async function endEnvironment(db: Queryable, environmentId: number, at: Date): Promise<void> {
  for (const text of ENDED) await execute(db, text, [environmentId, at]);
  for (const text of TAKEN_AWAY) await execute(db, text, [environmentId]);
}
