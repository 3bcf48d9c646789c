import { createHash } from 'node:crypto';

const NODE = Buffer.from([1]);

const parent = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

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

  /** Adds the hash of the next entry. */
  add(leaf: Buffer): void {
    let subtree = leaf;
    // As many subtrees of one size meet as the size so far ends with ones in binary.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      subtree = parent(this.#subtrees.pop()!, subtree);
    }
    this.#subtrees.push(subtree);
    this.#size += 1;
  }

  /** The root over all leaves; of none it is the hash of nothing. */
  root(): Buffer {
    if (this.#size === 0) return createHash('sha256').digest();
    return this.#subtrees.reduceRight((right, left) => parent(left, right));
  }
}
