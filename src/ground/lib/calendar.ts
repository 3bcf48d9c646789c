import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { clock } from './clock.ts';

/**
 * The times of Spain. Legal days, years and record timestamps follow the territory of issue (Orden HAC/1177/2024 art. 7.e
 * and 7.g): that of the peninsula, or an hour less in the Canary Islands.
 */
export const TIME_ZONES = ['Europe/Madrid', 'Atlantic/Canary'] as const;
export type TimeZone = (typeof TIME_ZONES)[number];

/** Where nothing says otherwise: what operators state, and what is about no company. */
const MADRID: TimeZone = 'Europe/Madrid';

/** A calendar day written `YYYY-MM-DD`. */
export type Day = string;

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

function inZone(instant: Date, zone: TimeZone): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
}

const HOUR_MS = 60 * 60 * 1_000;

/** Days by UTC hour: computing one takes a hundred times as long as looking it up. */
const daysByHour = {
  'Europe/Madrid': new LRUCache<number, Day>({ max: 1_000 }),
  'Atlantic/Canary': new LRUCache<number, Day>({ max: 1_000 }),
};

/** The calendar day of an instant in a time zone. */
export function dayIn(zone: TimeZone, instant: Date): Day {
  // Since 1922 both offsets from UTC have been whole hours, so a day begins at the start of a UTC hour.
  const hour = Math.floor(instant.getTime() / HOUR_MS);
  const known = daysByHour[zone].get(hour);
  if (known !== undefined) return known;
  const day = inZone(instant, zone).toPlainDate().toString();
  if (hour >= 0) daysByHour[zone].set(hour, day);
  return day;
}

/** The calendar day of an instant in Madrid. */
export function madridDay(instant: Date): Day {
  return dayIn(MADRID, instant);
}

/** The calendar year of an instant in a time zone: the year of yearly number series. */
export function yearIn(zone: TimeZone, instant: Date): number {
  return Number(dayIn(zone, instant).slice(0, 4));
}

/** The instant at which a day begins in a time zone. */
export function startOfDay(zone: TimeZone, day: Day): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds);
}

/** The instant at which a day ends in a time zone and the next one begins. */
export function endOfDay(zone: TimeZone, day: Day): Date {
  return startOfDay(zone, plusDays(day, 1));
}

/** The instant at which a day begins in Madrid (22:00 or 23:00 UTC of the day before). */
export function startOfMadridDay(day: Day): Date {
  return startOfDay(MADRID, day);
}

/** The instant at which a day ends in Madrid and the next one begins. */
export function endOfMadridDay(day: Day): Date {
  return endOfDay(MADRID, day);
}

let ambient: TimeZone = MADRID;

/** The result of `work`, which must be synchronous and in which `today` is the day of a time zone. */
export function withDaysOf<T>(zone: TimeZone, work: () => T): T {
  const before = ambient;
  ambient = zone;
  try {
    return work();
  } finally {
    ambient = before;
  }
}

/** Where days begin now: in Madrid, unless `withDaysOf` says otherwise. */
export function zoneOfDays(): TimeZone {
  return ambient;
}

/** The current day there. */
export function today(): Day {
  return dayIn(ambient, clock.now());
}

/** The instant later by an ISO 8601 duration, counted in the calendar of Spain; null beyond the years that Temporal has. */
export function addDuration(instant: Date, duration: string): Date | null {
  try {
    return new Date(inZone(instant, MADRID).add(duration).epochMilliseconds);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The day a number of days after another. */
export function plusDays(from: Day, days: number): Day {
  return Temporal.PlainDate.from(from).add({ days }).toString();
}

/** The same day a number of years before; 28 February for the 29th of a year without one. */
export function yearsBefore(from: Day, years: number): Day {
  return Temporal.PlainDate.from(from).subtract({ years }).toString();
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
 * The agency's timestamp: local time of the issuer with its offset and no fractions, `2026-07-01T10:00:00+02:00`
 * (fractions or offset seconds are error 1244).
 */
export function fiscalTimestamp(zone: TimeZone, instant: Date): string {
  return inZone(instant, zone).toString({
    smallestUnit: 'second',
    timeZoneName: 'never',
    roundingMode: 'trunc',
  });
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
