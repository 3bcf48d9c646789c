import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lines that are read and returned without yielding the event loop: some 20 ms. */
const LINES_OF_A_PIECE = 400;

/** How many invoices of a page go into each piece; `linesOf` has the lines of each. */
export function chunkSizes(linesOf: readonly number[]): number[] {
  const pieces: number[] = [];
  let room = 0;
  for (const lines of linesOf) {
    room -= 1 + lines;
    if (room < 0 || pieces.length === 0) {
      pieces.push(0);
      room = LINES_OF_A_PIECE - 1 - lines;
    }
    pieces[pieces.length - 1]! += 1;
  }
  return pieces;
}

/**
 * Reads a large page piece by piece, and answers at once with what its items will be: a piece is answered while the next
 * is read, and between two of them whatever else has arrived gets its turn.
 */
export function readInChunks<Item>(
  ids: readonly string[],
  pieces: readonly number[],
  read: (ids: readonly string[]) => Promise<Item[]>,
): Promise<Item>[] {
  const items: Promise<Item>[] = [];
  let before: Promise<unknown> = Promise.resolve();
  for (const size of pieces) {
    const own = ids.slice(items.length, items.length + size);
    const piece = before.then(() => nextTurn()).then(() => read(own));
    before = piece;
    for (const index of own.keys()) items.push(piece.then((found) => found[index]!));
  }
  return items;
}
