import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const PIECE = 1024 * 1024;
const LINE_FEED = 10;

/** The identity of a file, and its number of lines. */
export type FileSummary = { readonly sha256: Buffer; readonly lines: number };

/** Reads the file once, in constant memory. */
export async function summarizeFile(path: string): Promise<FileSummary> {
  const hash = createHash('sha256');
  let lines = 0;
  let endsInside = false;
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
    endsInside = chunk.at(-1) !== LINE_FEED;
  }
  return { sha256: hash.digest(), lines: lines + (endsInside ? 1 : 0) };
}
