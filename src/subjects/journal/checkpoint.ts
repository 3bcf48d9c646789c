import type { Queryable } from '../../ground/db/queryable.ts';
import type { Checkpoint, ReadNote } from './note.ts';
import { headOf } from './store/entries.ts';
import { hashesAfter, journalNumbers, journalsNamed } from './store/heads.ts';
import { MerkleTree } from './tree.ts';

/** Entries that are read at a time. */
const BATCH = 5_000;

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

/** A checkpoint of a journal as it is now, as of the caller's transaction; null when there is no such journal. */
export async function checkpointOf(client: Queryable, environmentId: number): Promise<Checkpoint | null> {
  const head = await headOf(client, environmentId);
  if (head === null) return null;
  const tree = await treeOf(client, environmentId, head.position);
  return { origin: head.origin, size: tree.size, root: tree.root() };
}

/** Checkpoints of all journals that have entries, that of the installation first. */
export async function checkpointsOf(client: Queryable): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  for (const journal of await journalNumbers(client)) {
    const checkpoint = await checkpointOf(client, journal);
    if (checkpoint !== null) found.push(checkpoint);
  }
  return found;
}

/** Recomputes the tree that a checkpoint was taken of from the journal as it is now, in constant memory. */
export async function compareWithCheckpoint(client: Queryable, note: ReadNote): Promise<CheckpointResult> {
  if (!note.signed) return 'not signed';
  const [environmentId] = await journalsNamed(client, note.origin);
  if (environmentId === undefined) return 'missing';
  const tree = await treeOf(client, environmentId, note.size);
  if (tree.size < note.size) return 'shorter';
  return tree.root().equals(note.root) ? 'extends' : 'rewritten';
}

async function treeOf(client: Queryable, environmentId: number, size: number): Promise<MerkleTree> {
  const tree = new MerkleTree();
  while (tree.size < size) {
    const limit = Math.min(BATCH, size - tree.size);
    const hashes = await hashesAfter(client, environmentId, tree.size, limit);
    for (const hash of hashes) tree.add(hash);
    if (hashes.length < limit) break;
  }
  return tree;
}
