import { hash } from 'node:crypto';

/** What a node is the hash of: a byte 1, and the hashes of both halves (RFC 6962 section 2.1). One piece of memory serves all. */
const node = Buffer.alloc(65, 1);

function parent(left: Buffer, right: Buffer): Buffer {
  left.copy(node, 1);
  right.copy(node, 33);
  return hash('sha256', node, 'buffer');
}

/**
 * The Merkle tree over the entries of a journal (RFC 6962 section 2.1), of which an entry's hash is already the leaf. It
 * takes leaves one by one and keeps the roots of whole subtrees alone: some twenty hashes for a million entries.
 */
export class MerkleTree {
  #size = 0;
  /** The roots of the whole subtrees of which the leaves so far are made, the largest first. */
  readonly #subtrees: Buffer[] = [];

  get size(): number {
    return this.#size;
  }

  /**
   * Adds the hash of the next entry; or the root over the next `leaves` entries, a power of two of which the size so far is a
   * multiple.
   */
  add(root: Buffer, leaves = 1): void {
    let subtree = root;
    // As many subtrees of one size meet as the size so far ends with ones in binary.
    for (let count = this.#size / leaves; count % 2 === 1; count = (count - 1) / 2) {
      subtree = parent(this.#subtrees.pop()!, subtree);
    }
    this.#subtrees.push(subtree);
    this.#size += leaves;
  }

  /** The root over all leaves; of none it is the hash of nothing. */
  root(): Buffer {
    if (this.#size === 0) return hash('sha256', '', 'buffer');
    return this.#subtrees.reduceRight((right, left) => parent(left, right));
  }
}

/** The root over these hashes. */
export function rootOver(hashes: readonly Buffer[]): Buffer {
  const tree = new MerkleTree();
  for (const leaf of hashes) tree.add(leaf);
  return tree.root();
}

/** The hashes by which a leaf leads to the root over all: from its neighbour upwards (RFC 6962 section 2.1.1). */
export function inclusionPath(hashes: readonly Buffer[], index: number): Buffer[] {
  if (hashes.length <= 1) return [];
  const half = 2 ** Math.ceil(Math.log2(hashes.length) - 1);
  const [left, right] = [hashes.slice(0, half), hashes.slice(half)];
  return index < half
    ? [...inclusionPath(left, index), rootOver(right)]
    : [...inclusionPath(right, index - half), rootOver(left)];
}

/**
 * The root to which a path leads from the leaf at an index of a tree of that size; null when the path is too long or too
 * short for it (RFC 9162 section 2.1.3.2).
 */
export function rootByPath(
  leaf: Buffer,
  index: number,
  size: number,
  path: readonly Buffer[],
): Buffer | null {
  if (index >= size) return null;
  let [place, last] = [index, size - 1];
  let root = leaf;
  for (const sibling of path) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      root = parent(sibling, root);
      // It was the last of its level alone: it stands for the levels that it has no neighbour on.
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      root = parent(root, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : null;
}
