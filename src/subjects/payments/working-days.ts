import { Temporal } from 'temporal-polyfill';
import type { Day } from '../../ground/lib/calendar.ts';

/**
 * National holidays of Spain on a fixed day, month and day: those of Real Decreto 2001/1983, art. 45.1 a) to c), which no region
 * may put on another day. Epiphany, Saint Joseph, Saint James and Maundy Thursday (d) may be replaced, so they are not
 * counted as holidays of the whole country: a deadline is then rather a day early than late. As of November 2026.
 */
const FIXED: ReadonlySet<string> = new Set([
  ...['01-01', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'],
]);

/** Easter Sunday of the Gregorian calendar (the rule of Butcher, as Meeus prints it, for any year from 1583 on). */
export function easterOf(year: number): Temporal.PlainDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const corrected = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const moon = (corrected + 19 * golden + 15) % 30;
  const epact =
    moon - Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11));
  const weekday = (year + Math.floor(year / 4) + epact + 2 - century + Math.floor(century / 4)) % 7;
  const month = 3 + Math.floor((epact - weekday + 40) / 44);
  const day = epact - weekday + 28 - 31 * Math.floor(month / 4);
  return new Temporal.PlainDate(year, month, day);
}

/** Whether a day counts: no Saturday, no Sunday, and no national holiday. */
export function isWorkingDay(day: Day): boolean {
  const date = Temporal.PlainDate.from(day);
  if (date.dayOfWeek >= 6 || FIXED.has(day.slice(5))) return false;
  return !date.equals(easterOf(date.year).subtract({ days: 2 }));
}

/** The day that is the `count`th working one after another. */
export function workingDaysAfter(day: Day, count: number): Day {
  let date = Temporal.PlainDate.from(day);
  for (let left = count; left > 0; ) {
    date = date.add({ days: 1 });
    if (isWorkingDay(date.toString())) left -= 1;
  }
  return date.toString();
}
