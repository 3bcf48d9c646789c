import type { Queryable } from '../../ground/db/queryable.ts';
import { JournalTree } from './journal-tree.ts';
import type { ReadNote } from './note.ts';
import { journalsNamed } from './store/heads.ts';

/** How a journal stands to a checkpoint that was taken of it. */
export type CheckpointResult =
  /** It has all the entries that it had then, and none of them is another one. */
  | 'extends'
  /** It has fewer entries. */
  | 'shorter'
  /** Entries that it had then are other ones now. */
  | 'rewritten'
  /** There is no such journal. */
  | 'missing'
  /** The note was not signed by this installation's key, or was changed since. */
  | 'not signed';

/** Recomputes the tree that a checkpoint was taken of from the entries as they are now, in constant memory. */
export async function compareWithCheckpoint(client: Queryable, note: ReadNote): Promise<CheckpointResult> {
  if (!note.signed) return 'not signed';
  const [environmentId] = await journalsNamed(client, note.origin);
  if (environmentId === undefined) return 'missing';
  const tree = new JournalTree(client, environmentId);
  await tree.growTo(note.size);
  return resultOf(tree, note);
}

/** How a tree that was read as far as the checkpoint goes, or as far as there are entries, stands to it. */
export function resultOf(tree: Pick<JournalTree, 'size' | 'root'>, note: ReadNote): CheckpointResult {
  if (!note.signed) return 'not signed';
  if (tree.size < note.size) return 'shorter';
  return tree.root().equals(note.root) ? 'extends' : 'rewritten';
}
