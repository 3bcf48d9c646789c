import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';

/** Legal days, years and record timestamps follow the territory of issue (Orden HAC/1177/2024 art. 7.e and 7.g). */
const ZONE = 'Europe/Madrid';

/** A calendar day written `YYYY-MM-DD`. */
export type Day = string;

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

function inMadrid(instant: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(ZONE);
}

const HOUR_MS = 60 * 60 * 1_000;

/** Days in Madrid by UTC hour: computing one takes a hundred times as long as looking it up. */
const daysByHour = new LRUCache<number, Day>({ max: 1_000 });

/** The calendar day of an instant in Madrid. */
export function madridDay(instant: Date): Day {
  // Since 1901 Madrid's offset from UTC has been whole hours, so a day begins at the start of a UTC hour.
  const hour = Math.floor(instant.getTime() / HOUR_MS);
  const known = daysByHour.get(hour);
  if (known !== undefined) return known;
  const day = inMadrid(instant).toPlainDate().toString();
  if (hour >= 0) daysByHour.set(hour, day);
  return day;
}

/** The calendar year of an instant in Madrid: the year of yearly number series. */
export function madridYear(instant: Date): number {
  return inMadrid(instant).year;
}

/** The instant at which a day begins in Madrid (22:00 or 23:00 UTC of the day before). */
export function startOfMadridDay(day: Day): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(ZONE).epochMilliseconds);
}

/** The instant at which a day ends in Madrid and the next one begins. */
export function endOfMadridDay(day: Day): Date {
  return startOfMadridDay(Temporal.PlainDate.from(day).add({ days: 1 }).toString());
}

/** The instant at which the next day begins in Madrid. */
export function nextMadridDay(instant: Date): Date {
  return endOfMadridDay(madridDay(instant));
}

/** The instant later by an ISO 8601 duration, counted in the calendar of Madrid; null beyond the years that Temporal has. */
export function addDuration(instant: Date, duration: string): Date | null {
  try {
    return new Date(inMadrid(instant).add(duration).epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The day a number of days after another. */
export function plusDays(from: Day, days: number): Day {
  return Temporal.PlainDate.from(from).add({ days }).toString();
}

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether an instant is in the years 1 to 9999 of UTC: Postgres has no year 0, and reads no year of five digits. */
export function isStorableInstant(instant: Date): boolean {
  return instant.getTime() >= FIRST_INSTANT && instant.getTime() <= LAST_INSTANT;
}

/** Whether the text is an existing calendar day in the form `YYYY-MM-DD`; there was no year 0. */
export function isExistingDay(text: string): boolean {
  if (!DAY_PATTERN.test(text) || text.startsWith('0000')) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

/**
 * The agency's timestamp: local time of Madrid with its offset and no fractions, `2026-07-01T10:00:00+02:00`
 * (fractions or offset seconds are error 1244).
 */
export function fiscalTimestamp(instant: Date): string {
  return inMadrid(instant).toString({ smallestUnit: 'second', timeZoneName: 'never', roundingMode: 'trunc' });
}

/** The agency's date form of a day, `dd-mm-yyyy`. */
export function agencyDate(day: Day): string {
  const [, year, month, date] = DAY_PATTERN.exec(day) ?? [];
  return `${date}-${month}-${year}`;
}

/** The day of a column without a time, which Prisma reads as midnight in UTC. */
export function dayOfColumn(date: Date): Day {
  return date.toISOString().slice(0, 10);
}
