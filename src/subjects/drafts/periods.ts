import { Temporal } from 'temporal-polyfill';
import type { Day } from '../../ground/lib/calendar.ts';
import type { Frequency } from './types.ts';

/** The days of schedules. */

const MONTHS: Readonly<Record<Frequency, number>> = { monthly: 1, quarterly: 3, yearly: 12 };

/**
 * The day of a period, counted from the first day and not from the previous period: a schedule that begins on the
 * 31st uses the last day of a shorter month, and the 31st again where there is one.
 */
export function dayOfPeriod(startsOn: Day, frequency: Frequency, period: number): Day {
  const months = MONTHS[frequency] * period;
  return Temporal.PlainDate.from(startsOn).add({ months }).toString();
}

/** The first period, from `period` on, whose day is not before a day. */
export function firstPeriodFrom(startsOn: Day, frequency: Frequency, period: number, day: Day): number {
  let next = period;
  while (dayOfPeriod(startsOn, frequency, next) < day) next += 1;
  return next;
}

type Repeating = {
  readonly startsOn: Day;
  readonly frequency: Frequency;
  readonly endsOn: Day | null;
  readonly count: number | null;
};

/**
 * The day of a period, null when the schedule has ended before it; `made`: how many drafts it has created by then.
 */
export function nextDay(
  { startsOn, frequency, endsOn, count }: Repeating,
  period: number,
  made: number,
): Day | null {
  if (count !== null && made >= count) return null;
  const day = dayOfPeriod(startsOn, frequency, period);
  return endsOn !== null && day > endsOn ? null : day;
}

/** The next days of a schedule, `max` at most. */
export function nextDays(
  schedule: Repeating & { readonly nextPeriod: number; readonly made: number; readonly nextOn: Day | null },
  max: number,
): Day[] {
  const days: Day[] = [];
  if (schedule.nextOn === null) return days;
  for (let ahead = 0; ahead < max; ahead += 1) {
    const day = nextDay(schedule, schedule.nextPeriod + ahead, schedule.made + ahead);
    if (day === null) break;
    days.push(day);
  }
  return days;
}

/** The last day of the period with this number. */
export function lastDayOfPeriod(startsOn: Day, frequency: Frequency, period: number): Day {
  const next = Temporal.PlainDate.from(dayOfPeriod(startsOn, frequency, period + 1));
  return next.subtract({ days: 1 }).toString();
}
