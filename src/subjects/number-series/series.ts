import { z } from 'zod';

/** The properties of a series that determine its numbers. */
export type Numbering = { readonly prefix: string; readonly yearly: boolean };

/** What issuing needs to know of a series. */
export type SeriesFacts = Numbering & { readonly id: string };

/** A series as callers see it. */
export type Series = Numbering & {
  readonly id: string;
  readonly type: 'standard' | 'rectifying';
  readonly isDefault: boolean;
  /** Contains invoices of another system, and issues none. */
  readonly imported: boolean;
  readonly createdAt: Date;
};

/** With a longer prefix, year and counter could exceed the agency's 60 characters. */
const LONGEST_PREFIX = 20;
/**
 * Printable ASCII without the characters that the agency forbids in a number (validations 1130 and 1287). Checked
 * before conversion to capitals, which would turn other letters into ASCII (`ı` into I, `ß` into SS).
 */
const PREFIX_PATTERN = /^[!#-&(-;?-~]+$/;

/**
 * A schema for a prefix, returned as it is stored and compared: without white space, in capitals. It refuses an
 * empty one, and characters that the agency forbids in invoice numbers.
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

/** The invoice number: `F-2026-1` in a yearly series, `F-1` in one that never restarts. */
export function composeNumber(series: Numbering, year: number, counter: number): string {
  return series.yearly ? `${series.prefix}-${year}-${counter}` : `${series.prefix}-${counter}`;
}

/**
 * The rest of a number after `<PREFIX>-`; a counter is a positive 32-bit integer, written without leading zeros.
 */
const COUNTER = '[1-9][0-9]{0,9}';

/**
 * The form of the rest after `<PREFIX>-` in a series' numbers, as a regular expression for JavaScript and Postgres.
 */
export function countedPart({ yearly }: Pick<Numbering, 'yearly'>): string {
  return yearly ? `^[0-9]{4}-${COUNTER}$` : `^${COUNTER}$`;
}

/**
 * Whether the series' numbers could include this one, ignoring case. Past years count too: the question is whether
 * the number reads as one of the series.
 */
export function couldCompose(series: Numbering, number: string): boolean {
  const start = `${series.prefix}-`;
  if (number.length <= start.length || asciiUpperCase(number.slice(0, start.length)) !== start) return false;
  return new RegExp(countedPart(series)).test(number.slice(start.length));
}

/** Prefixes are ASCII; other letters must not become ASCII (`ı` to `I`). */
function asciiUpperCase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** The year of a series' counter: that of the issue day, or 0 in a series that never restarts. */
export function countingYear(series: Numbering, issueYear: number): number {
  return series.yearly ? issueYear : 0;
}

/**
 * Whether two series with different prefixes could ever compose the same number. A number is parsed from its end:
 * counter, then year or prefix, so only `P` yearly and `P-<four digits>` not yearly can collide.
 */
export function numbersCollide(one: Numbering, other: Numbering): boolean {
  if (one.yearly === other.yearly) return one.prefix === other.prefix;
  const [yearly, plain] = one.yearly ? [one, other] : [other, one];
  return (
    plain.prefix.startsWith(`${yearly.prefix}-`) &&
    /^\d{4}$/.test(plain.prefix.slice(yearly.prefix.length + 1))
  );
}
