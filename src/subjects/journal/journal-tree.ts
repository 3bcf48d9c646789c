import type { Queryable } from '../../ground/db/queryable.ts';
import { hashesAfter } from './store/heads.ts';
import { MerkleTree } from './tree.ts';

/**
 * Entries of one stored subtree, a power of two. With a root stored for each, the tree of a million entries is
 * computed from a thousand roots and at most as many entries, and so is a path through it.
 */
export const SUBTREE = 1_024;

/** Entries read at a time: about five milliseconds, after which it yields to other work of the process. */
const BATCH = 4 * SUBTREE;

/** The tree over a journal as far as it was read. It collects the root of each complete subtree. */
export class JournalTree {
  readonly #client: Queryable;
  readonly #environmentId: number;
  readonly #tree = new MerkleTree();
  /** Over the entries since the last multiple of `SUBTREE`. */
  #open = new MerkleTree();
  /** The roots of the subtrees completed since the start. */
  readonly passed: Buffer[] = [];

  /**
   * Starts with the roots over the first entries, `SUBTREE` each; with none it is computed from the entries alone.
   */
  constructor(client: Queryable, environmentId: number, subtrees: readonly Buffer[] = []) {
    this.#client = client;
    this.#environmentId = environmentId;
    for (const root of subtrees) this.#tree.add(root, SUBTREE);
  }

  get size(): number {
    return this.#tree.size;
  }

  root(): Buffer {
    return this.#tree.root();
  }

  add(leaf: Buffer): void {
    this.#tree.add(leaf);
    this.#open.add(leaf);
    if (this.#open.size < SUBTREE) return;
    this.passed.push(this.#open.root());
    this.#open = new MerkleTree();
  }

  /** Reads until it covers this many entries, or all. */
  async growTo(size: number): Promise<void> {
    while (this.size < size) {
      const limit = Math.min(BATCH, size - this.size);
      const hashes = await hashesAfter(this.#client, this.#environmentId, this.size, limit);
      for (const leaf of hashes) this.add(leaf);
      if (hashes.length < limit) return;
    }
  }
}
