import type { Queryable } from '../../db/queryable.ts';
import { execute } from '../../db/rows.ts';

/**
 * For a statement that appends among other things: the call that takes the value of `entriesJson` as `parameter`, such as
 * `$3`, and answers how many were appended. It holds the journal's head until the transaction ends, and everybody who
 * changes something of the environment waits for it: nothing that somebody else may hold is to be locked after it
 * (docs/decisions/09-journal.md).
 */
export function appendCall(parameter: string): string {
  return `append_journal(${parameter}::json)`;
}

const APPEND = { name: 'append-journal', text: `select ${appendCall('$1')}` };

/** Appends what `entriesJson` makes, in the caller's transaction and as the last that it locks. */
export async function appendEntries(client: Queryable, entries: string): Promise<void> {
  await execute(client, APPEND, [entries]);
}
