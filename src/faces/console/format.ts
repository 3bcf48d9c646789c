import { madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import { count, day, money as euros } from '../web/format.ts';
import { type Html, html } from '../web/html.ts';
import { say, spokenLanguage } from './words.ts';

const clockTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Madrid',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export const money = (cents: number): string => euros(cents, spokenLanguage());
export const number = (value: number): string => count(value, spokenLanguage());

/** An instant as GraphQL gives it, by Madrid's calendar and clock; the title holds it in UTC. */
export function moment(instant: string): Html {
  const date = new Date(instant);
  return html`<time datetime="${instant}" title="${instant}">${day(madridDay(date), spokenLanguage())}, ${clockTime.format(date)}</time>`;
}

/** The day of an instant, by Madrid's calendar. */
export function dayOf(instant: string): Html {
  return html`<time datetime="${instant}">${day(madridDay(new Date(instant)), spokenLanguage())}</time>`;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago an instant was, in the two largest units at most: `2 h 5 min`. */
export function age(instant: string): string {
  return span(clock.now().getTime() - new Date(instant).getTime());
}

/** When something may happen: `now`, or in how long. */
export function until(instant: string): string {
  const remaining = new Date(instant).getTime() - clock.now().getTime();
  return remaining <= 0 ? say('now') : say('in {time}', { time: span(remaining) });
}

function span(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`;
  if (length < DAY) return `${Math.floor(length / HOUR)} h ${Math.floor((length % HOUR) / MINUTE)} min`;
  const days = Math.floor(length / DAY);
  return days === 1 ? say('1 day') : say('{count} days', { count: number(days) });
}
