import type { Queryable } from '../../ground/db/queryable.ts';
import { JournalTree } from './journal-tree.ts';
import type { ReadNote } from './note.ts';
import { journalsNamed } from './store/heads.ts';

/** The result of comparing a journal with a checkpoint taken of it. */
export type CheckpointResult =
  /** It has all the entries that it had then, unchanged. */
  | 'extends'
  /** It has fewer entries. */
  | 'shorter'
  /** Entries that it had then have changed. */
  | 'rewritten'
  /** There is no such journal. */
  | 'missing'
  /** The note was not signed with this installation's key, or was changed since. */
  | 'not signed';

/** Computes the tree of a checkpoint from the current entries, in constant memory. */
export async function compareWithCheckpoint(client: Queryable, note: ReadNote): Promise<CheckpointResult> {
  if (!note.signed) return 'not signed';
  const [environmentId] = await journalsNamed(client, note.origin);
  if (environmentId === undefined) return 'missing';
  const tree = new JournalTree(client, environmentId);
  await tree.growTo(note.size);
  return resultOf(tree, note);
}

/** Compares a tree, read up to the checkpoint's size or the last entry, with the checkpoint. */
export function resultOf(tree: Pick<JournalTree, 'size' | 'root'>, note: ReadNote): CheckpointResult {
  if (!note.signed) return 'not signed';
  if (tree.size < note.size) return 'shorter';
  return tree.root().equals(note.root) ? 'extends' : 'rewritten';
}
