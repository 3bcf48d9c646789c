import { z } from 'zod';

/** What of a series decides its numbers. */
export type Numbering = { readonly prefix: string; readonly yearly: boolean };

/** A series as callers see it. */
export type Series = Numbering & {
  readonly id: string;
  readonly type: 'standard' | 'rectifying';
  readonly isDefault: boolean;
  /** Holds what another system issued, and issues nothing. */
  readonly imported: boolean;
  readonly createdAt: Date;
};

/** Longer prefixes would let a number outgrow the agency's 60 characters once year and counter are added. */
const LONGEST_PREFIX = 20;
/**
 * Printable ASCII without the characters that the agency forbids in a number (validations 1130 and 1287). Held against
 * the letters as they were sent: capitals would make ASCII of others (`ı` is I, `ß` is SS), a prefix nobody asked for.
 */
const PREFIX_PATTERN = /^[!#-&(-;?-~]+$/;

/**
 * A schema for a prefix, read as it is stored and compared: without white space, in capitals. It refuses one of which
 * nothing is left, or that holds characters which the agency forbids in invoice numbers.
 */
export const seriesPrefix = z
  .string()
  .meta({ minLength: 1, pattern: `^\\s*([!#-&(-;?-~]\\s*){1,${LONGEST_PREFIX}}$` })
  .transform((sent) => sent.replace(/\s+/gu, ''))
  .superRefine((prefix, check) => {
    const fail = (reason: string, message: string) =>
      check.addIssue({ code: 'custom', message, params: { reason } });
    if (prefix === '') fail('too_small', 'must not be empty');
    else if (prefix.length > LONGEST_PREFIX)
      fail('too_big', `must have at most ${LONGEST_PREFIX} characters`);
    else if (!PREFIX_PATTERN.test(prefix)) {
      fail('invalid_characters', 'must be printable ASCII without quotes, < > and =');
    }
  })
  .transform((prefix) => prefix.toUpperCase());

/** The invoice number: `F-2026-1` in a yearly series, `F-1` in one that never starts again. */
export function composeNumber(series: Numbering, year: number, counter: number): string {
  return series.yearly ? `${series.prefix}-${year}-${counter}` : `${series.prefix}-${counter}`;
}

/** What follows `<PREFIX>-` in a number; a counter is a positive 32-bit integer, written without leading zeros. */
const COUNTER = '[1-9][0-9]{0,9}';

/** The form, as a regular expression of ours and of Postgres', of what follows `<PREFIX>-` in a series' numbers. */
export function countedPart({ yearly }: Pick<Numbering, 'yearly'>): string {
  return yearly ? `^[0-9]{4}-${COUNTER}$` : `^${COUNTER}$`;
}

/**
 * Whether the series' numbers could include this one, in any case of letters. Years that are over count too: the
 * question is whether the number reads as one of the series.
 */
export function couldCompose(series: Numbering, number: string): boolean {
  const start = `${series.prefix}-`;
  if (number.length <= start.length || asciiUpperCase(number.slice(0, start.length)) !== start) return false;
  return new RegExp(countedPart(series)).test(number.slice(start.length));
}

/** Prefixes are ASCII; other letters must not become it (`ı` to `I`). */
function asciiUpperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The year under which a series counts: that of Madrid, or 0 in a series that never starts again. */
export function countingYear(series: Numbering, madridYear: number): number {
  return series.yearly ? madridYear : 0;
}

/**
 * Whether two series with different prefixes could ever compose the same number. A number reads from its end:
 * counter, then year or prefix, so only `P` yearly against `P-<four digits>` not yearly can meet.
 */
export function numbersCollide(one: Numbering, other: Numbering): boolean {
  if (one.yearly === other.yearly) return one.prefix === other.prefix;
  const [yearly, plain] = one.yearly ? [one, other] : [other, one];
  return (
    plain.prefix.startsWith(`${yearly.prefix}-`) &&
    /^\d{4}$/.test(plain.prefix.slice(yearly.prefix.length + 1))
  );
}
