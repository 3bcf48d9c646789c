/**
 * Characters with which a cell begins that spreadsheets compute. Some take the full-width forms for them too (OWASP, CSV Injection).
 */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/u;

/** A text as a cell of CSV that no spreadsheet computes: prefixed with an apostrophe where it could be a formula. */
export function uncomputed(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}
