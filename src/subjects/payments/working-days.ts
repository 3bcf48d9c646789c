import { Temporal } from 'temporal-polyfill';
import type { Day } from '../../ground/lib/calendar.ts';

/**
 * National holidays of Spain on a fixed day, month and day: those of Real Decreto 2001/1983, art. 45.1 a) to c)
 * (BOE of 29 July 1983, read on 22 November 2026 at noticias.juridicas.com/base_datos/Laboral/rd2001-1983.t5.html,
 * in its revision of 27 September 1995), which no region may move; Good Friday is the ninth. Not counted as
 * national holidays, so that a deadline is rather a day early than late: Maundy Thursday, Epiphany and Saint Joseph
 * (d), which a region may replace by holidays of its own or by Saint James (art. 45.3); the Monday after a holiday
 * on a Sunday (art. 45.2), which a region may replace by a day of its own; and the holidays of regions and towns,
 * which the Order does not mention.
 */
const FIXED: ReadonlySet<string> = new Set([
  ...['01-01', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'],
]);

/**
 * The recipient reports payment or rejection within this many days, excluding Saturdays, Sundays and national
 * holidays (Orden HAC/1028/2026).
 */
export const RECIPIENT_DAYS = 4;

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

/** Whether a day counts: not a Saturday, Sunday or national holiday. */
export function isWorkingDay(day: Day): boolean {
  const date = Temporal.PlainDate.from(day);
  if (date.dayOfWeek >= 6 || FIXED.has(day.slice(5))) return false;
  return !date.equals(easterOf(date.year).subtract({ days: 2 }));
}

/** The `count`th working day after another day. */
export function workingDaysAfter(day: Day, count: number): Day {
  let date = Temporal.PlainDate.from(day);
  for (let remaining = count; remaining > 0; ) {
    date = date.add({ days: 1 });
    if (isWorkingDay(date.toString())) remaining -= 1;
  }
  return date.toString();
}
