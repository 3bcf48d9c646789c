import { z } from 'zod';
import { COUNTED, countedUpTo, type Listed, listed, type PageRequest, pageOf } from '../../db/listed.ts';
import type { Queryable } from '../../db/queryable.ts';
import { column, execute, insertWithin, OF_ALL, readOneRow, readRows } from '../../db/rows.ts';
import { invalidField } from '../../errors/refusal.ts';
import { appendCall, appendEntries } from './append.ts';

const OF_OPERATOR = `with entry as (
  insert into audit_entry select * from json_populate_record(null::audit_entry, $1)
)
select ${appendCall('$2')}`;

/**
 * Adds an entry, in the column names of its table, with what `entriesJson` makes of it; as the last of a transaction.
 * `isOwn`: to the log of its environment, else to that of operators.
 */
export async function insertAuditEntry(
  client: Queryable,
  row: Readonly<Record<string, unknown>> & { readonly environment_id: number | null },
  { isOwn, entries }: { readonly isOwn: boolean; readonly entries: string },
): Promise<void> {
  const { environment_id } = row;
  if (!isOwn || environment_id === null) {
    await execute(client, OF_OPERATOR, [JSON.stringify(row), entries]);
    return;
  }
  await insertWithin(client, 'environment_audit_entry', { ...row, environment_id });
  await appendEntries(client, entries);
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

/** What operators did, and what was done with merchants' keys: the first is nowhere but on the coordinator of a divided database. */
const LOGS = ['audit_entry', 'environment_audit_entry'] as const;

/** Acts by their ids, whoever did them. */
export async function readAuditEntriesById(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, AuditEntry>> {
  const found = await Promise.all(
    LOGS.map((log) =>
      readRows(db, entryRow, `${OF_ALL} select ${COLUMNS} from ${log} where id = any ($1)`, [ids]),
    ),
  );
  return new Map(found.flat().map((entry) => [entry.id, entry]));
}

/** What was done, the newest first: everything, or in one environment; both logs as one list. */
export function listAuditEntries(db: Queryable, environmentId: number | null = null): Listed<AuditEntry> {
  const [begin, where, values] =
    environmentId === null ? [OF_ALL, 'true', []] : ['', 'environment_id = $1', [environmentId]];
  const rowsOf = (log: string, request: PageRequest, cursors: ReadonlyMap<string, AuditEntry>) => {
    const given: unknown[] = [...values];
    const bound = (id: string | null, operator: string) => {
      const cursor = id === null ? undefined : cursors.get(id);
      return cursor === undefined
        ? ''
        : `and ${PLACE} ${operator} ($${given.push(cursor.at)}, $${given.push(cursor.id)})`;
    };
    const bounds = `${bound(request.after, '<')} ${bound(request.before, '>')}`;
    const read = request.backwards ? 'asc' : 'desc';
    const text = `${begin} select ${COLUMNS} from ${log} where ${where} ${bounds}
      order by at ${read}, id collate "C" ${read} limit $${given.push(request.size + 1)}`;
    return readRows(db, entryRow, text, given);
  };
  return {
    async page(request) {
      const { after, before, backwards, size } = request;
      const named = [after, before].filter((id) => id !== null);
      const cursors = named.length === 0 ? new Map() : await readAuditEntriesById(db, named);
      const isOfList = (id: string) =>
        cursors.has(id) && (environmentId === null || cursors.get(id)!.environmentId === environmentId);
      if (after !== null && !isOfList(after)) return unknownCursor('after');
      if (before !== null && !isOfList(before)) return unknownCursor('before');
      const rows = (await Promise.all(LOGS.map((log) => rowsOf(log, request, cursors)))).flat();
      rows.sort((one, other) => (backwards ? inOrder(one, other) : inOrder(other, one)));
      return pageOf(rows.slice(0, size + 1), request);
    },
    async count() {
      const text = (log: string) =>
        `${begin} select count(*)::int as count from (select 1 from ${log} where ${where} limit ${COUNTED + 1}) as found`;
      const counts = await Promise.all(LOGS.map((log) => readOneRow(db, countRow, text(log), values)));
      return countedUpTo(counts.reduce((sum, { count }) => sum + count, 0));
    },
  };
}

const PLACE = '(at, id collate "C")';
const countRow = z.object({ count: column.whole });

const unknownCursor = (argument: 'after' | 'before') =>
  invalidField(argument, 'invalid_value', 'is not a cursor of this list');

function inOrder(one: AuditEntry, other: AuditEntry): number {
  const [before, after] = [one.at.getTime() - other.at.getTime(), one.id < other.id ? -1 : 1];
  return before === 0 ? after : before;
}

const NEWEST_FIRST = { id: 'id', order: ['at', 'id'], direction: 'desc' } as const;

/** What was done in an environment with its own keys, the newest first. */
export function listOwnAuditEntries(db: Queryable, environmentId: number): Listed<AuditEntry> {
  return listed(db, {
    ...{ shape: entryRow, columns: COLUMNS, from: 'environment_audit_entry', ...NEWEST_FIRST },
    ...{ where: 'environment_id = $1', values: [environmentId] },
  });
}
