import type { Queryable } from '../../ground/db/queryable.ts';
import { NUMBER_SERIES, rowText } from '../../ground/journal/forms.ts';
import type { JournalFinding } from './finding.ts';
import { isJournaledLater, type StoredEntry } from './store/entries.ts';
import { readSeries } from './store/rows.ts';

const TYPES: readonly string[] = ['number_series.created', 'number_series.deleted'];

/**
 * Compares the rows of series with the entries about them in a batch: the entries contain what was created, but the
 * rows decide how the next invoices are numbered. A deleted series has no row.
 */
export async function verifySeries(
  client: Queryable,
  environmentId: number,
  entries: readonly StoredEntry[],
  add: (finding: JournalFinding) => void,
): Promise<void> {
  const journaled = entries.filter(({ type, content }) => TYPES.includes(type) && content !== null);
  const ids = journaled.map(({ subjectId }) => subjectId);
  const rows = await readSeries(client, environmentId, ids);
  for (const entry of journaled) {
    const { position, subjectId, recordId, type } = entry;
    const content = entry.content!;
    const row = rows.get(subjectId);
    const found = row === undefined ? null : rowText(NUMBER_SERIES, row);
    const deleted = type === 'number_series.deleted';
    if (deleted ? found === null : found === content) continue;
    const later = { type: 'number_series.deleted', content };
    if (found === null && (await isJournaledLater(client, environmentId, entry, later))) continue;
    const what = deleted ? 'journal_untold' : found === null ? 'journal_row_missing' : 'journal_content';
    add({ position, subjectId, recordId, what, expected: deleted ? null : content, found });
  }
}
