import type { Refusal } from '../../ground/errors/refusal.ts';

/** One old invoice as it stands in the file: a line of JSON, or consecutive lines of CSV with the same number. */
export type SourceRow = {
  /** The line of the file where it begins, counted from 1, and the one where it ends. */
  readonly line: number;
  readonly lastLine: number;
  /** Its fields by the operations' names, not yet looked at; or why they cannot be read. */
  readonly value: unknown;
};

/** The file cannot be read on from here: nothing after this line can be trusted. */
export class UnreadableFile extends Error {
  readonly line: number;

  constructor(line: number, why: string) {
    super(`line ${line}: ${why}`);
    this.name = 'UnreadableFile';
    this.line = line;
  }
}

/** A row that was not imported, and why. */
export type RefusedRow = { readonly line: number; readonly code: ReportCode; readonly reason: string };

/** The service's codes, and two that only a row of a file can meet. */
export type ReportCode = Refusal['code'] | 'number_already_used' | 'totals_differ';

/** What stands in a text that was not UTF-8. */
export const NOT_UTF8 = '\ufffd';

/** Another process imports the same file into the same environment, and has got further meanwhile. */
export class ImportUnderWay extends Error {}
