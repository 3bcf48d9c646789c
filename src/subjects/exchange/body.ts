/** Reads the body of an answer; null when it is longer than `max` bytes, and then the rest is not read. */
export async function bodyUpTo(response: Response, max: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > max) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
