/** Whether a number has letters of ASCII alone, as every one that is issued here. */
export const isAscii = (number: string): boolean => /^\p{ASCII}*$/u.test(number);

/**
 * SQL: whether a column has this number of an invoice, in any case of its letters. Numbers beyond ASCII, which only other systems give, have
 * indexes of their own: `upper` knows them or not, depending on the locale of the database.
 */
export function sameNumber(column: string, number: string, parameter: string): string {
  return isAscii(number)
    ? `upper(${column}) = upper(${parameter})`
    : sameNumberBeyondAscii(column, parameter);
}

/** The same for a number that is not known here. */
export function sameAnyNumber(column: string, parameter: string): string {
  return `(upper(${column}) = upper(${parameter}) or ${sameNumberBeyondAscii(column, parameter)})`;
}

function sameNumberBeyondAscii(column: string, parameter: string): string {
  return `in_capitals(${column}) = in_capitals(${parameter}) and octet_length(${column}) <> length(${column})`;
}
