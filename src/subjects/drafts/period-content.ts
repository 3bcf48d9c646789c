import { dayOfPeriod, lastDayOfPeriod } from './periods.ts';
import { fillPlaceholders } from './placeholders.ts';
import type { Draft, Schedule } from './shapes.ts';

/** Months are named in Spanish where the invoice names no language. */
const LANGUAGE = 'es';

/** The content of a schedule's next invoice. */
export function contentOfPeriod(
  schedule: Pick<Schedule, 'content' | 'dueInDays' | 'startsOn' | 'frequency' | 'nextPeriod'>,
): Pick<Draft, 'content' | 'dueInDays'> {
  const { content, dueInDays, startsOn, frequency, nextPeriod } = schedule;
  const { language } = content;
  const period = {
    from: dayOfPeriod(startsOn, frequency, nextPeriod),
    to: lastDayOfPeriod(startsOn, frequency, nextPeriod),
    language: typeof language === 'string' ? language : LANGUAGE,
  };
  return { content: fillPlaceholders(content, period), dueInDays };
}
