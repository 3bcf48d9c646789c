import type { Queryable } from '../../ground/db/queryable.ts';
import { type AuditEntry, readAuditEntriesById } from '../../ground/journal/store/audit-log.ts';
import { readOperatorNames } from '../accounts/store/read-keys.ts';
import { readInstallationEntries } from './store/read-audit-stream.ts';

/** An entry of the audit log of operators in its place: position and JSON on one line. */
export type AuditLine = { readonly position: number; readonly id: string; readonly line: string };

/** What follows a position, and the position that was read up to: also what is no entry of the audit log has one. */
export type AuditPage = { readonly lines: readonly AuditLine[]; readonly reached: number };

const AT_ONCE = 200;

/**
 * What operators did after a position of the installation's journal, in the order of commits: whoever adds to that journal holds its
 * head until it has committed, so no entry appears before one that was read. Throws if the log lacks an entry that the journal has.
 */
export async function readAuditStream(db: Queryable, after: number): Promise<AuditPage> {
  const places = await readInstallationEntries(db, after, AT_ONCE);
  const own = places.filter(({ type }) => type === 'audit_entry.added');
  const entries = await readAuditEntriesById(
    db,
    own.map(({ id }) => id),
  );
  const names = await readOperatorNames(db, [...new Set([...entries.values()].map(({ actor }) => actor))]);
  const lines = own.map(({ position, id }) => {
    const entry = entries.get(id);
    if (entry === undefined) throw new Error(`the audit log lacks the entry ${id} at position ${position}`);
    return { position, id, line: lineOf(position, entry, names.get(entry.actor) ?? null) };
  });
  return { lines, reached: places.at(-1)?.position ?? after };
}

function lineOf(position: number, entry: AuditEntry, actorName: string | null): string {
  const { id, at, actor, action, subject, environmentId, reason, details } = entry;
  return JSON.stringify({
    ...{ position, id, at, actor, actor_name: actorName, action, subject },
    ...{ environment_id: environmentId, reason, details },
  });
}
