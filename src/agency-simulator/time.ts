import { Temporal } from 'temporal-polyfill';

/** A calendar day `YYYY-MM-DD`: such days compare as text. */
export type Day = string;

function inMadrid(instant: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO('Europe/Madrid');
}

/** The day on the agency's wall calendar. */
export function dayAt(instant: Date): Day {
  return inMadrid(instant).toPlainDate().toString();
}

/** The same day so many years later (or, negative, earlier). */
export function yearsFrom(day: Day, years: number): Day {
  return Temporal.PlainDate.from(day).add({ years }).toString();
}

/** The agency's timestamp, in the zone of its servers: `2026-07-01T10:00:00+02:00`. */
export function timestampAt(instant: Date): string {
  return inMadrid(instant).toString({ smallestUnit: 'second', timeZoneName: 'never', roundingMode: 'trunc' });
}

/** The digits with which the agency's request numbers begin: `20260701100000`. */
export function compactTimestamp(instant: Date): string {
  return timestampAt(instant).slice(0, 19).replaceAll(/[-T:]/g, '');
}

/** The day that `dd-mm-yyyy` names, or null when the text is not of that form or there is no such day. */
export function dayOfAgencyDate(text: string | null): Day | null {
  const [, date, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text ?? '') ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const day = Number(date);
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const exists = Number(month) >= 1 && Number(month) <= 12 && day >= 1 && day <= lastDay && year >= '1000';
  return exists ? `${year}-${month}-${date}` : null;
}
