import { z } from 'zod';
import { type Listed, listed } from '../../db/listed.ts';
import type { Queryable } from '../../db/queryable.ts';
import { column, execute, type RowKey, readRowOfEach } from '../../db/rows.ts';
import { appendCall } from './append.ts';

const OF_OPERATOR = `with entry as (
  insert into audit_entry select * from json_populate_record(null::audit_entry, $1)
)
select ${appendCall('$2')}`;

const OF_ENVIRONMENT = `with entry as (
  insert into environment_audit_entry select * from json_populate_record(null::environment_audit_entry, $1)
)
select ${appendCall('$2')}`;

/**
 * Adds an entry, in the column names of its table, with what `entriesJson` makes of it; as the last of a transaction.
 * `isOwn`: to the log of its environment, else to that of operators.
 */
export async function insertAuditEntry(
  client: Queryable,
  { isOwn, row, entries }: { readonly isOwn: boolean; readonly row: object; readonly entries: string },
): Promise<void> {
  await execute(client, isOwn ? OF_ENVIRONMENT : OF_OPERATOR, [JSON.stringify(row), entries]);
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

const STORED = 'id, environment_id, actor, action, subject, reason, details, at';
const COLUMNS = 'id, environment_id as "environmentId", actor, action, subject, reason, details, at';

/** What operators did and what was done with merchants' keys, as one table. */
const EVERYTHING = `(select ${STORED} from audit_entry union all select ${STORED} from environment_audit_entry) as act`;

/** Acts by their ids, whoever did them. */
export function readAuditEntriesById(
  db: Queryable,
  keys: readonly RowKey[],
): Promise<Map<string, AuditEntry>> {
  return readRowOfEach(db, entryRow, `select ${COLUMNS} from ${EVERYTHING} where id = wanted.id`, keys);
}

const NEWEST_FIRST = { id: 'id', order: ['at', 'id'], direction: 'desc' } as const;

/** What was done, the newest first: everything, or in one environment. */
export function listAuditEntries(db: Queryable, environmentId: number | null = null): Listed<AuditEntry> {
  return listed(db, {
    ...{ shape: entryRow, columns: COLUMNS, from: EVERYTHING, ...NEWEST_FIRST },
    ...(environmentId === null
      ? { where: 'true', values: [] }
      : { where: 'environment_id = $1', values: [environmentId] }),
  });
}

/** What was done in an environment with its own keys, the newest first. */
export function listOwnAuditEntries(db: Queryable, environmentId: number): Listed<AuditEntry> {
  return listed(db, {
    ...{ shape: entryRow, columns: COLUMNS, from: 'environment_audit_entry', ...NEWEST_FIRST },
    ...{ where: 'environment_id = $1', values: [environmentId] },
  });
}
