import type { Queryable } from '../../ground/db/queryable.ts';
import type { ConsistencyProof } from './consistency-file.ts';
import { SUBTREE } from './journal-tree.ts';
import { newestCheckpoint, subtreeRoots } from './store/checkpoints.ts';
import { hashesAfter, journalsNamed } from './store/heads.ts';
import { consistencyPath, MerkleTree } from './tree.ts';

/**
 * That the newest checkpoint of a journal extends the one over its first `size` entries; null when there is none that covers so
 * many. Reads the hashes of at most two subtrees and the roots of the others. Whether the earlier checkpoint is such a one,
 * only who has it can tell.
 */
export async function proveConsistency(
  client: Queryable,
  environmentId: number,
  size: number,
): Promise<ConsistencyProof | null> {
  const later = await newestCheckpoint(client, environmentId);
  if (later === null || size < 1 || size > later.size) return null;
  const roots = await subtreeRoots(client, environmentId);
  const read = new Map<number, Promise<Buffer[]>>();
  const leavesOf = (subtree: number) => {
    const leaves =
      read.get(subtree) ??
      hashesAfter(
        client,
        environmentId,
        subtree * SUBTREE,
        Math.min(SUBTREE, later.size - subtree * SUBTREE),
      );
    read.set(subtree, leaves);
    return leaves;
  };
  const path = await consistencyPath(size, later.size, async (start, end) => {
    const tree = new MerkleTree();
    let position = start;
    // A range that is longer than a subtree begins with one.
    for (; position + SUBTREE <= end && position % SUBTREE === 0; position += SUBTREE) {
      const root = roots[position / SUBTREE];
      if (root === undefined) break;
      tree.add(root, SUBTREE);
    }
    while (position < end) {
      const subtree = Math.floor(position / SUBTREE);
      const until = Math.min(end, (subtree + 1) * SUBTREE);
      const leaves = await leavesOf(subtree);
      for (const leaf of leaves.slice(position - subtree * SUBTREE, until - subtree * SUBTREE))
        tree.add(leaf);
      position = until;
    }
    return tree.root();
  });
  return { size, checkpoint: later.note, path: path.map((each) => each.toString('base64')) };
}

/** The same for the journal with a name; returns why there is none. */
export async function proveSince(
  client: Queryable,
  { origin, size }: { readonly origin: string; readonly size: number },
): Promise<ConsistencyProof | 'missing' | 'shorter'> {
  const [environmentId] = await journalsNamed(client, origin);
  if (environmentId === undefined) return 'missing';
  return (await proveConsistency(client, environmentId, size)) ?? 'shorter';
}
