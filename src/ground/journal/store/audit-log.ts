import { z } from 'zod';
import type { Queryable } from '../../db/queryable.ts';
import { column, execute, readRows } from '../../db/rows.ts';
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
  details: z.record(z.string(), z.unknown()).nullable(),
  at: column.instant,
});

export type AuditEntry = Readonly<z.output<typeof entryRow>>;

/** Whether there is an entry of the id. */
export async function isEntry(db: Queryable, id: string): Promise<boolean> {
  return (await execute(db, 'select from audit_entry where id = $1', [id])) > 0;
}

/** At most `limit` entries, the newest first, those before `after` where it is given. */
export function readAuditEntries(
  db: Queryable,
  page: { readonly after: string | null; readonly limit: number },
): Promise<AuditEntry[]> {
  return readRows(
    db,
    entryRow,
    `select id, environment_id as "environmentId", actor, action, subject, reason, details, at
       from audit_entry
      where $1::text is null or (at, id) < (select at, id from audit_entry where id = $1)
      order by at desc, id desc limit $2`,
    [page.after, page.limit],
  );
}
