import type { Refusal } from '../../ground/errors/refusal.ts';

/** One invoice of the file: a line of JSON, or consecutive lines of CSV with the same number. */
export type SourceRow = {
  /** The lines of the file where it begins and ends, counted from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** Its fields by the operations' names, not validated yet; or why they cannot be read. */
  readonly value: unknown;
};

/** The file is unreadable from here: nothing after this line can be interpreted reliably. */
export class UnreadableFile extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = 'UnreadableFile';
    this.line = line;
  }
}

/** A row that was not imported, and why. */
export type RefusedRow = { readonly line: number; readonly code: ReportCode; readonly reason: string };

/** The service's codes, and two that occur only for rows of a file. */
export type ReportCode = Refusal['code'] | 'number_already_used' | 'totals_differ';

/** The replacement character of invalid UTF-8. */
export const NOT_UTF8 = '\ufffd';

/** Another process imports the same file into the same environment, and has progressed meanwhile. */
export class ImportUnderWay extends Error {}
