import type { Queryable } from '../../ground/db/queryable.ts';
import { SealedRows } from './contents.ts';
import { SUBTREE } from './journal-tree.ts';
import type { Verifier } from './note.ts';
import { isFault, PROOF_FORMAT, type ProofFile, tlogProof, verifyProof } from './proof-file.ts';
import { newestCheckpoint, subtreeRoots } from './store/checkpoints.ts';
import { issuedEntry } from './store/entries.ts';
import { hashesAfter } from './store/heads.ts';
import { inclusionPath, rootOver } from './tree.ts';

/**
 * The inclusion proof of an invoice in the newest checkpoint that covers it; null while none does. Reads the hashes
 * of one or two subtrees and the roots of the others. Throws when the rows, the journal and the checkpoint
 * contradict each other.
 */
export async function proveInvoice(
  client: Queryable,
  verifier: Verifier,
  { environmentId, invoiceId }: { readonly environmentId: number; readonly invoiceId: string },
): Promise<ProofFile | null> {
  const entry = await issuedEntry(client, environmentId, invoiceId);
  const checkpoint = await newestCheckpoint(client, environmentId);
  if (entry === null || checkpoint === null || checkpoint.size < entry.position) return null;
  const rows = new SealedRows(client, environmentId);
  await rows.load([entry]);
  const text = rows.textOf(entry);
  const body = rows.bodyOf(invoiceId);
  const [index, previous] = [entry.position - 1, entry.previous];
  const path = await pathTo(client, environmentId, index, checkpoint.size);
  const proof = {
    format: PROOF_FORMAT,
    entry: {
      ...{ position: entry.position, type: entry.type, subject_id: invoiceId, record_id: entry.recordId },
      ...{ created_at: entry.createdAt.toISOString(), previous: previous ?? '0'.repeat(64) },
    },
    content: JSON.parse(text ?? 'null'),
    body: JSON.parse(body ?? 'null'),
    xml: rows.xmlOf(entry.recordId),
    tlog_proof: tlogProof(index, path, checkpoint.note),
  };
  const proven = verifyProof(proof, verifier);
  if (isFault(proven)) {
    throw new Error(`the proof of ${invoiceId} would not be one: ${proven.part} ${proven.reason}`);
  }
  return proof as ProofFile;
}

/** From an entry to the root over the first `size`: through its own subtree, and then through the roots of all. */
async function pathTo(
  client: Queryable,
  environmentId: number,
  index: number,
  size: number,
): Promise<Buffer[]> {
  const whole = Math.floor(size / SUBTREE);
  const own = Math.floor(index / SUBTREE);
  const leavesOf = (subtree: number) =>
    hashesAfter(client, environmentId, subtree * SUBTREE, Math.min(SUBTREE, size - subtree * SUBTREE));
  const leaves = await leavesOf(own);
  const roots = (await subtreeRoots(client, environmentId)).slice(0, whole);
  // The last subtree is rarely complete: its root is that over its leaves at the time.
  if (size % SUBTREE > 0) roots.push(rootOver(own === whole ? leaves : await leavesOf(whole)));
  return [...inclusionPath(leaves, index % SUBTREE), ...inclusionPath(roots, own)];
}
