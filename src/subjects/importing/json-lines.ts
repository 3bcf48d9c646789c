import { createReadStream } from 'node:fs';
import { invalidField } from '../../ground/errors/refusal.ts';
import { camelKeys } from '../../ground/lib/case.ts';
import { NOT_UTF8, type SourceRow } from './source-row.ts';

/**
 * The maximum size of a request's body: 500 lines of the longest texts fit. A longer line is refused without
 * parsing.
 */
const LONGEST_LINE = 1024 * 1024;
/** The read-ahead buffer; larger ones are no faster. */
const PIECE = 256 * 1024;
const LINE_FEED = 10;

/**
 * The rows of a file of JSON lines, in constant memory, from the first line after `after`. Blank lines are skipped;
 * a line that is not JSON in UTF-8, or too long, is a refused row.
 */
export async function* readJsonLines(path: string, after: number): AsyncGenerator<SourceRow> {
  let line = 0;
  for await (const bytes of splitLines(path)) {
    line += 1;
    if (line <= after) continue;
    const value = bytes === null ? tooLong() : parse(bytes, line);
    if (value !== undefined) yield { line, lastLine: line, value };
  }
}

function tooLong() {
  return invalidField('line', 'too_big', `has more than ${LONGEST_LINE} bytes`);
}

function parse(bytes: Buffer, line: number): unknown {
  const text = bytes.toString('utf8');
  const json = line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
  if (json.trim() === '') return undefined;
  if (json.includes(NOT_UTF8)) return invalidField('line', 'invalid_format', 'is not UTF-8');
  try {
    return camelKeys(JSON.parse(json));
  } catch {
    return invalidField('line', 'invalid_format', 'is not JSON');
  }
}

/** The lines of a file without line ends; null for one that is too long to be kept in memory. */
async function* splitLines(path: string): AsyncGenerator<Buffer | null> {
  let partial: Buffer[] = [];
  let size = 0;
  const take = (piece: Buffer): void => {
    size += piece.length;
    if (size > LONGEST_LINE) partial = [];
    else if (piece.length > 0) partial.push(piece);
  };
  const finish = (): Buffer | null => {
    const whole = size > LONGEST_LINE ? null : partial.length === 1 ? partial[0]! : Buffer.concat(partial);
    partial = [];
    size = 0;
    return whole;
  };
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (size > 0) yield finish();
}
