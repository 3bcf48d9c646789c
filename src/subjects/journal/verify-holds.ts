import type { Queryable } from '../../ground/db/queryable.ts';
import { canonicalJson } from '../../ground/journal/canonical.ts';
import type { JournalFinding } from './finding.ts';
import { hasLaterEntry, type StoredEntry } from './store/entries.ts';
import { readHolds } from './store/rows.ts';

const TYPES: readonly string[] = ['chain.held', 'chain.released'];

/**
 * Compares the holds of chains with the newest entry about each: as long as one is held nothing is issued on it, which somebody
 * could lift bypassing the service.
 */
export async function verifyHolds(
  client: Queryable,
  environmentId: number,
  entries: readonly StoredEntry[],
  add: (finding: JournalFinding) => void,
): Promise<void> {
  const ofHolds = entries.filter(({ type, content }) => TYPES.includes(type) && content !== null);
  const rows = await readHolds(
    client,
    environmentId,
    ofHolds.map(({ content }) => (JSON.parse(content!) as { chain_id: number }).chain_id),
  );
  for (const entry of ofHolds) {
    const { position, subjectId, recordId, content: expected } = entry;
    const row = rows.get(subjectId);
    const found = row === undefined ? null : canonicalJson(row);
    if (found === expected) continue;
    if (found !== null && (await hasLaterEntry(client, environmentId, entry, TYPES))) continue;
    const what = found === null ? 'journal_row_missing' : 'journal_content';
    add({ position, subjectId, recordId, what, expected, found });
  }
}
