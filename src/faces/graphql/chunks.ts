import { setImmediate as nextTurn } from 'node:timers/promises';

/** Values that are read and returned without yielding the event loop: some 20 ms. */
const VALUES_OF_A_PIECE = 10_000;

/**
 * How many invoices of a page go into each piece when all of it has so many values. An invoice's part of them is taken
 * for that of its lines.
 */
export function chunkSizes(linesOf: readonly number[], values: number): number[] {
  const weights = linesOf.map((lines) => lines + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const max = (whole * VALUES_OF_A_PIECE) / values;
  const pieces: number[] = [];
  let weightOfPiece = Number.POSITIVE_INFINITY;
  for (const weight of weights) {
    if (weightOfPiece + weight > max) {
      pieces.push(0);
      weightOfPiece = 0;
    }
    pieces[pieces.length - 1]! += 1;
    weightOfPiece += weight;
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
