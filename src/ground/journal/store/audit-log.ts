import { z } from 'zod';
import { type Listed, listed } from '../../db/listed.ts';
import type { Queryable } from '../../db/queryable.ts';
import { column, execute, type RowKey, readRowOfEach } from '../../db/rows.ts';
import { appendCall } from './append.ts';

/** Adds an entry, in the column names of `audit_entry`, with what `entriesJson` makes of it; as the last of a transaction. */
export async function insertAuditEntry(client: Queryable, row: object, entries: string): Promise<void> {
  await execute(
    client,
    `with entry as (
       insert into audit_entry select * from json_populate_record(null::audit_entry, $1)
     )
     select ${appendCall('$2')}`,
    [JSON.stringify(row), entries],
  );
}

const entryRow = z.object({
  id: z.string(),
  environmentId: column.whole.nullable(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  reason: z.string().nullable(),
  // Changes of e-mail settings were noted as a list once.
  details: z.preprocess(
    (stored) => (Array.isArray(stored) ? { changed: stored } : stored),
    z.record(z.string(), z.unknown()).nullable(),
  ),
  at: column.instant,
});

export type AuditEntry = Readonly<z.output<typeof entryRow>>;

const COLUMNS = 'id, environment_id as "environmentId", actor, action, subject, reason, details, at';

/** Acts by their ids. */
export function readAuditEntriesById(
  db: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, AuditEntry>> {
  return readRowOfEach(db, entryRow, `select ${COLUMNS} from audit_entry where id = wanted.id`, keys);
}

/** What was done, the newest first. */
export function listAuditEntries(db: Queryable): Listed<AuditEntry> {
  return listed(db, {
    ...{ shape: entryRow, columns: COLUMNS },
    ...{ from: 'audit_entry', where: 'true', values: [], id: 'id' },
    ...{ order: ['at', 'id'], direction: 'desc' },
  });
}
