import { Temporal } from 'temporal-polyfill';
import type { Day } from '../../ground/lib/calendar.ts';
import type { Content } from './shapes.ts';

/** Placeholders for the period in the texts of a recurring invoice: `{{month}}` etc. */

/** The days of a period, and the language in which its month is named. */
export type Period = { readonly from: Day; readonly to: Day; readonly language: string };

/** A map, because names come from callers: an object has further ones, such as `constructor`. */
const VALUE_OF: ReadonlyMap<string, (period: Period) => string> = new Map(
  Object.entries<(period: Period) => string>({
    month: ({ from, language }) => monthName(from, language),
    quarter: ({ from }) => String(Math.ceil(Temporal.PlainDate.from(from).month / 3)),
    year: ({ from }) => from.slice(0, 4),
    period_start: ({ from }) => written(from),
    period_end: ({ to }) => written(to),
  }),
);

export const PLACEHOLDERS = [...VALUE_OF.keys()];

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

function monthName(day: Day, language: string): string {
  const instant = new Date(`${day}T12:00:00Z`);
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(instant);
}

/** Days in Spanish format, whatever the language: 31/01/2027. */
const written = (day: Day): string => day.split('-').reverse().join('/');

/** The unknown names between double braces. */
export function unknownPlaceholders(content: Content): string[] {
  const unknown: string[] = [];
  mapTexts(content, (text) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) if (!VALUE_OF.has(name)) unknown.push(name);
    return text;
  });
  return unknown;
}

/** An invoice with the placeholders in its texts replaced. */
export function fillPlaceholders(content: Content, period: Period): Content {
  return mapTexts(content, (text) =>
    text.replaceAll(PLACEHOLDER, (whole, name: string) => VALUE_OF.get(name)?.(period) ?? whole),
  );
}

/** Descriptions, notes, payment and references: texts for people. Names, ids and metadata stay unchanged. */
function mapTexts(content: Content, change: (text: string) => string): Content {
  const within = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, within(text)]));
  };
  const described = (line: unknown): unknown => {
    const { description } = line as { description?: unknown };
    return typeof description === 'string' ? { ...(line as object), description: change(description) } : line;
  };
  const { lineItems, notes, payment, references } = content;
  return {
    ...content,
    ...(Array.isArray(lineItems) ? { lineItems: lineItems.map(described) } : {}),
    ...(notes == null ? {} : { notes: within(notes) }),
    ...(payment == null ? {} : { payment: within(payment) }),
    ...(references == null ? {} : { references: within(references) }),
  };
}
