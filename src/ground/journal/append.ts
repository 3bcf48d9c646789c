import type { Queryable } from '../db/queryable.ts';
import { noteAppended } from '../db/transaction.ts';
import { sha256 } from './canonical.ts';
import type { EntryType } from './entry.ts';
import { appendEntries } from './store/append.ts';

/**
 * A change made by a transaction. Either its content is in rows that are sealed with it, and only its hash is stored; or it
 * is stored only with the entry (`content`, a canonical text).
 */
export type NewEntry = {
  /** The id of the environment, `auditJournalOf` it, or `INSTALLATION`. */
  readonly environmentId: number;
  readonly type: EntryType;
  /** The id of what has changed. */
  readonly subjectId: string;
  /** The registration or cancellation record that the change created or decided. */
  readonly recordId?: string;
  /** The time of the change; an entry is never earlier than the one before it, and takes that entry's time otherwise. */
  readonly at: Date | string;
} & ({ readonly contentHash: string } | { readonly content: string });

/** The entries as one JSON text for `appendCall`, in the order in which they get their positions. */
export function entriesJson(entries: readonly NewEntry[]): string {
  return JSON.stringify(
    entries.map((entry) => ({
      environment_id: entry.environmentId,
      type: entry.type,
      subject_id: entry.subjectId,
      record_id: entry.recordId,
      at: entry.at,
      content_hash: contentHashOf(entry),
      content: 'content' in entry ? entry.content : undefined,
    })),
  );
}

function contentHashOf(entry: NewEntry): string {
  return 'content' in entry ? sha256(entry.content) : entry.contentHash;
}

/** Has the last of the entries acknowledged with the caller's transaction. */
export function noteLast(client: Queryable, entries: readonly NewEntry[]): void {
  const last = entries.at(-1);
  if (last === undefined) return;
  const { environmentId, subjectId, type } = last;
  noteAppended(client, { environmentId, subjectId, type, contentHash: contentHashOf(last) });
}

/** Appends to the journals, in the caller's transaction and as the last rows that it locks. */
export async function append(client: Queryable, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await appendEntries(client, entriesJson(entries));
  noteLast(client, entries);
}
