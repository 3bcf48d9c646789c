import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { RefusedRow } from './source-row.ts';

const HEADER = 'line,code,reason\n';

/**
 * The file with the refused rows of an import: line, code and reason, as CSV. Created with the first of them. An
 * import that continues after `lastLine` keeps the rows of the report up to there and drops the rest, which was
 * written but never committed; one that starts from the beginning replaces the report.
 */
export class Report {
  readonly #path: string;
  #file: FileHandle | null = null;

  private constructor(path: string) {
    this.#path = path;
  }

  static async open(path: string, lastLine: number): Promise<Report> {
    const report = new Report(path);
    const length = lastLine === 0 ? 0 : await lengthUpTo(path, lastLine);
    if (length === 0) await rm(path, { force: true });
    else {
      report.#file = await open(path, 'r+');
      await report.#file.truncate(length);
      await report.#file.close();
      report.#file = await open(path, 'a');
    }
    return report;
  }

  /** Writes the rows, and returns when they are on disk: before their batch is committed. */
  async add(rows: readonly RefusedRow[]): Promise<void> {
    if (rows.length === 0) return;
    let text = '';
    if (this.#file === null) {
      // It contains data of customers' invoices: only the operator may read it.
      this.#file = await open(this.#path, 'w', 0o600);
      text = HEADER;
    }
    for (const { line, code, reason } of rows) text += `${line},${code},${quoted(reason)}\n`;
    await this.#file.appendFile(text);
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

/** One cell on one line, so that a report can be truncated between lines. */
function quoted(text: string): string {
  return `"${text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll('"', '""')}"`;
}

/** The number of bytes of a report about lines up to this one; 0 when there are none. */
async function lengthUpTo(path: string, lastLine: number): Promise<number> {
  if ((await stat(path).catch(() => null)) === null) return 0;
  let length = 0;
  for await (const entry of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (entry !== HEADER.trimEnd() && Number.parseInt(entry, 10) > lastLine) break;
    length += Buffer.byteLength(entry) + 1;
  }
  return length;
}
