import { z } from 'zod';
import { type ReadNote, readNotes, type Verifier } from './note.ts';
import { isConsistent } from './tree.ts';

/** The first line of a file of consistency proofs; another format gets another number. */
export const CONSISTENCY_FORMAT = 'lacre consistency proof 1';

/** No tree that can exist has a longer path. */
const LONGEST_PATH = 64;

const hash = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/)
  .refine((encoded) => Buffer.from(encoded, 'base64').toString('base64') === encoded);

const proof = z.strictObject({
  /** How many entries the earlier checkpoint covers. */
  size: z.int().min(1),
  /** The later checkpoint, a signed note. */
  checkpoint: z.string().max(2_000),
  path: z.array(hash).max(LONGEST_PATH),
});

const file = z.strictObject({ format: z.literal(CONSISTENCY_FORMAT), proofs: z.array(proof).max(100_000) });

/** Proofs that later checkpoints extend earlier ones. The verifier provides the earlier ones. */
export type ConsistencyFile = z.output<typeof file>;
export type ConsistencyProof = z.output<typeof proof>;

/** The result of verifying one of the reader's checkpoints with the file. */
export type ConsistencyResult = {
  readonly origin: string;
  readonly size: number;
  /** How many entries the later checkpoint covers; null when the file has no proof for this one. */
  readonly extendedTo: number | null;
  /** Why it is not proven; null when it is. */
  readonly fault: string | null;
};

/** Parses a file of proofs; null for anything else. */
export function readConsistencyFile(text: string): ConsistencyFile | null {
  try {
    return file.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Whether each of the earlier checkpoints is proven to be extended, using only the public key: nothing that it
 * covered was changed or removed before the later one was taken.
 */
export function verifyConsistency(
  { proofs }: ConsistencyFile,
  earlier: readonly ReadNote[],
  verifier: Verifier,
): ConsistencyResult[] {
  const later = proofs.flatMap((each) =>
    readNotes(each.checkpoint, verifier).map((note) => ({ note, ...each })),
  );
  return earlier.map((own) => {
    const { origin, size } = own;
    const about = later.filter(({ note, size: from }) => note.origin === origin && from === size);
    const results = about.map((each) => ({ to: each.note.size, fault: faultOf(own, each) }));
    const best = results.find(({ fault }) => fault === null) ?? results[0];
    if (best === undefined) {
      return { origin, size, extendedTo: null, fault: 'the file has no proof from this checkpoint' };
    }
    return { origin, size, extendedTo: best.to, fault: best.fault };
  });
}

function faultOf(
  own: ReadNote,
  { note, path }: { readonly note: ReadNote; readonly path: readonly string[] },
): string | null {
  if (!own.signed) return 'the earlier checkpoint is not signed by this key';
  if (!note.signed) return 'the later checkpoint is not signed by this key';
  const hashes = path.map((encoded) => Buffer.from(encoded, 'base64'));
  return isConsistent(own, note, hashes) ? null : 'the later journal does not begin with the earlier one';
}
