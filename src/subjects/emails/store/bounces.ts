import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, environmentOf, execute, readRow } from '../../../ground/db/rows.ts';
import { append, type NewEntry } from '../../../ground/journal/append.ts';
import type { ReportChanges } from '../apply-report.ts';
import { email } from '../shapes.ts';
import { COLUMNS, TABLES } from './columns.ts';

/**
 * An e-mail by its id only, its state locked until the caller's transaction ends, with the database's time; null
 * when there is none.
 */
export async function lockEmail(client: Queryable, id: string) {
  const environmentId = await environmentOf(client, 'invoice_email', id);
  if (environmentId === null) return null;
  return readRow(
    client,
    email.extend({ environmentId: column.whole, lockedAt: column.instant }),
    `select e.environment_id as "environmentId", ${COLUMNS}, now() as "lockedAt" from ${TABLES}
      where e.environment_id = $1 and e.id = $2 for no key update of s`,
    [environmentId, id],
  );
}

/**
 * Records a report on an e-mail that the caller's transaction has locked, and appends a journal entry if it made
 * the e-mail fail.
 */
export async function recordBounce(
  client: Queryable,
  environmentId: number,
  id: string,
  { status, reason, deliveries, lastError, nextAt, settledAt }: ReportChanges,
  entry: NewEntry | null,
): Promise<void> {
  await execute(
    client,
    `update invoice_email_state
        set status = $3::email_status, reason = $4, deliveries = $5::jsonb, last_error = $6, next_at = $7, settled_at = $8
      where environment_id = $1 and email_id = $2`,
    [environmentId, id, status, reason, JSON.stringify(deliveries), lastError, nextAt, settledAt],
  );
  if (entry !== null) await append(client, [entry]);
}
