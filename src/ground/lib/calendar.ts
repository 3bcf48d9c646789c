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

/** Days of Madrid by the hours of UTC within them: to work one out takes a hundred times as long as to find it. */
const daysByHour = new LRUCache<number, Day>({ max: 1_000 });

/** The calendar day in Madrid of an instant. */
export function madridDay(instant: Date): Day {
  // Since 1901 Madrid has been whole hours from UTC: a day begins where an hour of UTC does.
  const hour = Math.floor(instant.getTime() / HOUR_MS);
  const known = daysByHour.get(hour);
  if (known !== undefined) return known;
  const day = inMadrid(instant).toPlainDate().toString();
  if (hour >= 0) daysByHour.set(hour, day);
  return day;
}

/** The calendar year in Madrid of an instant: the year of yearly number series. */
export function madridYear(instant: Date): number {
  return inMadrid(instant).year;
}

/** The instant at which a day begins in Madrid (22:00 or 23:00 UTC of the day before). */
export function startOfMadridDay(day: Day): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(ZONE).epochMilliseconds);
}

/** The instant at which a day ends in Madrid, which is where the next one begins. */
export function endOfMadridDay(day: Day): Date {
  return startOfMadridDay(Temporal.PlainDate.from(day).add({ days: 1 }).toString());
}

/** The instant at which the next day begins in Madrid. */
export function nextMadridDay(instant: Date): Date {
  return endOfMadridDay(madridDay(instant));
}

/** The instant that is later by a duration of ISO 8601, of the calendar of Madrid. */
export function later(instant: Date, duration: string): Date {
  return new Date(inMadrid(instant).add(duration).epochMilliseconds);
}

/** The day so many days after another. */
export function plusDays(from: Day, days: number): Day {
  return Temporal.PlainDate.from(from).add({ days }).toString();
}

/** Whether the text is an existing calendar day in the form `YYYY-MM-DD`. */
export function isExistingDay(text: string): boolean {
  if (!DAY_PATTERN.test(text)) return false;
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
