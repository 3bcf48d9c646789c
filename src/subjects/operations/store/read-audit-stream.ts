import { z } from 'zod';
import type { Queryable } from '../../../ground/db/queryable.ts';
import { column, readOneRow, readRow, readRows } from '../../../ground/db/rows.ts';
import { INSTALLATION } from '../../../ground/journal/entry.ts';

const placeRow = z.object({ position: column.whole, type: z.string(), id: z.string() });

/** The next entries of the installation's journal after a position: it gives them out in the order of commits, without gaps. */
export function readInstallationEntries(
  db: Queryable,
  after: number,
  limit: number,
): Promise<z.output<typeof placeRow>[]> {
  const text = `select position, type, subject_id as id from journal_entry
    where environment_id = $1 and position > $2 order by position limit $3`;
  return readRows(db, placeRow, text, [INSTALLATION, after, limit]);
}

const positionRow = z.object({ position: column.whole });

/** The position of the installation's last entry. */
export async function lastInstallationPosition(db: Queryable): Promise<number> {
  const text = 'select position from journal_head where environment_id = $1';
  return (await readOneRow(db, positionRow, text, [INSTALLATION])).position;
}

const stateRow = positionRow.extend({
  failingSince: column.instant.nullable(),
  lastError: z.string().nullable(),
});

/** How far the webhook of the audit log has come; null before anything was sent to it. */
export function readAuditWebhookState(db: Queryable): Promise<z.output<typeof stateRow> | null> {
  const text = `select position, failing_since as "failingSince", last_error as "lastError" from audit_webhook`;
  return readRow(db, stateRow, text);
}
