import { hash } from 'node:crypto';

/**
 * The input of a node's hash: a byte 1, and the hashes of both halves (RFC 6962 section 2.1). One buffer is reused.
 */
const node = Buffer.alloc(65, 1);

function parent(leftHash: Buffer, rightHash: Buffer): Buffer {
  leftHash.copy(node, 1);
  rightHash.copy(node, 33);
  return hash('sha256', node, 'buffer');
}

/**
 * The Merkle tree over the entries of a journal (RFC 6962 section 2.1); an entry's hash is already the leaf hash.
 * It takes leaves one by one and stores only the roots of complete subtrees: about twenty hashes for a million
 * entries.
 */
export class MerkleTree {
  #size = 0;
  /** The roots of the complete subtrees, the largest first. */
  readonly #subtrees: Buffer[] = [];

  get size(): number {
    return this.#size;
  }

  /**
   * Adds the hash of the next entry; or the root over the next `leaves` entries, a power of two that divides the
   * current size.
   */
  add(root: Buffer, leaves = 1): void {
    let subtree = root;
    // As many subtrees merge as the binary representation of the size ends with ones.
    for (let count = this.#size / leaves; count % 2 === 1; count = (count - 1) / 2) {
      subtree = parent(this.#subtrees.pop()!, subtree);
    }
    this.#subtrees.push(subtree);
    this.#size += leaves;
  }

  /** The root over all leaves; without leaves the hash of nothing. */
  root(): Buffer {
    if (this.#size === 0) return hash('sha256', '', 'buffer');
    return this.#subtrees.reduceRight((rightHash, leftHash) => parent(leftHash, rightHash));
  }
}

/** The root over these hashes. */
export function rootOver(hashes: readonly Buffer[]): Buffer {
  const tree = new MerkleTree();
  for (const leaf of hashes) tree.add(leaf);
  return tree.root();
}

/** The path from a leaf to the root over all hashes: siblings from the bottom up (RFC 6962 section 2.1.1). */
export function inclusionPath(hashes: readonly Buffer[], index: number): Buffer[] {
  if (hashes.length <= 1) return [];
  const middle = half(hashes.length);
  const [leftHash, rightHash] = [hashes.slice(0, middle), hashes.slice(middle)];
  return index < middle
    ? [...inclusionPath(leftHash, index), rootOver(rightHash)]
    : [...inclusionPath(rightHash, index - middle), rootOver(leftHash)];
}

/**
 * The root computed from a path and the leaf at an index of a tree of that size; null when the path is too long or
 * too short (RFC 9162 section 2.1.3.2).
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
      // A node without a sibling on its level: it moves up until it has one.
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    } else {
      root = parent(root, sibling);
    }
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : null;
}

/** The root over a range of leaves, the end excluded. */
export type RootOf = (start: number, end: number) => Promise<Buffer>;

/** The largest power of two below a size: where a tree of that size is split. */
const half = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);

/**
 * The hashes from which the root over the first `size` leaves and that over `end` can both be computed, which
 * proves that the first are a prefix of the others (RFC 6962 section 2.1.2). 0 < `size` <= `end`.
 */
export function consistencyPath(size: number, end: number, rootOf: RootOf): Promise<Buffer[]> {
  return pathBetween(size, { start: 0, end }, true, rootOf);
}

/** `size` counts from `start`; `isWhole`: these leaves are all of the earlier tree, whose root is known. */
async function pathBetween(
  size: number,
  { start, end }: { readonly start: number; readonly end: number },
  isWhole: boolean,
  rootOf: RootOf,
): Promise<Buffer[]> {
  if (size === end - start) return isWhole ? [] : [await rootOf(start, end)];
  const leftHash = half(end - start);
  const middle = start + leftHash;
  return size <= leftHash
    ? [...(await pathBetween(size, { start, end: middle }, isWhole, rootOf)), await rootOf(middle, end)]
    : [
        ...(await pathBetween(size - leftHash, { start: middle, end }, false, rootOf)),
        await rootOf(start, middle),
      ];
}

type Root = { readonly size: number; readonly root: Buffer };

/**
 * Whether the path proves that the later tree begins with all leaves of the earlier one (RFC 9162 section 2.1.4.2).
 */
export function isConsistent(earlier: Root, later: Root, path: readonly Buffer[]): boolean {
  if (earlier.size < 1 || earlier.size > later.size) return false;
  if (earlier.size === later.size) return path.length === 0 && earlier.root.equals(later.root);
  if (path.length === 0) return false;
  // If the earlier tree is one complete subtree of the later, the path omits its root, which is known.
  const isSubtree = Number.isInteger(Math.log2(earlier.size));
  const [first, ...rest] = isSubtree ? [earlier.root, ...path] : path;
  let [place, last] = [earlier.size - 1, later.size - 1];
  while (place % 2 === 1) [place, last] = up(place, last);
  let [before, after] = [first!, first!];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      before = parent(sibling, before);
      after = parent(sibling, after);
      while (place % 2 === 0 && place !== 0) [place, last] = up(place, last);
    } else {
      after = parent(after, sibling);
    }
    [place, last] = up(place, last);
  }
  return last === 0 && before.equals(earlier.root) && after.equals(later.root);
}

const up = (place: number, last: number): [number, number] => [Math.floor(place / 2), Math.floor(last / 2)];
