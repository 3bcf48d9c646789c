import { createReadStream } from 'node:fs';
import { CsvError, type Parser, parse } from 'csv-parse';
import { UnreadableFile } from './source-row.ts';

/** The longest cells have about 6,000 characters together; a longer record means that a quote was not closed. */
const LONGEST_RECORD = 64 * 1024;
const PIECE = 256 * 1024;

/** A record and the lines on which it begins and ends, counted from 1. */
type CsvRecord = { readonly cells: string[]; readonly line: number; readonly lastLine: number };

/**
 * The records of a CSV file in constant memory; a blank line is a record with one empty cell. Separated by commas,
 * or by semicolons if there is one in the first line. Throws `UnreadableFile` after the last valid record when
 * quotes do not match.
 */
export async function* readRecords(path: string): AsyncGenerator<CsvRecord> {
  const parser = new PieceParser(await separator(path));
  let line = 1;
  const located = (cells: string[]): CsvRecord => {
    const firstLine = line;
    const lastLine = firstLine + lineBreaksIn(cells);
    line = lastLine + 1;
    return { cells, line: firstLine, lastLine };
  };
  for await (const piece of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    for (const cells of await parser.parse(piece)) yield located(cells);
    if (parser.fault !== null) break;
  }
  for (const cells of await parser.end()) yield located(cells);
  if (parser.fault === null) return;
  if (!(parser.fault instanceof CsvError)) throw parser.fault;
  throw new UnreadableFile(line, `the quotes do not match, or the line is too long (${parser.fault.code})`);
}

/** Parses piece by piece: as a stream the parser would drop, with its error, the valid records before it. */
class PieceParser {
  fault: Error | null = null;
  #found: string[][] = [];
  readonly #parser: Parser;

  constructor(delimiter: string) {
    this.#parser = parse({
      bom: true,
      delimiter,
      relax_column_count: true,
      max_record_size: LONGEST_RECORD,
      on_record: (cells: string[]) => {
        this.#found.push(cells);
        return null;
      },
    });
    this.#parser.on('error', (error) => {
      this.fault ??= error;
    });
    this.#parser.resume();
  }

  /** The records that end in this piece. */
  async parse(piece: Buffer): Promise<string[][]> {
    await new Promise<void>((done) => {
      this.#parser.write(piece, (error) => {
        this.fault ??= error ?? null;
        done();
      });
    });
    return this.#take();
  }

  /** The record that had no end. */
  async end(): Promise<string[][]> {
    if (this.fault !== null) return [];
    await new Promise<void>((done) => {
      this.#parser.once('close', done).end();
    });
    return this.#take();
  }

  #take(): string[][] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

function lineBreaksIn(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\r|\n/g)!.length;
  }
  return breaks;
}

async function separator(path: string): Promise<string> {
  for await (const chunk of createReadStream(path, { end: 4_095 }) as AsyncIterable<Buffer>) {
    const first = /^[^\r\n]*/.exec(chunk.toString('utf8'))![0];
    return first.includes(';') ? ';' : ',';
  }
  return ',';
}
