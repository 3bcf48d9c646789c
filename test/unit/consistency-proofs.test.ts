import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  CONSISTENCY_FORMAT,
  type ConsistencyFile,
  verifyConsistency,
} from '../../src/subjects/journal/consistency-file.ts';
import { readNotes, signedNote, signerOf } from '../../src/subjects/journal/note.ts';
import { consistencyPath, isConsistent, rootOver } from '../../src/subjects/journal/tree.ts';

const MOST = 40;
const leaves = Array.from({ length: MOST }, (_, n) => createHash('sha256').update(String(n)).digest());
const rootTo = (size: number, of = leaves) => ({ size, root: rootOver(of.slice(0, size)) });
const range = async (start: number, end: number) => rootOver(leaves.slice(start, end));
const pathOf = (size: number, end: number) => consistencyPath(size, end, range);

describe('the path from one tree to a later one', () => {
  // RFC 6962 section 2.1.3 names the nodes of a tree of seven leaves.
  test.each([
    [3, [range(2, 3), range(3, 4), range(0, 2), range(4, 7)]],
    [4, [range(4, 7)]],
    [6, [range(4, 6), range(6, 7), range(0, 4)]],
  ])('from %i to 7 leaves is that of the example of RFC 6962', async (size, nodes) => {
    expect(await pathOf(size, 7)).toEqual(await Promise.all(nodes));
  });

  test('shows that the earlier one is its beginning, for any sizes, and nothing else does', async () => {
    const other = [...leaves];
    other[0] = createHash('sha256').update('another').digest();
    for (let end = 1; end <= MOST; end += 1) {
      for (let size = 1; size <= end; size += 1) {
        const path = await pathOf(size, end);
        const [earlier, later] = [rootTo(size), rootTo(end)];
        expect(isConsistent(earlier, later, path), `${size} ${end}`).toBe(true);
        const wrong = [
          isConsistent(rootTo(size, other), later, path),
          isConsistent(earlier, rootTo(end, other), path),
          isConsistent({ ...earlier, size: size + 1 }, later, path),
          isConsistent(earlier, later, [...path, leaves[0]!]),
          ...path.map((_, at) => isConsistent(earlier, later, path.toSpliced(at, 1))),
          ...path.map((_, at) => isConsistent(earlier, later, path.with(at, other[0]!))),
        ];
        expect(wrong.filter(Boolean), `${size} ${end}`).toEqual([]);
      }
    }
  });

  test('is refused from an empty or larger tree', async () => {
    expect(isConsistent(rootTo(0), rootTo(3), [])).toBe(false);
    expect(isConsistent(rootTo(3), rootTo(2), [])).toBe(false);
  });
});

describe('checkpoints that were stored outside', () => {
  const signer = signerOf('lacre', Buffer.alloc(32, 1));
  const stranger = signerOf('lacre', Buffer.alloc(32, 2));
  const noteOf = (size: number, by = signer, origin = 'co_1/live') =>
    signedNote({ origin, ...rootTo(size) }, by);
  const shown = async (kept: string, size: number, later: string, path?: readonly Buffer[]) => {
    const hashes = (path ?? (await pathOf(size, 20))).map((each) => each.toString('base64'));
    const file: ConsistencyFile = {
      format: CONSISTENCY_FORMAT,
      proofs: [{ size, checkpoint: later, path: hashes }],
    };
    return verifyConsistency(file, readNotes(kept, signer), signer);
  };

  test('are each shown to be extended, or the reason is given why not', async () => {
    const found = await shown(`${noteOf(5)}\n${noteOf(6)}`, 5, noteOf(20));
    expect(found).toEqual([
      { origin: 'co_1/live', size: 5, extendedTo: 20, fault: null },
      {
        ...{ origin: 'co_1/live', size: 6, extendedTo: null },
        fault: 'the file has no proof from this checkpoint',
      },
    ]);
  });

  test('are refused unless both are signed, and of the same journal', async () => {
    const faults = async (...given: Parameters<typeof shown>) =>
      (await shown(...given)).map(({ fault }) => fault);
    expect(await faults(noteOf(5, stranger), 5, noteOf(20))).toEqual([
      'the earlier checkpoint is not signed by this key',
    ]);
    expect(await faults(noteOf(5), 5, noteOf(20, stranger))).toEqual([
      'the later checkpoint is not signed by this key',
    ]);
    expect(await faults(noteOf(5), 5, noteOf(20, signer, 'co_2/live'))).toEqual([
      'the file has no proof from this checkpoint',
    ]);
    expect(await faults(noteOf(5), 5, noteOf(20), await pathOf(6, 20))).toEqual([
      'the later journal does not begin with the earlier one',
    ]);
  });
});
